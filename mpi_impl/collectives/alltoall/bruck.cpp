// All-to-all by Bruck and others (1997), for short blocks: the block for the rank i further on travels by the digits of
// i in base k, each round moving all blocks that have the same digit in one place together.
// Needs: blocks of one length.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

namespace {

// All blocks, by how far they have to go, and those of one message put together.
class Travelling {
 public:
  Travelling(Collective& collective, std::size_t block_bytes)
      : collective_(collective),
        bytes_(block_bytes),
        blocks_(collective.pool(), block_bytes * static_cast<std::size_t>(collective.size())) {}
  Block block(int distance) const {
    return bytes_at(blocks_.bytes() + bytes_ * static_cast<std::size_t>(distance), bytes_);
  }

  int with_digit(int place, int radix, int digit) const {
    int blocks = 0;
    for_each(place, radix, digit, [&](int) { ++blocks; });
    return blocks;
  }
  void put_together(int place, int radix, int digit, std::byte* message) {
    for_each(place, radix, digit, [&](int distance) {
      collective_.copy(block(distance), bytes_at(message, bytes_));
      message += bytes_;
    });
  }
  void take_apart(int place, int radix, int digit, std::byte* message) {
    for_each(place, radix, digit, [&](int distance) {
      collective_.copy(bytes_at(message, bytes_), block(distance));
      message += bytes_;
    });
  }

 private:
  template <typename Function>
  void for_each(int place, int radix, int digit, Function function) const {
    for (int distance = digit * place; distance < collective_.size(); ++distance)
      if (distance / place % radix == digit) function(distance);
  }

  Collective& collective_;
  std::size_t bytes_;
  Scratch blocks_;
};

// The messages of one place: one for each digit but 0.
Task move(Collective& collective, Travelling& blocks, std::size_t block_bytes, int place, int radix) {
  const int n = collective.size();
  int count = 0;
  for (int digit = 1; digit < radix && digit * place < n; ++digit) count += blocks.with_digit(place, radix, digit);
  const Scratch in(collective.pool(), block_bytes * static_cast<std::size_t>(count));
  const Scratch out(collective.pool(), block_bytes * static_cast<std::size_t>(count));
  std::byte* from = in.bytes();
  for (int digit = 1; digit < radix && digit * place < n; ++digit) {
    const std::size_t bytes = block_bytes * static_cast<std::size_t>(blocks.with_digit(place, radix, digit));
    collective.post_receive(bytes_at(from, bytes), collective.neighbour(-digit * place));
    from += bytes;
  }
  std::byte* to = out.bytes();
  for (int digit = 1; digit < radix && digit * place < n; ++digit) {
    const std::size_t bytes = block_bytes * static_cast<std::size_t>(blocks.with_digit(place, radix, digit));
    blocks.put_together(place, radix, digit, to);
    collective.post_send(bytes_at(to, bytes), collective.neighbour(digit * place));
    to += bytes;
  }
  co_await collective.all();
  from = in.bytes();
  for (int digit = 1; digit < radix && digit * place < n; ++digit) {
    blocks.take_apart(place, radix, digit, from);
    from += block_bytes * static_cast<std::size_t>(blocks.with_digit(place, radix, digit));
  }
}

Task alltoall_bruck(Collective& collective, Blocks out, Blocks in) {
  const int n = collective.size(), radix = collective.parameters().radix;
  const std::size_t bytes = in.of(0).bytes();
  Travelling blocks(collective, bytes);
  for (int distance = 0; distance < n; ++distance)
    collective.copy(out.of(collective.neighbour(distance)), blocks.block(distance));
  for (int place = 1; place < n; place *= radix) co_await move(collective, blocks, bytes, place, radix);
  for (int distance = 0; distance < n; ++distance)
    collective.copy(blocks.block(distance), in.of(collective.neighbour(-distance)));
}

const Row<Algorithm> alltoall_bruck_row{
    {.operation = CollectiveOperation::alltoall,
     .place = 50,
     .name = "bruck",
     .function = alltoall_bruck,
     .means = means::messages,
     .defaults = {0, 2},
     .radix_is_open = true,
     .cost = "2 n K(m) + levels(k: T(a/c m) + (c-1) (S(a/c m) + R(a/c m)) + 2 a K(m)) where a = nonzero_digits(i)"}};

}  // namespace

}  // namespace hindcast::mpi
