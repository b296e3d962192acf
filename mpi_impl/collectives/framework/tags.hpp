// The tags of collective calls. Each is counted with its communicator; a run that looks whether all ranks make the same
// calls compares here what they say in them.
#pragma once

#include <vector>

#include "mpi_impl/collectives/calls/block_ends.hpp"
#include "mpi_impl/core/communicators/collective_order.hpp"
#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

// Of the datatypes that a call uses, the first with a meaning is that of its blocks.
inline SignaturePointer elements_of_block(const std::vector<const Datatype*>& types) {
  for (const Datatype* type : types)
    if (type != nullptr) return map_of(*type)->signature();
  return nullptr;
}

// Across two groups, members of one may give amounts that have no meaning, and beside the root an operation that has
// none. Members of a neighbourhood need not give the same amounts, nor those of an allgather with an amount for each
// the same datatype: who gives nothing gives nothing of any.
template <typename Call>
CollectiveTerms terms_of(const Comm& comm, const Call& call) {
  CollectiveTerms terms;
  if constexpr (requires { call.root; }) terms.root = call.root;
  const bool is_beside_root = comm.is_inter() && terms.root == MPI_PROC_NULL;
  if constexpr (requires { call.reduction(); })
    if (const Op* op = call.reduction(); op != nullptr && op->is_predefined() && !is_beside_root)
      terms.reduction = op->name;
  if (comm.is_inter()) return terms;
  if constexpr (
      requires { call.bytes(); } && !requires { call.neighbours; })
    terms.block_bytes = call.bytes();
  if (terms.block_bytes.value_or(0) > 0 && call.operation != CollectiveOperation::allgatherv)
    terms.elements = elements_of_block(call.types());
  return terms;
}

// Of the next call of a sequence.
template <typename Call>
int tag_of_next(Process& process, Comm& comm, CollectiveOrder::Sequence sequence, const Call& call) {
  if (CollectiveOrder* order = process.world().collective_order()) [[unlikely]] {
    order->look_at(process, comm, sequence, terms_of(comm, call));
    order->look_at_blocks(comm, sequence, block_ends(call, comm));
  }
  return sequence == CollectiveOrder::Sequence::begun ? comm.next_collective_tag() : comm.next_persistent_tag();
}

}  // namespace hindcast::mpi
