#include "mpi_impl/libraries/mpl/calls/collective.hpp"

#include <cstring>
#include <vector>

namespace hindcast::mpl {

namespace {

char* block(void* all, std::size_t bytes, int index) {
  return static_cast<char*>(all) + bytes * static_cast<std::size_t>(index);
}
const char* block(const void* all, std::size_t bytes, int index) {
  return static_cast<const char*>(all) + bytes * static_cast<std::size_t>(index);
}

void copy(const Members& members, void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  std::memmove(to, from, bytes);
  Thread::current()->spend(members.self().costs().copy_out, bytes);
}

// out = in1 op in2.
void combine(const Members& members, mpc_function function, const void* in1, const void* in2, void* out,
             std::size_t bytes) {
  if (bytes == 0) return;
  int count = static_cast<int>(bytes);
  function(in1, in2, out, &count);
  constexpr std::size_t element = sizeof(double);
  Thread::current()->spend(members.self().costs().combine, (bytes + element - 1) / element);
}

}  // namespace

// In each round a task hears of twice as many others as in the one before.
void synchronize(const Members& members) {
  const int size = members.size(), rank = members.rank();
  for (int distance = 1; distance < size; distance *= 2)
    members.exchange((rank + distance) % size, nullptr, (rank - distance + size) % size, nullptr, 0);
}

// A binomial tree; ranks are counted from the root.
void broadcast(const Members& members, void* data, std::size_t bytes, int root) {
  const int size = members.size(), rank = (members.rank() - root + size) % size;
  const auto rank_in_group = [&](int from_root) { return (from_root + root) % size; };
  int bit = 1;
  while (bit < size && (rank & bit) == 0) bit *= 2;
  if (rank != 0) members.receive(rank_in_group(rank - bit), data, bytes);
  for (bit /= 2; bit > 0; bit /= 2)
    if (rank + bit < size) members.send(rank_in_group(rank + bit), data, bytes);
}

void gather(const Members& members, const void* mine, void* all, std::size_t bytes, int root) {
  if (members.rank() != root) return members.send(root, mine, bytes);
  for (int rank = 0; rank < members.size(); ++rank)
    if (rank != root) members.receive(rank, block(all, bytes, rank), bytes);
  copy(members, block(all, bytes, root), mine, bytes);
}

void scatter(const Members& members, const void* all, void* mine, std::size_t bytes, int root) {
  if (members.rank() != root) return members.receive(root, mine, bytes);
  for (int rank = 0; rank < members.size(); ++rank)
    if (rank != root) members.send(rank, block(all, bytes, rank), bytes);
  copy(members, mine, block(all, bytes, root), bytes);
}

// Round the group: each passes on what it has heard last.
void concatenate(const Members& members, const void* mine, void* all, std::size_t bytes) {
  const int size = members.size(), rank = members.rank();
  copy(members, block(all, bytes, rank), mine, bytes);
  for (int step = 0; step + 1 < size; ++step) {
    const int last = (rank - step + size) % size, next = (rank - step - 1 + size) % size;
    members.exchange((rank + 1) % size, block(all, bytes, last), (rank - 1 + size) % size, block(all, bytes, next),
                     bytes);
  }
}

void exchange_all(const Members& members, const void* all, void* received, std::size_t bytes) {
  const int size = members.size(), rank = members.rank();
  copy(members, block(received, bytes, rank), block(all, bytes, rank), bytes);
  for (int distance = 1; distance < size; ++distance) {
    const int to = (rank + distance) % size, from = (rank - distance + size) % size;
    members.exchange(to, block(all, bytes, to), from, block(received, bytes, from), bytes);
  }
}

void shift(const Members& members, const void* mine, void* received, std::size_t bytes, int step, bool is_round) {
  const int size = members.size(), to = members.rank() + step, from = members.rank() - step;
  const auto is_in = [size](int rank) { return rank >= 0 && rank < size; };
  const auto round = [size](int rank) { return ((rank % size) + size) % size; };
  if (is_round) {
    if (round(to) == members.rank()) return copy(members, received, mine, bytes);
    return members.exchange(round(to), mine, round(from), received, bytes);
  }
  if (is_in(to) && is_in(from)) return members.exchange(to, mine, from, received, bytes);
  if (is_in(to)) members.send(to, mine, bytes);
  if (is_in(from)) members.receive(from, received, bytes);
}

// A binomial tree to rank 0, each of whose subtrees is of neighbours, so that the order is that of ranks.
void reduce(const Members& members, const void* mine, void* result, std::size_t bytes, mpc_function function,
            int root) {
  const int size = members.size(), rank = members.rank();
  std::vector<char> sum(bytes), other(bytes), next(bytes);
  copy(members, sum.data(), mine, bytes);
  int bit = 1;
  for (; bit < size && (rank & bit) == 0; bit *= 2) {
    if (rank + bit >= size) continue;
    members.receive(rank + bit, other.data(), bytes);
    combine(members, function, sum.data(), other.data(), next.data(), bytes);
    sum.swap(next);
  }
  if (rank != 0) members.send(rank - bit, sum.data(), bytes);
  if (root == 0 && rank == 0) copy(members, result, sum.data(), bytes);
  if (root != 0 && rank == 0) members.send(root, sum.data(), bytes);
  if (root != 0 && rank == root) members.receive(0, result, bytes);
}

// One after the other.
void combine_prefix(const Members& members, const void* mine, void* result, std::size_t bytes, mpc_function function) {
  const int rank = members.rank();
  if (rank == 0) {
    copy(members, result, mine, bytes);
  } else {
    std::vector<char> before(bytes);
    members.receive(rank - 1, before.data(), bytes);
    combine(members, function, before.data(), mine, result, bytes);
  }
  if (rank + 1 < members.size()) members.send(rank + 1, result, bytes);
}

}  // namespace hindcast::mpl
