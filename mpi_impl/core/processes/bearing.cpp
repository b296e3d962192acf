#include "mpi_impl/core/processes/bearing.hpp"

#include <algorithm>

#include "mpi_impl/core/processes/at_clock.hpp"

namespace hindcast::mpi {

Bearing::Bearing(Process& process, const std::vector<WantedBirth>& wanted, GroupPointer parents, std::uint32_t context)
    : world_(process.world()), born_(wanted.size()) {
  AtClock(process, "for processes to be started", [&] { bear(wanted, std::move(parents), context); });
}

void Bearing::bear(const std::vector<WantedBirth>& wanted, GroupPointer parents, std::uint32_t context) {
  try {
    const std::vector<Birth> births = what_there_is_room_for(wanted);
    cohort_ = &world_.bear(births, std::move(parents), context);
    for (std::size_t i = 0; i < births.size(); ++i) born_[i] = births[i].ranks;
  } catch (const BirthError& error) {
    problem_ = error.what();
  }
}

// Whoever can do with fewer gets fewer, the last first.
std::vector<Birth> Bearing::what_there_is_room_for(const std::vector<WantedBirth>& all) {
  std::vector<Birth> births;
  int over = -world_.births().free_places();
  for (const WantedBirth& wanted : all) {
    births.push_back(wanted.birth);
    over += wanted.birth.ranks;
  }
  for (std::size_t i = births.size(); i-- > 0 && over > 0;) {
    if (!all[i].soft) continue;
    const int fewer = all[i].soft->largest_up_to(std::max(births[i].ranks - over, 0)).value_or(births[i].ranks);
    over -= births[i].ranks - fewer;
    births[i].ranks = fewer;
  }
  return births;
}

}  // namespace hindcast::mpi
