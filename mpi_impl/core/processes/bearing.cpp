#include "mpi_impl/core/processes/bearing.hpp"

#include <algorithm>
#include <limits>

#include "mpi_impl/core/processes/at_clock.hpp"
#include "mpi_impl/core/processes/leaving.hpp"

namespace hindcast::mpi {

namespace {

int number_that_soft_allows(const WantedBirth& wanted, int most) {
  if (const std::optional<int> number = wanted.soft->largest_up_to(most)) return *number;
  throw BirthError("the info key soft allows no number of " + wanted.birth.program + " of which there is room for " +
                   std::to_string(most));
}

}  // namespace

Bearing::Bearing(Process& process, const std::vector<WantedBirth>& wanted, GroupPointer parents, std::uint32_t context)
    : world_(process.world()), born_(wanted.size()) {
  AtClock(process, "for processes to be started", [&] { bear(process, wanted, std::move(parents), context); });
}

void Bearing::bear(Process& process, const std::vector<WantedBirth>& wanted, GroupPointer parents,
                   std::uint32_t context) {
  try {
    const int free = world_.births().free_places();
    const int most = number_with(wanted, std::numeric_limits<int>::max());
    const int now = number_with(wanted, free);
    may_succeed_later_ = now < most && now < number_with(wanted, free + ranks_about_to_leave(process));
    if (may_succeed_later_) return;
    const std::vector<Birth> births = what_there_is_room_for(wanted, free);
    cohort_ = &world_.bear(births, std::move(parents), context);
    for (std::size_t i = 0; i < births.size(); ++i) born_[i] = births[i].ranks;
  } catch (const BirthError& error) {
    problem_ = error.what();
  }
}

// How many there would be with so many places.
int Bearing::number_with(const std::vector<WantedBirth>& wanted, int places) {
  try {
    int sum = 0;
    for (const Birth& birth : what_there_is_room_for(wanted, places)) sum += birth.ranks;
    return sum <= places ? sum : 0;
  } catch (const BirthError&) {
    return 0;
  }
}

// The largest number that a command's soft allows; where there is not so much room, the last get fewer first.
std::vector<Birth> Bearing::what_there_is_room_for(const std::vector<WantedBirth>& all, int places) {
  std::vector<Birth> births;
  int sum = 0;
  for (const WantedBirth& wanted : all) {
    births.push_back(wanted.birth);
    if (wanted.soft) births.back().ranks = number_that_soft_allows(wanted, wanted.birth.ranks);
    sum += births.back().ranks;
  }
  int over = sum - places;
  for (std::size_t i = births.size(); i-- > 0 && over > 0;) {
    if (!all[i].soft) continue;
    const int fewer = number_that_soft_allows(all[i], std::max(births[i].ranks - over, 0));
    over -= births[i].ranks - fewer;
    sum -= births[i].ranks - fewer;
    births[i].ranks = fewer;
  }
  if (sum == 0) throw BirthError("no process is to be started");
  return births;
}

}  // namespace hindcast::mpi
