// A wormhole network of any figures and transfers over it, run to the end.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simulator/hardware/network/torus_routes.hpp"
#include "simulator/hardware/network/wormhole_network.hpp"
#include "tests/hardware/traffic.hpp"

namespace hindcast::test {

// Figures for every link and port alike, and exceptions.
struct TestLinks final : NetworkLinks {
  Channel link_figures;
  Channel injection_figures;
  Channel ejection_figures;
  std::map<int, Channel> exceptions;  // by the link's index
  int links_built = 0;

  Channel link(int index) override {
    ++links_built;
    const auto found = exceptions.find(index);
    return found == exceptions.end() ? link_figures : found->second;
  }
  Channel injection(int) override { return injection_figures; }
  Channel ejection(int) override { return ejection_figures; }
  bool links_are_alike() const override { return exceptions.empty(); }
};

// Links of 1 GB/s and 10 ns, ports of 1 GB/s and no latency: a byte takes a nanosecond.
TestLinks plain_links();
Channel figures(Time latency, double bytes_per_second);

// Submits each transfer at its time, those of one time in their order here. Once a process. What a recorder would be
// told of the hardware is put into `steps`, if given: "message 3 at node 1: waits from 5 to 8 ns".
template <class Routes>
std::vector<Sent> run_wormhole(const Routes& routes, TestLinks& links, std::vector<Sent> sent,
                               const Buffers& buffers = {}, std::vector<std::string>* steps = nullptr);

}  // namespace hindcast::test
