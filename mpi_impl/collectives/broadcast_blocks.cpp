#include "mpi_impl/collectives/broadcast_blocks.hpp"

#include <fmt/format.h>

#include "mpi_impl/collectives/pieces.hpp"

namespace hindcast::mpi {

namespace {

struct Place {
  std::uint64_t begin;
  std::uint64_t bytes;
};

}  // namespace

Task broadcast_blocks(Collective& collective, Blocks blocks) {
  const int n = collective.size();
  Assembled all(collective, blocks);
  if (blocks.counts != nullptr) {
    Scratch places(collective.pool(), sizeof(Place) * static_cast<std::size_t>(n));
    for (int rank = 0; rank < n; ++rank)
      reinterpret_cast<Place*>(places.bytes())[rank] = {all.bytes_before(rank), all.bytes_of(rank, 1)};
    co_await collective.broadcast(places.block());
  }
  all.fill();
  co_await collective.broadcast(all.range(0, n));
}

Task receive_own_block(Collective& collective, Block mine, int from, bool have_one_length) {
  const auto number = static_cast<std::size_t>(collective.rank());
  Place place{number * mine.bytes(), mine.bytes()};
  if (!have_one_length) co_await collective.receive_part(bytes_at(&place, sizeof place), from, number * sizeof place);
  co_await collective.receive_part(mine, from, place.begin);
  if (place.bytes > mine.bytes())
    throw Error{MPI_ERR_TRUNCATE, fmt::format("rank {} has sent {} bytes, and the receive buffer has room for {}", from,
                                              place.bytes, mine.bytes())};
}

}  // namespace hindcast::mpi
