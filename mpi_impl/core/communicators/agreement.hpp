// How the ranks of a communicator come to know what is decided for all of them, by messages like everybody's: what
// making a communicator needs. Those that say nothing of intercommunicators go among the ranks of one group: of an
// intercommunicator, the calling rank's. All members of both groups call the same ones in the same order.
//
// Collectives, in the layer above, go along the same trees. They cannot serve here: they run among all members of a
// communicator, and these also among ranks of a group whose communicator is yet to be made; and which algorithm those
// take is the user's choice, which may need the machine's own operations, where these take messages in every case.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/transport/contexts.hpp"

namespace hindcast::mpi {

// From one rank to all.
void broadcast_from(Process& process, Comm& comm, int root, std::span<std::byte> data);
inline void broadcast_from_first(Process& process, Comm& comm, std::span<std::byte> data) {
  broadcast_from(process, comm, 0, data);
}

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

// The groups of a communicator to be made.
struct NewGroups {
  const Group* group = nullptr;   // that the calling rank will be of; null: of none
  const Group* remote = nullptr;  // null: there is one group only
  bool comes_first = true;        // of two groups, whose first rank takes the contexts
  int to_be_born = 0;             // further members, who join as they are born
};
inline NewGroups groups_of(const Comm& comm) { return {comm.group.get(), comm.remote.get(), comm.comes_first}; }
// The contexts of communicators to be made of ranks of `comm`, all of which call this: the first rank of each takes
// them, and tells the others. Where the machine has its limits, or members have to be ready, nobody returns before all
// are; if there is an obstacle for one, everybody throws.
std::uint32_t agree_on_context(Process& process, Comm& comm, const NewGroups& groups);
// The same where the ranks of a group alone call it, by messages with this tag.
std::uint32_t agree_on_context_in_group(Process& process, Comm& comm, const Group& group, int tag);

// The parts of it, for those who agree by other messages. 0 is what the first rank tells if there are none.
std::uint32_t take_context(Process& process, int members);
Obstacle join(Process& process, std::uint32_t context);
Obstacle worst_of_all(Process& process, Comm& comm, Obstacle mine);
// Throws if there is one. The calling rank has joined, or taken, this context, or 0; the error is of the communicator,
// or of the call's if that is null.
void give_up_if(Obstacle worst, Process& process, std::uint32_t context, const Comm* comm = nullptr);

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
