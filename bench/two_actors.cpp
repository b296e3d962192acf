// The least that a simulation with SimGrid is: two hosts, two actors, no message. Start-up is held against it.
#include <simgrid/s4u.hpp>

int main(int argc, char** argv) {
  simgrid::s4u::Engine engine(&argc, argv);
  auto* zone = simgrid::s4u::create_star_zone("machine");
  for (const char* name : {"node-0", "node-1"}) zone->create_host(name, 1e9)->seal();
  zone->seal();
  for (auto* host : engine.get_all_hosts()) simgrid::s4u::Actor::create("rank", host, [] {});
  engine.run();
}
