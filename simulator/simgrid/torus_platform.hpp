// A torus as a SimGrid platform: hosts "ideal-0" and on, a pair of links per node and dimension, and a port into and
// out of the network for each node. Routes are computed; links come into being when the first route needs them.
//
// Names and routes are those of SimGrid's own torus zone, with the ports before and behind. Between a node and the
// front end, if there is one, are the broadcast bus and the front end's line.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/hardware/network/fluid_network.hpp"
#include "simulator/hardware/network/torus_routes.hpp"
#include "simulator/hardware/network/wormhole_torus.hpp"

namespace hindcast {

// A link beside the torus, of a network that joins all nodes.
struct SpecialLink {
  std::string name;
  Time latency;
  Bandwidth bandwidth;
};

// A computer beside the torus, and its line to a broadcast bus.
struct FrontEndSpec {
  std::string host_name;  // SimGrid's
  FlopRate flop_rate;
  SpecialLink line;
  std::string bus;  // a special link
};

struct TorusSpec {
  std::string name;
  TorusRoutes routes;
  Time hop_latency;
  Bandwidth link_bandwidth;
  Time injection_latency;
  Bandwidth injection_bandwidth;
  FlopRate flop_rate;
  std::vector<SpecialLink> special_links = {};
  std::optional<FrontEndSpec> front_end = {};
};

std::string host_name(const std::string& machine, int node);

class TorusPlatform final : public TorusLinks, public FluidPaths {
 public:
  // There is one platform a process: SimGrid's.
  TorusPlatform(const TorusSpec& spec, int nodes_used);
  ~TorusPlatform();

  Channel link(int index) override;
  Channel injection(int node) override;
  Channel ejection(int node) override;
  std::string host_name(int node) const override;
  Time latency(int from, int to) override;
  Channel special_link(const std::string& name) const;  // one of the spec's

 private:
  class Zone;
  class Links;
  std::unique_ptr<Links> links_;
};

}  // namespace hindcast
