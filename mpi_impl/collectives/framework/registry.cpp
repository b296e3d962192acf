#include "mpi_impl/collectives/framework/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace hindcast::mpi {

namespace {

bool is_before(const Algorithm& a, const Algorithm& b) {
  return std::tuple(a.operation, a.place) < std::tuple(b.operation, b.place);
}

void refuse_if_alike(const Algorithm& a, const Algorithm& b) {
  const bool have_same_name = std::string_view(a.name) == b.name;
  if (a.operation == b.operation && (have_same_name || a.place == b.place))
    throw std::logic_error(
        fmt::format("two algorithms of {}, '{}' and '{}', {}", name_of(a.operation), a.name, b.name,
                    have_same_name ? "have the same name" : fmt::format("have the same place, {}", a.place)));
}

const Algorithm* usual(const std::vector<Algorithm>& all, const Stage& stage) {
  if (stage.usual == nullptr) return nullptr;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Algorithm& algorithm) {
    return algorithm.operation == stage.operation && std::string_view(algorithm.name) == stage.usual;
  });
  if (found == all.end() || !found->serves_everywhere())
    throw std::logic_error(fmt::format("{}={} cannot be a stage", name_of(stage.operation), stage.usual));
  return &*found;
}

}  // namespace

std::vector<Algorithm> with_stages(std::vector<Algorithm> all) {
  for (Algorithm& algorithm : all) {
    algorithm.defaults.inner = usual(all, algorithm.inner);
    algorithm.defaults.outer = usual(all, algorithm.outer);
  }
  return all;
}

std::vector<Algorithm> in_order(std::vector<Algorithm> algorithms) {
  std::sort(algorithms.begin(), algorithms.end(), is_before);
  for (auto a = algorithms.begin(); a != algorithms.end(); ++a)
    for (auto b = std::next(a); b != algorithms.end() && b->operation == a->operation; ++b) refuse_if_alike(*a, *b);
  return algorithms;
}

std::span<const Algorithm> algorithms() {
  static const std::vector<Algorithm> all =
      with_stages(in_order(std::vector<Algorithm>(Rows<Algorithm>().begin(), Rows<Algorithm>().end())));
  return all;
}

std::span<const Algorithm> algorithms_of(CollectiveOperation operation) {
  const std::span<const Algorithm> all = algorithms();
  const auto first = std::partition_point(all.begin(), all.end(),
                                          [&](const Algorithm& algorithm) { return algorithm.operation < operation; });
  const auto last = std::partition_point(first, all.end(),
                                         [&](const Algorithm& algorithm) { return algorithm.operation == operation; });
  return {first, last};
}

const Algorithm* find_algorithm(CollectiveOperation operation, std::string_view name) {
  for (const Algorithm& algorithm : algorithms_of(operation))
    if (algorithm.name == name) return &algorithm;
  return nullptr;
}

}  // namespace hindcast::mpi
