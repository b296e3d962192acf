#include "mpi_impl/core/communicators/collective_order.hpp"

#include <fmt/format.h>

#include <string_view>

#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/core/datatypes/signature_difference.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

namespace {

// Ranks may ask for threads or not, and so begin by different calls.
bool may_differ(std::string_view call) { return call.starts_with("MPI_Init"); }

std::string amount(std::uint64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

std::string number_at(const NumberKind& kind, std::size_t at) {
  return fmt::format("with {} at byte {}", describe(kind), at);
}

// What two ranks that make the same call say differently in it: how each says it, and what the rule is.
struct Difference {
  std::string theirs, mine;
  const char* rule;
};
std::optional<Difference> difference(const CollectiveTerms& theirs, const CollectiveTerms& mine) {
  if (theirs.root != mine.root)
    return Difference{fmt::format("with root {}", *theirs.root), fmt::format("with root {}", *mine.root),
                      "name the same root"};
  if (!theirs.reduction.empty() && !mine.reduction.empty() && theirs.reduction != mine.reduction)
    return Difference{"with " + theirs.reduction, "with " + mine.reduction, "name the same operation"};
  if (theirs.block_bytes && mine.block_bytes && theirs.block_bytes != mine.block_bytes)
    return Difference{"for " + amount(*theirs.block_bytes), "for " + amount(*mine.block_bytes),
                      "give the same amount of data"};
  if (theirs.elements != nullptr && mine.elements != nullptr && theirs.block_bytes)
    if (const auto found = difference(*theirs.elements, *mine.elements, *theirs.block_bytes))
      return Difference{number_at(found->first, found->at), number_at(found->second, found->at),
                        "give data of the same datatype"};
  return std::nullopt;
}

std::uint32_t calls_before(const Comm& comm, CollectiveOrder::Sequence sequence) {
  return sequence == CollectiveOrder::Sequence::begun ? comm.collectives_begun : comm.persistents_made;
}

}  // namespace

void CollectiveOrder::look_at(const Process& process, const Comm& comm, Sequence sequence,
                              const CollectiveTerms& terms) {
  const std::string call = process.call()->name;
  if (may_differ(call)) return;
  look_at_group(comm, sequence, call, comm.is_inter() ? CollectiveTerms{} : terms);
  if (comm.is_inter())
    across_.look_at(comm, {sequence == Sequence::persistent, calls_before(comm, sequence)}, call, terms);
}

void CollectiveOrder::look_at_group(const Comm& comm, Sequence sequence, const std::string& call,
                                    const CollectiveTerms& terms) {
  if (comm.size == 1) return;
  const Place place{comm.context, comm.group->world_rank(0), sequence, calls_before(comm, sequence)};
  auto entry = called_.find(place);
  if (entry == called_.end())
    entry = called_.emplace(place, Called{call, terms, comm.rank, programs::place_of_caller(), comm.size}).first;
  Called& called = entry->second;
  const auto refuse = [&](const std::string& theirs, const std::string& mine, const char* rule) {
    throw Error{
        MPI_ERR_OTHER,
        fmt::format("rank {} of {} has called {}{} where this rank calls {}; all its ranks must {}", called.rank,
                    comm.name(), theirs, called.where ? fmt::format(" (in {})", called.where.text()) : "", mine, rule),
        &comm};
  };
  if (called.call != call) refuse(called.call, call, "make the same collective calls in the same order");
  if (const auto found = difference(called.terms, terms))
    refuse(call + ' ' + found->theirs, "it " + found->mine, found->rule);
  if (--called.still_to_come == 0) called_.erase(entry);
}

void CollectiveOrder::look_at_blocks(const Comm& comm, Sequence sequence, const std::vector<BlockEnd>& ends) {
  blocks_.look_at(comm, {comm.context, sequence == Sequence::persistent, calls_before(comm, sequence)}, ends);
}

int begin_collective(Process& process, Comm& comm) {
  if (CollectiveOrder* order = process.world().collective_order()) [[unlikely]]
    order->look_at(process, comm, CollectiveOrder::Sequence::begun, {});
  return comm.next_collective_tag();
}

}  // namespace hindcast::mpi
