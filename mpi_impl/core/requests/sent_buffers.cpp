#include "mpi_impl/core/requests/sent_buffers.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "mpi_impl/core/datatypes/datatype.hpp"
#include "mpi_impl/core/requests/request.hpp"

namespace hindcast::mpi {

namespace {

std::uint64_t digest_of(const SentPiece& piece) {
  const std::size_t bytes = piece.type->bytes_of(piece.count);
  const auto digest = [bytes](const void* data) {
    return std::hash<std::string_view>()({static_cast<const char*>(data), bytes});
  };
  if (bytes > 0 && piece.type->lies_together(piece.count)) return digest(piece.type->data_at(piece.data));
  const auto packed = std::make_unique_for_overwrite<char[]>(bytes);
  pack(*piece.type, piece.data, piece.count, packed.get());
  return digest(packed.get());
}

}  // namespace

SentData::SentData(std::string operation, std::vector<SentPiece> pieces, programs::ProgramPlace begun_at)
    : operation_(std::move(operation)), pieces_(std::move(pieces)), digest_(digest()), place_(begun_at) {}

std::uint64_t SentData::digest() const {
  std::uint64_t digest = 0;
  for (const SentPiece& piece : pieces_) digest = digest * 31 + digest_of(piece);
  return digest;
}

Error SentData::error(Comm& comm) const {
  return {MPI_ERR_BUFFER,
          fmt::format("the buffer of {}{} has been changed before it was complete, and what arrives differs from "
                      "machine to machine",
                      operation_, place_ ? fmt::format(", begun in {},", place_.text()) : ""),
          &comm};
}

void SentBuffers::keep(const Request& request, const RequestArguments& to, programs::ProgramPlace begun_at) {
  sent_.insert_or_assign(&request, SentData(fmt::format("the send to rank {} with tag {}", to.peer, to.tag),
                                            {{to.data, to.count, request.type}}, begun_at));
}

}  // namespace hindcast::mpi
