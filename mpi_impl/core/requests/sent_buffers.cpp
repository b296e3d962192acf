#include "mpi_impl/core/requests/sent_buffers.hpp"

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "mpi_impl/core/datatypes/datatype.hpp"
#include "mpi_impl/core/requests/request.hpp"
#include "simulator/programs/process/backtrace.hpp"

namespace hindcast::mpi {

namespace {

std::uint64_t digest_of(const Datatype& type, const void* data, int count) {
  std::vector<char> packed(type.bytes_of(count));
  pack(type, data, count, packed.data());
  return std::hash<std::string_view>()({packed.data(), packed.size()});
}

}  // namespace

// A request that the program has freed is forgotten when another takes its place.
void SentBuffers::keep(const Request& request, const RequestArguments& arguments) {
  const std::uint64_t digest = digest_of(*request.type, arguments.data, arguments.count);
  sent_.insert_or_assign(&request, Sent{arguments.data, arguments.count, digest, programs::place_of_caller()});
}

bool SentBuffers::has_changed(const Request& request) const {
  const Sent& sent = sent_.at(&request);
  return digest_of(*request.type, sent.data, sent.count) != sent.digest;
}

}  // namespace hindcast::mpi
