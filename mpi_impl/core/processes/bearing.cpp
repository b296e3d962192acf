#include "mpi_impl/core/processes/bearing.hpp"

#include "mpi_impl/core/requests/point_to_point.hpp"

namespace hindcast::mpi {

Bearing::Bearing(Process& process, const std::vector<WantedBirth>& wanted, GroupPointer parents, std::uint32_t context)
    : process_(process), wanted_(wanted), parents_(std::move(parents)), context_(context), born_(wanted.size()) {
  Thread::current()->act(*this, 0);
  wait_for(process, over_, *this);
}

void Bearing::fire(const Event&) {
  World& world = process_.world();
  try {
    const std::vector<Birth> births = what_there_is_room_for();
    cohort_ = &world.bear(births, std::move(parents_), context_);
    for (std::size_t i = 0; i < births.size(); ++i) born_[i] = births[i].ranks;
  } catch (const BirthError& error) {
    problem_ = error.what();
  }
  over_.complete(world.engine().now());
}

// Whoever can do with fewer gets fewer, the last first.
std::vector<Birth> Bearing::what_there_is_room_for() {
  std::vector<Birth> births;
  int over = -process_.world().births().free_places();
  for (const WantedBirth& wanted : wanted_) {
    births.push_back(wanted.birth);
    over += wanted.birth.ranks;
  }
  for (std::size_t i = births.size(); i-- > 0 && over > 0;) {
    if (!wanted_[i].soft) continue;
    const int fewer = wanted_[i].soft->largest_up_to(std::max(births[i].ranks - over, 0)).value_or(births[i].ranks);
    over -= births[i].ranks - fewer;
    births[i].ranks = fewer;
  }
  return births;
}

BlockedOn Bearing::describe() const { return {process_.call->name, "for processes to be started", {}}; }

}  // namespace hindcast::mpi
