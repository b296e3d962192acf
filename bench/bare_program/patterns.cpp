#include "bench/bare_program/patterns.hpp"

#include <bit>

namespace bare {

namespace {

constexpr Place out(int block) { return {Place::Array::out, block}; }
constexpr Place in(int block) { return {Place::Array::in, block}; }

// The first one sends, and waits for what has gone round.
Pattern ring(int rank, int ranks) {
  const Round send{(rank + 1) % ranks, out(0), in(0), 0, 0, 0};
  const Round wait{Round::nobody, {}, {}, 0, 1, 0};
  if (rank == 0) return {{send, wait}};
  return {{wait, send}};
}

// All at once, and waited for at the end.
Pattern at_once(Pattern pattern) {
  const int count = static_cast<int>(pattern.rounds.size());
  for (int i = 0; i < count; ++i) {
    Round& round = pattern.rounds[static_cast<std::size_t>(i)];
    round.turn = i;
    round.receives = round.sends = i == count - 1 ? count : 0;
  }
  return pattern;
}

Pattern halo(int rank, int ranks) {
  int rows = 1;
  for (int i = 1; i * i <= ranks; ++i)
    if (ranks % i == 0) rows = i;
  const int columns = ranks / rows, row = rank / columns, column = rank % columns;
  const int peers[] = {row * columns + (column + 1) % columns, row * columns + (column + columns - 1) % columns,
                       (row + 1) % rows * columns + column, (row + rows - 1) % rows * columns + column};
  Pattern pattern{{}, 4, 4};
  for (int i = 0; i < 4; ++i) pattern.rounds.push_back({peers[i], out(i), in(i ^ 1), 0, 0, 0});
  return at_once(pattern);
}

Pattern alltoall(int rank, int ranks) {
  Pattern pattern{{}, ranks, ranks};
  for (int distance = 1; distance < ranks; ++distance) {
    const int to = (rank + distance) % ranks;
    pattern.rounds.push_back({to, out(to), in(rank), 0, 1, 1});
  }
  return pattern;
}

Pattern alltoall_at_once(int rank, int ranks) { return at_once(alltoall(rank, ranks)); }

// Recursive doubling, as a barrier or an allreduce does it. For a power of two.
Pattern doubling(int rank, int ranks) {
  Pattern pattern;
  for (int distance = 1; distance < ranks; distance *= 2)
    pattern.rounds.push_back({rank ^ distance, out(0), in(0), 0, 1, 1});
  return pattern;
}

// A broadcast along a binomial tree.
Pattern binomial(int rank, int ranks) {
  Pattern pattern;
  if (rank != 0) pattern.rounds.push_back({Round::nobody, {}, {}, 0, 1, 0});
  const int widest = rank == 0 ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(ranks))) : rank & -rank;
  int sends = 0;
  for (int distance = widest / 2; distance > 0; distance /= 2)
    if (rank + distance < ranks) pattern.rounds.push_back({rank + distance, in(0), in(0), sends++, 0, 0});
  if (sends > 0) pattern.rounds.back().sends = sends;
  return pattern;
}

// An allgather by recursive doubling, for a power of two: what has been gathered is twice as much in each round.
Pattern allgather(int rank, int ranks) {
  Pattern pattern{{}, 0, ranks};
  for (int distance = 1; distance < ranks; distance *= 2) {
    const int first = rank & -distance;
    pattern.rounds.push_back({rank ^ distance, in(first), in(first), 0, 1, 1, distance});
  }
  return pattern;
}

constexpr struct {
  const char* name;
  PatternFunction function;
} patterns[] = {
    {"pingpong", ring},
    {"ring", ring},
    {"halo", halo},
    {"alltoall", alltoall},
    {"alltoall-at-once", alltoall_at_once},
    {"doubling", doubling},
    {"binomial", binomial},
    {"allgather", allgather},
};

}  // namespace

PatternFunction find_pattern(const std::string& name) {
  for (const auto& pattern : patterns)
    if (name == pattern.name) return pattern.function;
  return nullptr;
}

std::string pattern_names() {
  std::string names;
  for (const auto& pattern : patterns) names.append(names.empty() ? "" : "|").append(pattern.name);
  return names;
}

}  // namespace bare
