#include "mpi_impl/core/requests/sent_elements.hpp"

#include <fmt/format.h>

#include <utility>

#include "mpi_impl/core/datatypes/signature_difference.hpp"
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/request.hpp"

namespace hindcast::mpi {

void SentElements::know_packed(const void* packed, const Datatype& type) {
  packed_.insert_or_assign(packed, map_of(type)->signature());
}

SignaturePointer SentElements::signature_of(const SendArguments& arguments) {
  if (&arguments.type == predefined_datatype(MPI_PACKED))
    if (const auto packed = packed_.extract(arguments.data)) return packed.mapped();
  return map_of(arguments.type)->signature();
}

void SentElements::keep(Process& process, const Comm& comm, const SendArguments& arguments,
                        programs::ProgramPlace place) {
  sent_.insert_or_assign(process.endpoint().upcoming_message(), Sent{{comm.context, comm.rank, arguments.tag},
                                                                     comm.world_rank(arguments.destination),
                                                                     arguments.type.bytes_of(arguments.count),
                                                                     signature_of(arguments),
                                                                     place,
                                                                     arguments.destination,
                                                                     comm.name()});
}

// What was kept by the message's number may be another's: of a thread that began to send when this one's had not left.
std::optional<Error> SentElements::difference(const Process& process, const ReceiveOperation& receive,
                                              const Datatype& type, const Comm& comm) {
  const auto entry = receive.cancelled ? sent_.end() : sent_.find(receive.message);
  if (entry == sent_.end()) return std::nullopt;
  const Sent sent = std::move(entry->second);
  sent_.erase(entry);
  const bool is_it = sent.envelope == receive.envelope && sent.destination == process.world_rank() &&
                     Bytes(sent.bytes) == receive.bytes;
  if (!is_it) return std::nullopt;
  const auto found = mpi::difference(*sent.signature, *map_of(type)->signature(), receive.received().count());
  if (!found) return std::nullopt;
  return Error{
      MPI_ERR_TYPE,
      fmt::format("the message from rank {}, tag {}, {}{} has, at byte {}, {} where the datatype of this receive has "
                  "{}; receive it with the datatype that it is sent with",
                  sent.envelope.source, sent.envelope.tag, comm.name(),
                  sent.place ? fmt::format(", sent in {},", sent.place.text()) : "", found->at, describe(found->first),
                  describe(found->second)),
      &comm};
}

bool SentElements::differ(const Process& process, const Request& request) {
  auto error = difference(process, request.operations.receive, *request.type, *request.comm);
  if (!error) return false;
  errors_.insert_or_assign(&request, *std::move(error));
  return true;
}

}  // namespace hindcast::mpi
