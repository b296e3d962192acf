// How the ranks of a communicator come to know what is decided for all of them, by messages like everybody's: what
// making a communicator needs. Those that say nothing of intercommunicators want a communicator of one group.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mpi_impl/core/communicator.hpp"

namespace hindcast::mpi {

// From one rank to all.
void broadcast_from(Process& process, Comm& comm, int root, std::span<std::byte> data);
inline void broadcast_from_first(Process& process, Comm& comm, std::span<std::byte> data) {
  broadcast_from(process, comm, 0, data);
}
// From the first rank of a group to the others, whose members all are members of the communicator too, apart from its
// other messages by a tag of the program's.
void broadcast_in_group(Process& process, Comm& comm, const Group& group, int tag, std::span<std::byte> data);

// As many bytes from every rank, in the order of ranks; empty except on rank 0.
std::vector<std::byte> gather_at_first(Process& process, Comm& comm, std::span<const std::byte> mine);
// The reverse: `all` matters on rank 0 only.
void scatter_from_first(Process& process, Comm& comm, std::span<const std::byte> all, std::span<std::byte> mine);

// The same where each rank has its own number of bytes.
std::vector<std::byte> gather_lists_at_first(Process& process, Comm& comm, std::span<const std::byte> mine);
std::vector<std::byte> scatter_lists_from_first(Process& process, Comm& comm,
                                                const std::vector<std::vector<std::byte>>& all);

// On rank 0 of both groups of an intercommunicator: what the other has.
void exchange_with_remote_first(Process& process, Comm& comm, std::span<const std::byte> mine,
                                std::span<std::byte> theirs);

// No member returns before all have called it, be they of one group or two.
void meet(Process& process, Comm& comm);

// New contexts, the same for all members, be they of one group or two; each says whether it will be a member of the
// communicator that they are for.
std::uint32_t agree_on_context(Process& process, Comm& comm, bool is_member = true);
// The calling rank will be a member of a communicator with these contexts, which its machine may have to know; 0: it
// will be of none. Where a member that is not ready would lose messages, all ranks of `comm` meet.
void join(Process& process, Comm& comm, std::uint32_t context);
// The same where all ranks of a group meet, which are some of the communicator's.
void join_in_group(Process& process, Comm& comm, const Group& group, int tag, std::uint32_t context);

// A record as the bytes of a message.
template <typename Record>
std::span<const std::byte> bytes_of(const Record& record) {
  return std::as_bytes(std::span(&record, 1));
}
template <typename Record>
std::span<std::byte> writable_bytes_of(Record& record) {
  return std::as_writable_bytes(std::span(&record, 1));
}
template <typename Record>
std::vector<Record> records_in(std::span<const std::byte> bytes) {
  std::vector<Record> records(bytes.size() / sizeof(Record));
  std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(records)).begin());
  return records;
}

}  // namespace hindcast::mpi
