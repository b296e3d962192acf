// What a network knows of the platform that it is built on: the figures of its links and ports, and which of the
// machine's nodes it joins. Nodes and links are numbered from 0 within the network.
#pragma once

#include <string>

#include "simulator/hardware/network/channel.hpp"

namespace hindcast {

// Asked for once each, when the first route needs them.
class NetworkLinks {
 public:
  virtual Channel link(int index) = 0;  // an index of the network's routes
  virtual Channel injection(int node) = 0;
  virtual Channel ejection(int node) = 0;
  // Whether all links have one latency and one bandwidth. Asked before the first link is.
  virtual bool links_are_alike() const { return false; }

 protected:
  ~NetworkLinks() = default;
};

// So many, from this one on: transfers have the machine's numbers.
struct JoinedNodes {
  int first = 0;
  int count = 0;
};

// The keys in the machine's file that times in a network follow from; empty if it has no such thing.
struct NetworkKeys {
  std::string injection_latency;
  std::string injection_bandwidth;
  std::string hop_latency;
  std::string link_bandwidth;
  std::string way_out;
};

}  // namespace hindcast
