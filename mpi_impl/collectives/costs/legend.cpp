#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "mpi_impl/collectives/costs/formula.hpp"
#include "simulator/engine/rows.hpp"

namespace hindcast::mpi {

namespace {

constexpr std::size_t line_length = 118;

std::string in_lines(std::string text) {
  for (std::size_t begin = 0; begin + line_length < text.size();) {
    const std::size_t end = text.rfind(' ', begin + line_length);
    text[end] = '\n';
    begin = end + 1;
  }
  return text;
}

std::string own_terms() {
  std::vector<OwnTerm> terms(Rows<OwnTerm>().begin(), Rows<OwnTerm>().end());
  std::sort(terms.begin(), terms.end(),
            [](const OwnTerm& a, const OwnTerm& b) { return std::string_view(a.name) < b.name; });
  std::string text;
  for (const OwnTerm& term : terms) text += fmt::format(", {}(m): {}", term.name, term.text);
  return text;
}

}  // namespace

std::string legend_of_formulas() {
  return in_lines(
      "n ranks, d neighbours (worked out: 4), m bytes of a block, k the radix, q segments of s bytes. T(m): a message, "
      "S(m) and R(m): between two sends or receives of a rank, C(m): combining, K(m): copying, W(m): more for one "
      "that waits for its receive. Of the machine's own, B(m): a broadcast, Y(m): more if its receiver does not wait "
      "for it alone, Q(m): between two of them (B(m, j), Q(m, j): of which j bytes are copied), D: a barrier, E: a "
      "reduction of an element" +
      own_terms() +
      ". levels(k: x): the sum over the levels i of a k-nomial tree, where a rank has c children with b blocks each. "
      "Ways, worked out for the ranks that there are: up_knomial(k: m, x), up_kary(k: m, x): up a tree, with x of work "
      "for each message of m bytes (by_levels, at_once: a rank waits for all of a level, or for all; a third term: "
      "until it is ready), down_knomial(k: m, x): down a tree, with x before each message (and_around: then around a "
      "ring), of messages with the data of b ranks, i steps from the root; doubling(n: m, x), swaps(L: y, m, x, late): "
      "in rounds i, with ranks 1, 2, 4, ... further on, or L rounds with places y apart, of which those that stand for "
      "two ranks begin late. among(b: x): x for b ranks. g groups (nodes or sites) of at most p ranks; inner(m), "
      "outer(m): the algorithm inside a group, between the leaders of groups; within(x): x inside a group, of which n "
      "is p.");
}

}  // namespace hindcast::mpi
