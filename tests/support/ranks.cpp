#include "tests/support/ranks.hpp"

#include <simgrid/s4u.hpp>

namespace hindcast::test {

void make_nodes(int count) {
  auto* zone = simgrid::s4u::create_star_zone("test");
  for (int i = 0; i < count; ++i) zone->create_host("h" + std::to_string(i), 1e9)->seal();
  zone->seal();
}

void run_ranks(Engine& engine, const std::vector<std::function<void(Thread&)>>& bodies,
               std::function<void(Ending)> on_early_end) {
  make_nodes(static_cast<int>(bodies.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Rank& rank = engine.add_rank("h" + std::to_string(i));
    engine.start_thread(rank, [&body = bodies[i]] { body(*Thread::current()); });
  }
  engine.run(std::move(on_early_end));
}

}  // namespace hindcast::test
