#include "mpi_impl/core/requests/sent_buffers.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <string_view>

#include "mpi_impl/core/datatypes/datatype.hpp"
#include "mpi_impl/core/requests/request.hpp"
#include "simulator/programs/process/backtrace.hpp"

namespace hindcast::mpi {

SentData::SentData(std::string operation, std::vector<SentPiece> pieces)
    : operation_(std::move(operation)),
      pieces_(std::move(pieces)),
      digest_(digest()),
      place_(programs::place_of_caller()) {}

std::uint64_t SentData::digest() const {
  std::uint64_t digest = 0;
  for (const auto& [data, count, type] : pieces_) {
    std::vector<char> packed(type->bytes_of(count));
    pack(*type, data, count, packed.data());
    digest = digest * 31 + std::hash<std::string_view>()({packed.data(), packed.size()});
  }
  return digest;
}

Error SentData::error(Comm& comm) const {
  return {MPI_ERR_BUFFER,
          fmt::format("the buffer of {}{} has been changed before it was complete, and what arrives differs from "
                      "machine to machine",
                      operation_, place_.empty() ? "" : fmt::format(", begun in {},", place_)),
          &comm};
}

void SentBuffers::keep(const Request& request, const RequestArguments& to) {
  sent_.insert_or_assign(&request, SentData(fmt::format("the send to rank {} with tag {}", to.peer, to.tag),
                                            {{to.data, to.count, request.type}}));
}

}  // namespace hindcast::mpi
