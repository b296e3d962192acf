#include "mpi_impl/collectives/costs/ways.hpp"

#include <algorithm>
#include <vector>

namespace hindcast::mpi {

double longest_way_up(const CostModel& machine, Tree tree, double bytes, double work, HeardFirst heard_first) {
  std::vector<double> ready(static_cast<std::size_t>(tree.n));
  for (int place = tree.n - 1; place >= 0; --place) {
    double at = 0;
    const long before = static_cast<long>(place) * tree.k;
    const long children = std::clamp(tree.n - before - 1, 0L, static_cast<long>(tree.k));
    for (long i = 0; i < children; ++i) {
      const long child = before + (heard_first == HeardFirst::last_child ? children - i : i + 1);
      const double arrives = ready[static_cast<std::size_t>(child)] + machine.message(bytes);
      const double can_be_received = at + machine.between_receives(bytes);
      const bool waits = i > 0 && arrives < can_be_received;
      at = (waits ? std::max(arrives, can_be_received) + machine.waiting_message(bytes) : arrives) + work;
    }
    ready[static_cast<std::size_t>(place)] = at;
  }
  return ready.front();
}

double longest_way_down(const CostModel& machine, Tree tree, double bytes) {
  std::vector<double> told(static_cast<std::size_t>(tree.n));
  for (int place = 1; place < tree.n; ++place)
    told[static_cast<std::size_t>(place)] = told[static_cast<std::size_t>((place - 1) / tree.k)] +
                                            machine.message(bytes) +
                                            (place - 1) % tree.k * machine.between_sends(bytes);
  return *std::max_element(told.begin(), told.end());
}

}  // namespace hindcast::mpi
