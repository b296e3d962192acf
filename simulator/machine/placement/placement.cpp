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

#include "simulator/machine/placement/map_file.hpp"

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
      "--map {}: not a placement; slot, node, block, block:RANKS_PER_NODE, cyclic:NODES, reverse, random:SEED, a node "
      "for each rank as in 0,3,1,2, or a file with one on each line",
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

std::string counted(int nodes) { return fmt::format("{} node{}", nodes, nodes == 1 ? "" : "s"); }

// The fewest on each node that are enough.
std::string advice(int ranks, int nodes) {
  return fmt::format("--map block:{0} puts {0} on each node", ranks / nodes + (ranks % nodes > 0 ? 1 : 0));
}

[[noreturn]] void refuse_beyond_slots(int ranks, const Slots& slots) {
  throw TooFewNodes(fmt::format("{} ranks, but the machine has {} slots: a processor each, on {}", ranks, slots.count(),
                                counted(slots.nodes())),
                    advice(ranks, slots.nodes()), slots.nodes());
}

// A node's slots one after the other, then the next node's.
std::vector<int> fill_slots(int ranks, const Slots& slots) {
  std::vector<int> placed;
  int node = 0;
  for (const SlotsOfSite& site : slots.sites())
    for (int i = 0; i < site.nodes; ++i, ++node)
      for (int slot = 0; slot < site.processors; ++slot) {
        if (placed.size() == static_cast<std::size_t>(ranks)) return placed;
        placed.push_back(node);
      }
  if (placed.size() < static_cast<std::size_t>(ranks)) refuse_beyond_slots(ranks, slots);
  return placed;
}

// The first slot of each node, then the second of each that has one.
std::vector<int> go_round_nodes(int ranks, const Slots& slots) {
  if (slots.count() < ranks) refuse_beyond_slots(ranks, slots);
  std::vector<int> placed;
  for (int round = 0;; ++round) {
    int first = 0;
    for (const SlotsOfSite& site : slots.sites()) {
      for (int i = 0; i < site.nodes && round < site.processors; ++i) {
        if (placed.size() == static_cast<std::size_t>(ranks)) return placed;
        placed.push_back(first + i);
      }
      first += site.nodes;
    }
    if (placed.size() == static_cast<std::size_t>(ranks)) return placed;
  }
}

std::vector<int> place(const std::string& map, int ranks, const Slots& slots) {
  if (map == "slot") return fill_slots(ranks, slots);
  if (map == "node") return go_round_nodes(ranks, slots);
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
  if (is_map_file(map)) return place_by_file(map, ranks, slots);
  return listed(map, ranks);
}

}  // namespace

std::string usual_map(const Slots& slots) { return slots.are_several_a_node() ? "slot" : "block"; }

std::vector<int> place_ranks(const std::string& map, int ranks, const Slots& slots) {
  std::vector<int> placed = place(map, ranks, slots);
  const int nodes = slots.nodes();
  const int last = *std::max_element(placed.begin(), placed.end());
  if (last < nodes) return placed;
  if (map == "block" || map == "reverse" || map.starts_with("random:"))
    throw TooFewNodes(fmt::format("{} ranks, but the machine has at most {}", ranks, counted(nodes)),
                      advice(ranks, nodes), nodes);
  const std::string fact =
      fmt::format("--map {}: {} ranks, but the machine has at most {}", map, ranks, counted(nodes));
  if (map.starts_with("block:")) throw TooFewNodes(fact, advice(ranks, nodes), nodes, number_after_colon(map, 1) > 1);
  if (map.starts_with("cyclic:"))
    throw TooFewNodes(fact, fmt::format("--map cyclic:{} deals them out to all", nodes), nodes);
  throw std::invalid_argument(
      fmt::format("--map {}: node {}, but the machine has at most {}, counted from 0", map, last, counted(nodes)));
}

std::vector<int> place_ranks_beside_front_end(const std::string& map, int ranks, const Slots& slots,
                                              const std::string& front_end) {
  const int others = ranks - 1;
  if (others == 0)
    throw std::invalid_argument(fmt::format("-n 1: the {} alone is no run; with it, -n 2 or more", front_end));
  const int nodes = slots.nodes();
  if (map == "block" && others > nodes)
    throw TooFewNodes(fmt::format("-n {}: the {} and {} others, but the machine has at most {} beside it", ranks,
                                  front_end, others, counted(nodes)),
                      advice(others, nodes), nodes + 1);
  return place_ranks(map, others, slots);
}

void refuse_shared_nodes(const std::vector<int>& node_of_rank, const std::string& why, const std::string& advice) {
  std::unordered_map<int, std::size_t> rank_of_node;
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    const auto [before, is_new] = rank_of_node.emplace(node_of_rank[rank], rank);
    if (!is_new)
      throw std::invalid_argument(fmt::format("--map: ranks {} and {} are both on node {}, but {}; {}", before->second,
                                              rank, before->first, why, advice));
  }
}

}  // namespace hindcast
