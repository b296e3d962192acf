// The network between nodes of different sites. Messages are flows over the links between their sites: those of
// different pairs of nodes share a link's bandwidth, as connections on a wide-area network do. Those of one pair, in
// one direction, are one connection's and go one after the other; no quicker than a window for each round trip.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simulator/hardware/network/flow_network.hpp"

namespace hindcast {

// From one site to another, over all links in between.
struct WideWay {
  Time latency;
  Bandwidth bandwidth;  // of the narrowest link
  Bytes window;         // the least; none: a connection is as quick as the links
  std::string latency_key;
  std::string bandwidth_key;
  std::string window_key;

  // What a connection reaches: its window, once a round trip.
  Rate quickest() const;
};

class WideArea final : public FlowNetwork {
 public:
  using SiteOfNode = std::function<int(int node)>;
  using WayOfSites = std::function<WideWay(int from, int to)>;  // asked once for each pair

  WideArea(Engine& engine, Flows& flows, NameOfNode name_of_node, SiteOfNode site_of_node, WayOfSites way,
           JoinedNodes nodes);
  ~WideArea() override;

  Time latency(int from, int to) override;

 private:
  struct KnownWay;

  KnownWay& way_between(int from, int to);
  Line& line_of(const Transfer& transfer) override;
  Rate quickest(const Transfer& transfer) override;
  const Steps& steps_of(const Transfer& transfer) override;

  const SiteOfNode site_of_node_;
  const WayOfSites way_of_sites_;
  std::unordered_map<std::uint64_t, std::unique_ptr<KnownWay>> ways_;  // by the pair of sites
  std::unordered_map<std::uint64_t, Line> lines_;                      // by the pair of nodes, once it has spoken
};

}  // namespace hindcast
