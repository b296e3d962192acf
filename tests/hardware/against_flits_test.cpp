// How far the path reservation is from a simulation flit by flit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/hardware/flit_simulator.hpp"
#include "tests/hardware/torus_run.hpp"

namespace hindcast::test {
namespace {

// A flit is a byte, a cycle a nanosecond; a flit needs a cycle to enter, one for each link and one to leave.
TestLinks links_like_the_flit_simulator() {
  TestLinks links;
  links.link_figures = figures(Time::ns(1), 1e9);
  links.injection_figures = figures(Time::ns(1), 1e9);
  links.ejection_figures = figures(Time(), 1e9);
  return links;
}

enum class Order { shift, exclusive_or };  // the two in which all-to-alls usually go through their partners

struct Shape {
  std::vector<std::int64_t> extents;
  int flits;
  Order order;
  double ratio;  // of times, reserved to flit by flit, as measured; docs/networks.md tells them
};

TEST(AgainstFlits, AMessageAloneTakesTheSameTime) {
  const TorusRoutes routes({8, 4});
  TestLinks links = links_like_the_flit_simulator();
  std::vector<Sent> sent;
  for (int to = 0; to < routes.nodes(); ++to) sent.push_back({Time::ns(1000 * to), 5, to, 17});
  sent = run_torus(routes, links, sent);
  for (int to = 0; to < routes.nodes(); ++to) {
    std::vector<FlitSimulator::Message> alone{{5, to, 17}};
    FlitSimulator(routes, 4).run(alone);
    EXPECT_EQ(sent[static_cast<std::size_t>(to)].arrived - sent[static_cast<std::size_t>(to)].at,
              Time::ns(alone[0].arrival));
  }
}

class AllToAll : public testing::TestWithParam<Shape> {};

TEST_P(AllToAll, TakesAboutTheTimeThatFlitsTake) {
  const Shape& shape = GetParam();
  const TorusRoutes routes(shape.extents);
  std::vector<FlitSimulator::Message> messages;
  std::vector<Sent> sent;
  for (int step = 1; step < routes.nodes(); ++step)
    for (int from = 0; from < routes.nodes(); ++from) {
      const int to = shape.order == Order::shift ? (from + step) % routes.nodes() : from ^ step;
      messages.push_back({from, to, shape.flits});
      sent.push_back({Time(), from, to, static_cast<std::uint64_t>(shape.flits)});
    }
  const auto flit_by_flit = static_cast<double>(FlitSimulator(routes, 4).run(messages));
  TestLinks links = links_like_the_flit_simulator();
  sent = run_torus(routes, links, sent);
  const Time last = std::max_element(sent.begin(), sent.end(), [](const Sent& a, const Sent& b) {
                      return a.arrived < b.arrived;
                    })->arrived;
  const double reserved = last.in_seconds() * 1e9;
  std::printf("%d nodes, %d dimensions, %d flits, %s: %.0f cycles flit by flit, %.0f by reservation: %.3f of it\n",
              routes.nodes(), routes.dimensions(), shape.flits, shape.order == Order::shift ? "shift" : "exclusive or",
              flit_by_flit, reserved, reserved / flit_by_flit);
  EXPECT_NEAR(reserved / flit_by_flit, shape.ratio, 0.01);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, AllToAll,
    testing::Values(Shape{{4, 4}, 32, Order::shift, 0.810}, Shape{{4, 4}, 32, Order::exclusive_or, 0.841},
                    Shape{{8, 8}, 8, Order::shift, 1.216}, Shape{{8, 8}, 32, Order::shift, 1.100},
                    Shape{{8, 8}, 128, Order::shift, 0.990}, Shape{{8, 8}, 8, Order::exclusive_or, 1.117},
                    Shape{{8, 8}, 32, Order::exclusive_or, 0.935}, Shape{{8, 8}, 128, Order::exclusive_or, 0.847},
                    Shape{{16, 8}, 32, Order::shift, 0.973}, Shape{{16, 8}, 32, Order::exclusive_or, 0.660},
                    Shape{{4, 4, 4}, 32, Order::shift, 0.637}, Shape{{4, 4, 4}, 32, Order::exclusive_or, 0.589}));

}  // namespace
}  // namespace hindcast::test
