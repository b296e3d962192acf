#include "mpi_impl/collectives/collective.hpp"

#include <fmt/format.h>

#include <cstring>

namespace hindcast::mpi {

void Collective::copy(const Block& from, const Block& to) {
  const std::size_t bytes = from.bytes();
  if (bytes > to.bytes())
    throw Error{MPI_ERR_TRUNCATE,
                fmt::format("the {} bytes that the rank sends to itself do not fit in the receive buffer of {} bytes",
                            bytes, to.bytes()),
                &comm_};
  if (bytes == 0 || from.data == to.data) return;
  if (from.type->lies_together(from.count)) {
    unpack(*to.type, from.type->data_at(from.data), bytes, to.data);
  } else {
    std::vector<std::byte> packed(bytes);
    pack(*from.type, from.data, from.count, packed.data());
    unpack(*to.type, packed.data(), bytes, to.data);
  }
  process_.device().copy(Bytes(bytes), 0);
}

void Collective::combine(const void* in, const Block& inout, const Op& op) {
  op.apply(in, inout.data, inout.count, *inout.type);
  process_.device().combine(static_cast<std::uint64_t>(inout.count));
}

}  // namespace hindcast::mpi
