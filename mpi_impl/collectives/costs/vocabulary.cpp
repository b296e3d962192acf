#include "mpi_impl/collectives/costs/vocabulary.hpp"

#include <algorithm>
#include <cmath>

#include "mpi_impl/collectives/costs/formula.hpp"
#include "mpi_impl/collectives/costs/ways/along_trees.hpp"
#include "mpi_impl/collectives/costs/ways/in_rounds.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi::formulas {

namespace {

// How many of the numbers below n have another digit than 0 at place i, in base k.
double nonzero_digits(const Scope& scope, double i) {
  const double n = scope.values[n_], place = std::pow(scope.values[k_], i), turn = place * scope.values[k_];
  const double turns = std::floor(n / turn);
  return n - turns * place - std::min(n - turns * turn, place);
}

double cost_of_stage(const Algorithm* stage, const CostModel& machine, double ranks, double bytes) {
  if (stage == nullptr) throw FormulaError("the algorithm has no such stage");
  return stage->cost(machine, static_cast<int>(ranks), bytes, stage->defaults);
}

double copied_of(const std::vector<double>& given) { return given.size() > 1 ? given[1] : given[0]; }

using Given = const std::vector<double>&;
using In = const Scope&;
constexpr Function all_functions[] = {
    {"T", 1, 1, [](In in, Given x) { return in.machine.message(x[0]); }},
    {"S", 1, 1, [](In in, Given x) { return in.machine.between_sends(x[0]); }},
    {"R", 1, 1, [](In in, Given x) { return in.machine.between_receives(x[0]); }},
    {"C", 1, 1, [](In in, Given x) { return in.machine.combine(x[0]); }},
    {"K", 1, 1, [](In in, Given x) { return in.machine.copy(x[0]); }},
    {"W", 1, 1, [](In in, Given x) { return in.machine.waiting_message(x[0]); }},
    {"B", 1, 2, [](In in, Given x) { return in.machine.broadcast(x[0], copied_of(x)); }},
    {"Y", 1, 1, [](In in, Given x) { return in.machine.waiting_broadcast(x[0]); }},
    {"Q", 1, 2, [](In in, Given x) { return in.machine.between_broadcasts(x[0], copied_of(x)); }},
    {"D", 0, 0, [](In in, Given) { return in.machine.barrier; }},
    {"E", 0, 0, [](In in, Given) { return in.machine.element_reduction; }},
    {"ceil", 1, 1, [](In, Given x) { return std::ceil(x[0]); }},
    {"floor", 1, 1, [](In, Given x) { return std::floor(x[0]); }},
    {"min", 2, 2, [](In, Given x) { return std::min(x[0], x[1]); }},
    {"max", 2, 2, [](In, Given x) { return std::max(x[0], x[1]); }},
    {"inner", 1, 1, [](In in, Given x) { return cost_of_stage(in.chosen.inner, in.inside(), in.values[p_], x[0]); }},
    {"outer", 1, 1, [](In in, Given x) { return cost_of_stage(in.chosen.outer, in.machine, in.values[g_], x[0]); }},
    {"nonzero_digits", 1, 1, [](In in, Given x) { return nonzero_digits(in, x[0]); }},
};

// `each` for each level of a k-nomial tree, in all.
double sum_over_levels(Scope scope, double k, const Term& each) {
  if (k < 2) throw FormulaError("levels of a tree in which no rank has children");  // which would never end
  const double n = scope.values[n_];
  double sum = 0;
  for (double level = 0, below = 1; below < n; ++level, below *= k) {
    scope.values[i_] = level;
    scope.values[b_] = std::min(below, n - below);
    scope.values[c_] = std::min(k - 1, std::floor((n - 1) / below));
    sum += each(scope);
  }
  return sum;
}

double among(Scope scope, double ranks, const Term& f) {
  scope.values[n_] = ranks;
  return f(scope);
}

// A term where a message goes, whose ranks and steps are b and i there; nothing if there are not so many terms.
OnTheWay on_the_way(const Scope& scope, const Terms& terms, std::size_t which) {
  if (which >= terms.size()) return nullptr;
  return [there = scope, &term = terms[which]](const WhereOnTheWay& where) mutable {
    there.values[b_] = where.ranks;
    there.values[i_] = where.steps;
    return term(there);
  };
}

int ranks_of(const Scope& scope) { return static_cast<int>(scope.values[n_]); }

Tree tree_of(const Scope& scope, double k, int least) {
  if (k < least) throw FormulaError("a way along a tree in which no rank has children");
  return {ranks_of(scope), static_cast<int>(k)};
}

WayUp way_up(const Scope& scope, const Terms& terms) {
  return {on_the_way(scope, terms, 0), on_the_way(scope, terms, 1), on_the_way(scope, terms, 2)};
}

double up_kary(const Scope& scope, double k, const Terms& terms, HeardFirst heard_first) {
  return way_up_kary(scope.machine, tree_of(scope, k, 1), way_up(scope, terms), heard_first);
}

double up_knomial(const Scope& scope, double k, const Terms& terms, WaitsFor waits_for) {
  return way_up_knomial(scope.machine, tree_of(scope, k, 2), way_up(scope, terms), waits_for);
}

std::vector<double> down_knomial(const Scope& scope, double k, OnTheWay bytes, OnTheWay before) {
  return way_down_knomial(scope.machine, tree_of(scope, k, 2), {std::move(bytes), std::move(before)});
}

double value_of(Scope scope, const Term& term) { return term(scope); }

double doubling(const Scope& scope, double ranks, const Terms& terms) {
  return way_of_doubling(
      scope.machine, static_cast<int>(ranks),
      {on_the_way(scope, terms, 0), on_the_way(scope, terms, 1), terms.size() > 2 ? value_of(scope, terms[2]) : 0});
}

double swaps(const Scope& scope, double rounds, const Terms& terms) {
  return way_of_swaps(scope.machine, ranks_of(scope), static_cast<int>(rounds),
                      {on_the_way(scope, terms, 0), on_the_way(scope, terms, 1), on_the_way(scope, terms, 2),
                       value_of(scope, terms[3]), on_the_way(scope, terms, 4)});
}

using On = const Terms&;
constexpr HeadedCall all_headed_calls[] = {
    {"levels", 1, 1, [](In in, double k, On terms) { return sum_over_levels(in, k, terms[0]); }},
    {"among", 1, 1, [](In in, double ranks, On terms) { return among(in, ranks, terms[0]); }},
    {"up_kary", 1, 2, [](In in, double k, On terms) { return up_kary(in, k, terms, HeardFirst::first_child); }},
    {"up_kary_last_first", 1, 2,
     [](In in, double k, On terms) { return up_kary(in, k, terms, HeardFirst::last_child); }},
    {"up_knomial", 1, 3, [](In in, double k, On terms) { return up_knomial(in, k, terms, WaitsFor::each); }},
    {"up_knomial_by_levels", 1, 3,
     [](In in, double k, On terms) { return up_knomial(in, k, terms, WaitsFor::a_level); }},
    {"up_knomial_at_once", 1, 3, [](In in, double k, On terms) { return up_knomial(in, k, terms, WaitsFor::all); }},
    {"down_kary", 1, 1,
     [](In in, double k, On terms) {
       return latest(way_down_kary(in.machine, tree_of(in, k, 1), {on_the_way(in, terms, 0), nullptr}));
     }},
    {"down_knomial", 1, 2,
     [](In in, double k, On terms) {
       return latest(down_knomial(in, k, on_the_way(in, terms, 0), on_the_way(in, terms, 1)));
     }},
    {"down_knomial_and_around", 2, 2,
     [](In in, double k, On terms) {
       const std::vector<double> begun = down_knomial(in, k, on_the_way(in, terms, 0), nullptr);
       return way_around_ring(in.machine, begun, ranks_of(in) - 1, on_the_way(in, terms, 1));
     }},
    {"doubling", 2, 3, doubling},
    {"swaps", 4, 5, swaps},
};

}  // namespace

std::span<const Function> functions() { return all_functions; }

std::span<const HeadedCall> headed_calls() { return all_headed_calls; }

}  // namespace hindcast::mpi::formulas
