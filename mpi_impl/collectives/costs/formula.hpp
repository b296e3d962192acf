// The cost of an algorithm, written once: the text that users see is what is worked out.
//
//   formula:     sum [where name = sum, ...]          what stands under a name is worked out where it is used
//   sum:         product + product - ...
//   product:     factor factor * factor / factor ...  from left to right: "b m/n" is (b m)/n
//   factor:      a number; a variable; a call; (sum); factor^factor;
//                [sum if sum < sum] (or <=, >, >=, =), 0 if that does not hold, or [sum if ... else sum]
//   variables:   n ranks, d neighbours (of a rank in a periodic grid of two dimensions), m bytes of a block, k the
//                radix, `segment` its bytes, in which a block is q segments of at most s bytes; g groups of at most p
//                ranks
//   calls:       T(m), ... the costs of the machine (cost_model.hpp); D and E are such without bytes
//                ceil(x), floor(x), min(x, y), max(x, y), log2 x, log_k x
//                sum(i = x..y: f), the sum of f for these i, which may be none
//                levels(k: f), the sum of f over the levels of a k-nomial tree from its leaves on, level i being that
//                at which a rank has c children with b blocks each
//                among(x: f), f for x ranks: n is x
//                inner(m), outer(m): the chosen algorithm inside a group, or between the leaders of groups
//                within(f), f inside a group: n is p, and the machine's costs are those inside a group
//   ways:        worked out step by step for the ranks that there are (ways/along_trees.hpp, ways/in_rounds.hpp). In f,
//                g and h, which are 0 if left out, b ranks have their data in a message, i steps from a tree's root, or
//                in round i.
//                up_knomial(k: f, g, h), messages of f bytes up a k-nomial tree, with g of work on each where it is
//                received, and h until a rank is ready for them; up_knomial_by_levels, up_knomial_at_once: it
//                waits for all of a level, or for all
//                down_knomial(k: f, g), messages of f bytes down the tree, with g before each is sent
//                down_knomial_and_around(k: f, g), and then around a ring, with g bytes
//                up_kary(k: f, g), up_kary_last_first(k: f, g), down_kary(k: f): of a k-ary tree
//                doubling(n: f, g, y), messages of f bytes to ranks 1, 2, 4, ... further on, with g of work on each,
//                and y of the first rank's at the end
//                swaps(x: f, g, h, y), x rounds with places f apart, messages of g bytes and h of work on each; places
//                that stand for two ranks begin y later
//                swaps(x: f, g, h, y, z): of two only one sends in rounds with a z that is not 0
#pragma once

#include <stdexcept>
#include <string>

#include "mpi_impl/collectives/costs/cost_model.hpp"
#include "mpi_impl/collectives/framework/parameters.hpp"

namespace hindcast::mpi {

// What makes no sense in a formula, and where.
class FormulaError : public std::logic_error {
  using std::logic_error::logic_error;
};

struct CostFormula {
  const char* text;

  constexpr CostFormula(const char* formula) : text(formula) {}
  // Seconds for n ranks with blocks of m bytes. Throws a FormulaError.
  double operator()(const CostModel& machine, int n, double m, const Parameters& chosen) const;
};

// What users are told of the names in formulas, in lines.
std::string legend_of_formulas();

}  // namespace hindcast::mpi
