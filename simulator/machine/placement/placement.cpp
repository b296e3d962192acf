#include "simulator/machine/placement/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

namespace hindcast {

namespace {

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

[[noreturn]] void refuse(const std::string& map) {
  throw std::invalid_argument(fmt::format(
      "--map {}: not a placement; block, block:RANKS_PER_NODE, cyclic:NODES, reverse, random:SEED, or a node "
      "for each rank as in 0,3,1,2",
      map));
}

template <class Number>
Number number_after_colon(const std::string& map, Number least) {
  const std::optional<Number> number = parse<Number>(std::string_view(map).substr(map.find(':') + 1));
  if (!number || *number < least) refuse(map);
  return *number;
}

template <class NodeOfRank>
std::vector<int> each(int ranks, NodeOfRank node_of_rank) {
  std::vector<int> placed;
  for (int rank = 0; rank < ranks; ++rank) placed.push_back(node_of_rank(rank));
  return placed;
}

// Not std::shuffle, whose result differs from one standard library to another.
std::vector<int> shuffled(int count, std::uint64_t seed) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  std::mt19937_64 random(seed);
  for (std::size_t left = numbers.size(); left > 1; --left) std::swap(numbers[left - 1], numbers[random() % left]);
  return numbers;
}

std::vector<int> listed(const std::string& map, int ranks) {
  std::vector<int> placed;
  for (std::size_t begin = 0; begin <= map.size();) {
    const std::size_t end = std::min(map.find(',', begin), map.size());
    const std::optional<int> node = parse<int>(std::string_view(map).substr(begin, end - begin));
    if (!node || *node < 0) refuse(map);
    placed.push_back(*node);
    begin = end + 1;
  }
  if (placed.size() != static_cast<std::size_t>(ranks))
    throw std::invalid_argument(
        fmt::format("--map {}: {} nodes for {} ranks; give one for each", map, placed.size(), ranks));
  return placed;
}

std::vector<int> place(const std::string& map, int ranks) {
  if (map == "block") return each(ranks, [](int rank) { return rank; });
  if (map == "reverse") return each(ranks, [=](int rank) { return ranks - 1 - rank; });
  if (map.starts_with("block:")) {
    const int on_each = number_after_colon(map, 1);
    return each(ranks, [=](int rank) { return rank / on_each; });
  }
  if (map.starts_with("cyclic:")) {
    const int round = number_after_colon(map, 1);
    return each(ranks, [=](int rank) { return rank % round; });
  }
  if (map.starts_with("random:")) return shuffled(ranks, number_after_colon<std::uint64_t>(map, 0));
  return listed(map, ranks);
}

}  // namespace

std::vector<int> place_ranks(const std::string& map, int ranks, int nodes) {
  std::vector<int> placed = place(map, ranks);
  const int last = *std::max_element(placed.begin(), placed.end());
  if (last >= nodes)
    throw std::invalid_argument(
        map == "block" || map == "reverse" || map.starts_with("random:")
            ? fmt::format("{} ranks, but the machine has at most {} nodes; --map block:2 puts two on each", ranks,
                          nodes)
            : fmt::format("--map {}: node {}, but the machine has at most {} nodes, counted from 0", map, last, nodes));
  return placed;
}

std::vector<int> place_ranks_beside_front_end(const std::string& map, int ranks, int nodes,
                                              const std::string& front_end) {
  const int others = ranks - 1;
  if (others == 0)
    throw std::invalid_argument(fmt::format("-n 1: the {} alone is no run; with it, -n 2 or more", front_end));
  if (map == "block" && others > nodes)
    throw std::invalid_argument(
        fmt::format("-n {}: the {} and {} others, but the machine has at most {} nodes beside it", ranks, front_end,
                    others, nodes));
  return place_ranks(map, others, nodes);
}

void refuse_shared_nodes(const std::vector<int>& node_of_rank, const std::string& why) {
  std::unordered_map<int, std::size_t> rank_of_node;
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    const auto [before, is_new] = rank_of_node.emplace(node_of_rank[rank], rank);
    if (!is_new)
      throw std::invalid_argument(
          fmt::format("--map: ranks {} and {} are both on node {}, but {}", before->second, rank, before->first, why));
  }
}

}  // namespace hindcast
