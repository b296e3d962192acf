// A torus of any figures and transfers over it, run to the end.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "simulator/hardware/wormhole_torus.hpp"

namespace hindcast::test {

// Figures for every link and port alike, and exceptions.
struct TestLinks final : TorusLinks {
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
};

// Links of 1 GB/s and 10 ns, ports of 1 GB/s and no latency: a byte takes a nanosecond.
TestLinks plain_links();
Channel figures(Time latency, double bytes_per_second);

struct Sent {
  Time at;
  int from = 0;
  int to = 0;
  std::uint64_t bytes = 0;
  // Results.
  Time entered;
  Time injected;
  Time arrived;
  int arrival_number = 0;
};

// Submits each transfer at its time, those of one time in their order here. Once a process.
std::vector<Sent> run_torus(const TorusRoutes& routes, TestLinks& links, std::vector<Sent> sent);

}  // namespace hindcast::test
