#include "mpi_impl/collectives/costs/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "mpi_impl/collectives/framework/registry.hpp"

namespace hindcast::mpi {

namespace {

CostModel model() {
  CostModel costs;
  costs.message.eager = {100, 1};
  costs.message.asking = {300, 1};
  costs.message.eager_limit = 1000;
  costs.between_sends = {10, 0.5};
  costs.between_receives = {20, 0};
  costs.copy = {0, 2};
  costs.waiting_message = {3, 0};
  costs.combine = {0, 4};
  costs.broadcast = {50, 1, 2};
  costs.waiting_broadcast = {5, 0};
  costs.between_broadcasts = {7, 1, 2};
  costs.barrier = 1000;
  costs.element_reduction = 30;
  for (const OwnTerm& term : Rows<OwnTerm>()) costs.own[term.name] = {1, 1};
  costs.groups = 4;
  costs.largest_group = 2;
  return costs;
}

double value(const char* formula, int n = 8, double m = 100, const Parameters& chosen = {}) {
  return CostFormula(formula)(model(), n, m, chosen);
}

TEST(Formula, is_arithmetic_from_left_to_right) {
  EXPECT_EQ(value("2 + 3 * 4 - 1"), 13);
  EXPECT_EQ(value("(2 + 3) 4"), 20);
  EXPECT_EQ(value("2 n m/4"), 400);
  EXPECT_EQ(value("2^3 m"), 800);
  EXPECT_EQ(value("10 - 3 - 2"), 5);
}

TEST(Formula, has_the_machines_costs) {
  EXPECT_EQ(value("T(m)"), 200);
  EXPECT_EQ(value("T(20 m)"), 2300);
  EXPECT_EQ(value("S(m) + R(m) + C(m) + K(m) + W(m)"), 60 + 20 + 400 + 200 + 3);
  EXPECT_EQ(value("B(m)"), 350);
  EXPECT_EQ(value("B(m, 10)"), 170);
  EXPECT_EQ(value("Y(m) + Q(m, 0)"), 5 + 107);
  EXPECT_EQ(value("D + 2 E"), 1060);
}

TEST(Formula, has_logarithms_that_are_exact) {
  EXPECT_EQ(value("ceil(log2 n)", 8), 3);
  EXPECT_EQ(value("ceil(log2 n)", 9), 4);
  EXPECT_EQ(value("floor(log2 n)", 15), 3);
  for (int k = 2; k < 40; ++k)
    for (int n = k, power = 1; n < 1'000'000; n *= k, ++power)
      ASSERT_EQ(value("ceil(log_k n)", n, 0, {0, k}), power) << n << ", " << k;
}

TEST(Formula, has_sums_and_levels) {
  EXPECT_EQ(value("sum(i = 1..3: i n)"), 48);
  EXPECT_EQ(value("sum(i = 1..0: i)"), 0);
  EXPECT_EQ(value("levels(2: b)", 6), 1 + 2 + 2);
  EXPECT_EQ(value("levels(k: c)", 6, 0, {0, 4}), 3 + 1);
  EXPECT_EQ(value("levels(k: nonzero_digits(i))", 6, 0, {0, 2}), 3 + 2 + 2);
}

TEST(Formula, has_parts_with_a_condition) {
  EXPECT_EQ(value("1 + [2 if n > 4]"), 3);
  EXPECT_EQ(value("1 + [2 if n > 8]"), 1);
  EXPECT_EQ(value("[2 if n = 8 else 3] 10"), 20);
  EXPECT_EQ(value("[2 if n <= 7 else 3] 10"), 30);
}

TEST(Formula, has_names_for_parts_of_it) {
  EXPECT_EQ(value("L + sum(i = 1..L: a) where L = log2 n, a = i^2"), 3 + 1 + 4 + 9);
  EXPECT_EQ(value("q s", 8, 100, {30, 0}), 4 * 30);
  EXPECT_EQ(value("q s where q = 2, s = m/q", 8, 100, {30, 0}), 100);
}

TEST(Formula, has_ways_along_trees) {
  // The root has two children, the first of which has one.
  EXPECT_EQ(value("down_kary(2: 0)", 4), 200);
  EXPECT_EQ(value("up_kary(2: 0, 1)", 4), 101 + 100 + 1 + 20 + 3 + 1);
  EXPECT_EQ(value("up_kary_last_first(2: 0, 1)", 4), 101 + 100 + 1);
}

TEST(Formula, has_ways_along_trees_whose_parts_grow) {
  // With k = 2 the root of five ranks has three children: one alone, one with another rank below it, and the last.
  EXPECT_EQ(value("down_knomial(2: 0)", 5), 10 + 100 + 100);
  EXPECT_EQ(value("down_knomial(2: 0, 1000 (b - 1))", 5), 10 + 1000 + 100 + 100);
  EXPECT_EQ(value("down_knomial(3: b)", 5), 102 + 101);
  EXPECT_EQ(value("up_knomial(2: 0, 1)", 5), 202 + 20 + 3 + 1);
  EXPECT_EQ(value("up_knomial_at_once(2: 0)", 5), 200 - 20 + 3 * 20);
  EXPECT_EQ(value("up_knomial_by_levels(3: 0)", 4), 100 + 20 + 20 + 3);
  EXPECT_EQ(value("up_knomial(2: 0, 0, [50 if i > 1])", 4), 250);
  EXPECT_EQ(value("among(3: down_knomial(2: n)) + n", 5), 10 + 1.5 + 103 + 5);
  EXPECT_THROW(value("up_knomial(1: 0)"), FormulaError);
  EXPECT_THROW(value("down_kary(0: 0)"), FormulaError);
}

TEST(Formula, has_ways_in_rounds) {
  // Ranks 1 and 2 hear from the ones before them, then rank 2 hears what rank 0 has sent it meanwhile.
  EXPECT_EQ(value("doubling(n: 0, 4)", 3), 104 + 20 + 3 + 4);
  EXPECT_EQ(value("doubling(n: 0, 4, 500)", 3), 10 + 10 + 500);
  // What asks is sent when the receiver has it.
  EXPECT_EQ(value("doubling(n: 2000, 0, 100)", 2), 300 + 2000 - 20 + 100);
  EXPECT_EQ(value("swaps(2: 2^i, 0, 1, 1000)", 4), 2 * 101);
  // The first of the two places stands for two ranks, and is late: what the other has sent waits for it.
  EXPECT_EQ(value("swaps(1: 1, 0, 0, 1000)", 3), 1000 + 100);
  EXPECT_EQ(value("swaps(1: 1, 0, 0, 1000, 1)", 3), 1000 + 20 + 3);
  EXPECT_EQ(value("swaps(1: 1, 10 b, 0, 0)", 3), 120);
  EXPECT_THROW(value("swaps(1: 4, 0, 0, 0)", 4), FormulaError);
  EXPECT_THROW(value("swaps(1: 1, 0, 0)", 4), FormulaError);
  EXPECT_EQ(value("down_knomial_and_around(2: 0, 0)", 2), 100 + 100);
}

TEST(Formula, goes_around_rings_however_long_they_are) {
  for (const int n : {100, 1000, 3000}) {
    const double after = value("down_knomial(2: 0)", n);
    EXPECT_NEAR(value("down_knomial_and_around(2: 0, 0)", n), after + (n - 1) * 100, n);
  }
}

TEST(Formula, has_algorithms_inside_groups_and_between_them) {
  Parameters chosen;
  chosen.inner = find_algorithm(CollectiveOperation::bcast, "linear");
  chosen.outer = find_algorithm(CollectiveOperation::bcast, "binomial");
  EXPECT_EQ(value("g p"), 8);
  EXPECT_EQ(value("inner(m)", 8, 100, chosen), 200);
  EXPECT_EQ(value("outer(p m)", 8, 100, chosen), 2 * 300);
  EXPECT_EQ(value("n T(m) + within(n T(m) + g)"), 8 * 200 + 2 * 200 + 4);
  EXPECT_THROW(value("inner(m)"), FormulaError);
  EXPECT_THROW(value("levels(1: T(m))"), FormulaError);
}

TEST(Formula, has_other_costs_inside_groups_where_the_machine_has_them) {
  CostModel machine = model();
  auto memory = std::make_shared<CostModel>();
  memory->message.eager = {7, 0};
  memory->message.eager_limit = 1000;
  machine.inside = memory;
  Parameters chosen;
  chosen.inner = chosen.outer = find_algorithm(CollectiveOperation::bcast, "binomial");
  EXPECT_EQ(CostFormula("inner(m)")(machine, 8, 100, chosen), 7);
  EXPECT_EQ(CostFormula("within(T(m)) + T(m)")(machine, 8, 100, chosen), 7 + 200);
  EXPECT_EQ(CostFormula("outer(m)")(machine, 8, 100, chosen), 2 * 200);
}

TEST(Formula, that_makes_no_sense_is_refused) {
  for (const char* wrong :
       {"", "T(m", "T m", "T(m, m)", "m +", "X(m)", "m m)", "[m if n]", "[m n > 2]", "sum(j = 1..2: m)",
        "sum(i = 1: m)", "max(m)", "inner()", "within m", "m where L", "L where L = ", "m where = 2", "m ? n"})
    EXPECT_THROW(value(wrong), FormulaError) << wrong;
}

TEST(Formula, is_one_in_every_row) {
  for (const Algorithm& algorithm : algorithms())
    for (const int n : {2, 3, 8, 13, 128})
      for (const double m : {0.0, 8.0, 1e6}) {
        const double seconds = algorithm.cost(model(), n, m, algorithm.defaults);
        EXPECT_TRUE(std::isfinite(seconds) && seconds >= 0)
            << name_of(algorithm.operation) << "=" << algorithm.name << ": " << seconds;
      }
}

TEST(Formula, has_no_cost_that_the_machine_does_not_have) {
  for (const OwnTerm& term : Rows<OwnTerm>()) {
    const std::string formula = std::string(term.name) + "(m)";
    EXPECT_EQ(value(formula.c_str()), 101);
    EXPECT_THROW(CostFormula(formula.c_str())({}, 8, 100, {}), FormulaError);
    EXPECT_NE(legend_of_formulas().find(std::string(term.name) + "(m):"), std::string::npos);
  }
}

}  // namespace

}  // namespace hindcast::mpi
