// Which messages are numbered, as they may overtake others of their pair.

#include "mpi_impl/transport/methods.hpp"

#include <gtest/gtest.h>

namespace hindcast::mpi {
namespace {

class StillNetwork final : public Network {
 public:
  explicit StillNetwork(bool keeps_order) : keeps_order_(keeps_order) {}
  void submit(Transfer&) override {}
  Time latency(int, int) override { return Time(); }
  bool keeps_pairs_in_order() const override { return keeps_order_; }

 private:
  const bool keeps_order_;
};

TEST(Methods, MayOvertakeWhereTheNetworkDoesNotKeepTheOrder) {
  StillNetwork in_order(true), disorderly(false);
  Methods methods;
  const Method& memory = methods.add({"memory", {}, &disorderly});
  const Method& crossbar = methods.add({"crossbar", {}, &in_order});
  methods.use(memory, Distance::node, 0, Methods::any_length);
  methods.use(crossbar, Distance::site, 0, Methods::any_length);
  EXPECT_TRUE(memory.may_overtake);
  EXPECT_FALSE(crossbar.may_overtake);
}

TEST(Methods, MayOvertakeWhereAPairHasSeveral) {
  StillNetwork quick(true), slow(true);
  Methods methods;
  const Method& short_ones = methods.add({"quick", {}, &quick});
  const Method& others = methods.add({"slow", {}, &slow});
  methods.use(short_ones, Distance::site, 0, Bytes(8));
  EXPECT_FALSE(short_ones.may_overtake);
  methods.use(others, Distance::site, 0, Methods::any_length);
  EXPECT_TRUE(short_ones.may_overtake);
  EXPECT_TRUE(others.may_overtake);
}

}  // namespace
}  // namespace hindcast::mpi
