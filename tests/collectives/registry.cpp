#include "mpi_impl/collectives/framework/registry.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace hindcast::mpi {

namespace {

Task nothing(Collective&) { co_return; }

Algorithm barrier(const char* name, int place) {
  return {.operation = CollectiveOperation::barrier,
          .place = place,
          .name = name,
          .function = nothing,
          .means = means::messages,
          .cost = "T(0)"};
}

std::string complaint_about(const Algorithm& a, const Algorithm& b) {
  try {
    in_order({a, b});
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST(Registry, puts_rows_in_the_order_of_operations_and_places) {
  const Algorithm bcast = barrier("third", 1).of(CollectiveOperation::bcast, 1);
  std::string names;
  for (const Algorithm& algorithm : in_order({bcast, barrier("second", 20), barrier("first", 10)}))
    names += std::string(algorithm.name) + " ";
  EXPECT_EQ(names, "first second third ");
}

TEST(Registry, refuses_two_of_a_name_or_a_place_in_an_operation) {
  EXPECT_EQ(complaint_about(barrier("a", 1), barrier("a", 2)),
            "two algorithms of barrier, 'a' and 'a', have the same name");
  EXPECT_EQ(complaint_about(barrier("a", 1), barrier("b", 1)),
            "two algorithms of barrier, 'a' and 'b', have the same place, 1");
  EXPECT_EQ(complaint_about(barrier("a", 1), barrier("a", 1).of(CollectiveOperation::bcast, 1)), "");
}

TEST(Registry, knows_the_algorithms_that_stages_name) {
  Algorithm of_two_levels = barrier("two", 20);
  of_two_levels.inner = of_two_levels.outer = {CollectiveOperation::barrier, "one"};
  Algorithm one = barrier("one", 10);
  const std::vector<Algorithm> known = with_stages({one, of_two_levels});
  EXPECT_EQ(known[1].defaults.inner, &known[0]);
  EXPECT_EQ(known[1].defaults.outer, &known[0]);
  EXPECT_EQ(known[0].defaults.inner, nullptr);
  EXPECT_THROW(with_stages({of_two_levels}), std::logic_error);
  one.needs = need::even;
  EXPECT_THROW(with_stages({one, of_two_levels}), std::logic_error);
}

TEST(Registry, has_algorithms_of_every_operation_and_finds_them) {
  std::size_t in_all = 0;
  for (int i = 0; i < collective_operations; ++i) {
    const auto operation = static_cast<CollectiveOperation>(i);
    EXPECT_FALSE(algorithms_of(operation).empty()) << name_of(operation);
    for (const Algorithm& algorithm : algorithms_of(operation)) {
      EXPECT_EQ(algorithm.operation, operation);
      EXPECT_EQ(find_algorithm(operation, algorithm.name), &algorithm);
      ++in_all;
    }
    EXPECT_EQ(find_algorithm(operation, "no such name"), nullptr);
  }
  EXPECT_EQ(in_all, algorithms().size());
}

TEST(Needs, hold_if_all_do) {
  const Needs needs = need::even | need::commutative;
  Situation in{CollectiveOperation::reduce, 4};
  EXPECT_TRUE(needs.hold(in));
  in.is_commutative = false;
  EXPECT_FALSE(needs.hold(in));
  in.is_commutative = true;
  in.ranks = 5;
  EXPECT_FALSE(needs.hold(in));
  EXPECT_TRUE(Needs().hold(in));
}

TEST(Needs, of_levels_hold_for_groups_of_the_level_that_is_asked_for) {
  const auto hold = [](const std::vector<int>& nodes, const Needs& needs, bool is_commutative, Level level) {
    Places places;
    for (std::size_t rank = 0; rank < nodes.size(); ++rank) places.put(static_cast<int>(rank), {nodes[rank], 0});
    const Levels levels(Group(0, 1, static_cast<int>(nodes.size())), places);
    Situation in{CollectiveOperation::reduce, static_cast<int>(nodes.size())};
    in.is_commutative = is_commutative;
    in.levels = &levels;
    in.level = level;
    return needs.hold(in);
  };
  const Needs ordered = need::levels | need::levels_in_order;
  EXPECT_TRUE(hold({0, 0, 1}, need::levels, true, Level::nearest));
  EXPECT_FALSE(hold({0, 0, 1}, need::levels, true, Level::site));
  EXPECT_FALSE(hold({0, 1, 2}, need::levels, true, Level::nearest));
  EXPECT_TRUE(hold({0, 0, 1}, ordered, false, Level::node));
  EXPECT_FALSE(hold({0, 1, 0}, ordered, false, Level::node));
  EXPECT_TRUE(hold({0, 1, 0}, ordered, true, Level::node));
  EXPECT_FALSE(Needs(need::levels).hold({CollectiveOperation::reduce, 4}));
}

TEST(Needs, are_told_in_words) {
  EXPECT_EQ(Needs().text(), "nothing");
  EXPECT_EQ((need::power_of_two | need::broadcast).text(), "a power of two of ranks and the machine's broadcast");
}

TEST(Needs, that_are_the_machines_are_met_by_what_it_offers) {
  const Needs needs = need::power_of_two | need::broadcast;
  EXPECT_FALSE(needs.are_offered({}));
  EXPECT_TRUE(needs.are_offered({.broadcast = true}));
  EXPECT_TRUE(Needs(need::power_of_two).are_offered({}));
}

// A library's own, as it would stand in its folder.
constexpr Need ferry{
    "a ferry to the root",
    [](const Situation& in) { return in.offers.own.library == "river" && in.offers.own.number == in.root; }, true};

TEST(Needs, may_be_a_librarys_own) {
  Situation in{CollectiveOperation::gather, 4};
  in.root = 3;
  EXPECT_FALSE(Needs(ferry).hold(in));
  in.offers.own = {"river", 3};
  EXPECT_TRUE(Needs(ferry).hold(in));
  in.offers.own = {"sea", 3};
  EXPECT_FALSE(Needs(ferry).hold(in));
}

}  // namespace

}  // namespace hindcast::mpi
