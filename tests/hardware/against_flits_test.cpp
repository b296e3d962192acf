// How far the path reservation is from a simulation flit by flit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/hardware/flit_simulator.hpp"
#include "tests/hardware/wormhole_run.hpp"

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
  // Until the last arrival, in cycles. The share of one in the other is what docs/networks.md tells.
  std::int64_t flit_by_flit;
  std::int64_t reserved;
};

TEST(AgainstFlits, AMessageAloneTakesTheSameTime) {
  const TorusRoutes routes({8, 4});
  TestLinks links = links_like_the_flit_simulator();
  std::vector<Sent> sent;
  for (int to = 0; to < routes.nodes(); ++to) sent.push_back({Time::ns(1000 * to), 5, to, 17});
  sent = run_wormhole(routes, links, sent);
  for (int to = 0; to < routes.nodes(); ++to) {
    std::vector<FlitSimulator::Message> alone{{5, to, 17}};
    FlitSimulator(routes, 4).run(alone);
    EXPECT_EQ(sent[static_cast<std::size_t>(to)].arrived - sent[static_cast<std::size_t>(to)].at,
              Time::ns(alone[0].arrival));
  }
}

class AllToAll : public testing::TestWithParam<Shape> {};

TEST_P(AllToAll, IsAsFarFromTheTimeOfFlitsAsItIsSaidToBe) {
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
  EXPECT_EQ(FlitSimulator(routes, 4).run(messages), shape.flit_by_flit);
  TestLinks links = links_like_the_flit_simulator();
  sent = run_wormhole(routes, links, sent);
  const Time last = std::max_element(sent.begin(), sent.end(), [](const Sent& a, const Sent& b) {
                      return a.arrived < b.arrived;
                    })->arrived;
  EXPECT_EQ(last, Time::ns(shape.reserved));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, AllToAll,
    testing::Values(
        Shape{{4, 4}, 32, Order::shift, 799, 647}, Shape{{4, 4}, 32, Order::exclusive_or, 769, 647},
        Shape{{8, 8}, 8, Order::shift, 1907, 2319}, Shape{{8, 8}, 32, Order::shift, 7761, 8535},
        Shape{{8, 8}, 128, Order::shift, 33733, 33399}, Shape{{8, 8}, 8, Order::exclusive_or, 1592, 1779},
        Shape{{8, 8}, 32, Order::exclusive_or, 6986, 6531}, Shape{{8, 8}, 128, Order::exclusive_or, 30143, 25539},
        Shape{{16, 8}, 32, Order::shift, 30639, 29800}, Shape{{16, 8}, 32, Order::exclusive_or, 29981, 19779},
        Shape{{4, 4, 4}, 32, Order::shift, 4237, 2698}, Shape{{4, 4, 4}, 32, Order::exclusive_or, 4583, 2698}));

}  // namespace
}  // namespace hindcast::test
