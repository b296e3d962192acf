// The machine as a SimGrid platform: one root zone that holds the hosts, and links that come into being when a route
// first needs them. Which links are on a route is asked of whoever knows the pair, at every route: nothing is kept for
// pairs.
//
// Hosts have numbers, in the order in which they are added. Links have numbers too: a part of the machine that has some
// gets a range of them, and says what each is like.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "simulator/engine/units.hpp"
#include "simulator/hardware/network/channel.hpp"

namespace hindcast {

struct PlatformLink {
  std::string name;  // SimGrid's
  Time latency;
  Bandwidth bandwidth;
};

class Platform {
 public:
  using LinkNumber = std::int64_t;
  using Describe = std::function<PlatformLink(LinkNumber within)>;  // from 0 in each range
  using Visit = std::function<void(LinkNumber)>;
  using Routes = std::function<void(int from_host, int to_host, const Visit& visit)>;

  // There is one platform a process: SimGrid's.
  explicit Platform(const std::string& name);
  ~Platform();
  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;

  int add_host(const std::string& name, FlopRate flop_rate);
  // The number of the first of them.
  LinkNumber add_links(std::int64_t count, Describe describe);
  // All hosts are there.
  void seal(Routes routes);

  Channel link(LinkNumber number);
  // SimGrid's links are made when they are asked for: one of so many from this one on.
  bool has_made_a_link(LinkNumber first, std::int64_t count) const;
  Time latency(int from_host, int to_host);

 private:
  class Links;
  class Zone;
  Zone* zone_;  // SimGrid's root zone, and its to delete
  std::unique_ptr<Links> links_;
  int hosts_ = 0;
};

}  // namespace hindcast
