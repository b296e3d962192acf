// What the names in formulas stand for.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "mpi_impl/collectives/costs/cost_model.hpp"
#include "mpi_impl/collectives/framework/parameters.hpp"

namespace hindcast::mpi::formulas {

// The variables; those that are bound inside a formula last.
constexpr std::string_view variables[] = {"n", "d", "m", "k", "segment", "q", "s", "g", "p", "i", "b", "c"};
enum Variable : std::size_t { n_, d_, m_, k_, segment_, q_, s_, g_, p_, i_, b_, c_, variable_count };
static_assert(std::size(variables) == variable_count);

// What a formula is worked out with.
struct Scope {
  const CostModel& machine;
  std::array<double, variable_count> values;
  const Parameters& chosen;
  const CostModel& inside() const { return machine.inside != nullptr ? *machine.inside : machine; }
};

using Term = std::function<double(Scope&)>;
using Terms = std::vector<Term>;

// What is called with numbers.
struct Function {
  std::string_view name;
  std::size_t least;  // arguments
  std::size_t most;
  double (*value)(const Scope& scope, const std::vector<double>& given);
};
std::span<const Function> functions();

// What is called with a number and terms, NAME(head: term, ...), which it works out for other variables than those of
// the formula around it.
struct HeadedCall {
  std::string_view name;
  std::size_t least;  // terms
  std::size_t most;
  double (*value)(const Scope& scope, double head, const Terms& terms);
};
std::span<const HeadedCall> headed_calls();

}  // namespace hindcast::mpi::formulas
