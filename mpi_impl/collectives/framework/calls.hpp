// What each collective is called with, made ready for any of its algorithms: MPI_IN_PLACE is gone, and what is said by
// arrays of the program's is looked up. Blocking and nonblocking calls begin with the same.
//
// A call says of which operation it is, how many bytes a block has and how many elements a reduction; it starts an
// algorithm, with the operation that it reduces by, if any; and it names the datatypes that it uses, null where one has
// no meaning.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi_impl/collectives/alltoall/in_place.hpp"
#include "mpi_impl/collectives/framework/across.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

struct BarrierCall {
  static constexpr auto operation = CollectiveOperation::barrier;
  std::uint64_t bytes() const { return 0; }
  std::uint64_t elements() const { return 0; }
  const Op* reduction() const { return nullptr; }
  std::vector<const Datatype*> types() const { return {}; }
  Task start(Collective& collective, const Algorithm& algorithm) const {
    return std::get<BarrierFunction*>(algorithm.function)(collective);
  }
  Task start_across(Collective& across) const { return barrier_across(across); }
};

struct BcastCall {
  static constexpr auto operation = CollectiveOperation::bcast;
  Block data;
  int root;
  std::uint64_t bytes() const { return data.bytes(); }
  std::uint64_t elements() const { return 0; }
  const Op* reduction() const { return nullptr; }
  std::vector<const Datatype*> types() const { return {data.type}; }
  Task start(Collective& collective, const Algorithm& algorithm) const {
    return std::get<BcastFunction*>(algorithm.function)(collective, data, root);
  }
  Task start_across(Collective& across) const { return bcast_across(across, data, root); }
};

// `all` has no meaning but at the root.
struct GatherCall {
  CollectiveOperation operation;
  Block mine;
  Blocks all;
  int root;
  std::uint64_t bytes() const { return operation == CollectiveOperation::gather ? mine.bytes() : 0; }
  std::uint64_t elements() const { return 0; }
  const Op* reduction() const { return nullptr; }
  std::vector<const Datatype*> types() const { return {mine.type, all.type}; }
  Task start(Collective& collective, const Algorithm& algorithm) const {
    return std::get<GatherFunction*>(algorithm.function)(collective, mine, all, root);
  }
  Task start_across(Collective& across) const { return gather_across(across, mine, all, root); }
};

struct ScatterCall {
  CollectiveOperation operation;
  Blocks all;
  Block mine;
  int root;
  std::uint64_t bytes() const { return operation == CollectiveOperation::scatter ? mine.bytes() : 0; }
  std::uint64_t elements() const { return 0; }
  const Op* reduction() const { return nullptr; }
  std::vector<const Datatype*> types() const { return {mine.type, all.type}; }
  Task start(Collective& collective, const Algorithm& algorithm) const {
    return std::get<ScatterFunction*>(algorithm.function)(collective, all, mine, root);
  }
  Task start_across(Collective& across) const { return scatter_across(across, all, mine, root); }
};

struct AllgatherCall {
  CollectiveOperation operation;
  Block mine;
  Blocks all;
  std::uint64_t block_bytes;
  std::uint64_t bytes() const { return block_bytes; }
  std::uint64_t elements() const { return 0; }
  const Op* reduction() const { return nullptr; }
  std::vector<const Datatype*> types() const { return {mine.type, all.type}; }
  Task start(Collective& collective, const Algorithm& algorithm) const {
    return std::get<AllgatherFunction*>(algorithm.function)(collective, mine, all);
  }
  Task start_across(Collective& across) const { return allgather_across(across, mine, all); }
};

// Of blocks of one type each way, or of many.
inline std::vector<const Datatype*> all_types(const Blocks& out, const Blocks& in,
                                              const std::vector<const Datatype*>& out_types,
                                              const std::vector<const Datatype*>& in_types) {
  std::vector<const Datatype*> all{out.type, in.type};
  all.insert(all.end(), out_types.begin(), out_types.end());
  all.insert(all.end(), in_types.begin(), in_types.end());
  return all;
}

struct AlltoallCall {
  CollectiveOperation operation;
  bool in_place;
  Blocks out;
  Blocks in;
  std::vector<const Datatype*> out_types;  // of the w-form
  std::vector<const Datatype*> in_types;
  std::uint64_t bytes() const { return operation == CollectiveOperation::alltoall ? in.of(0).bytes() : 0; }
  std::uint64_t elements() const { return 0; }
  const Op* reduction() const { return nullptr; }
  std::vector<const Datatype*> types() const { return all_types(out, in, out_types, in_types); }
  Task start(Collective& collective, const Algorithm& algorithm) const {
    AlltoallFunction* function = std::get<AlltoallFunction*>(algorithm.function);
    return in_place ? alltoall_in_place(collective, function, in) : function(collective, out, in);
  }
  Task start_across(Collective& across) const { return alltoall_across(across, out, in); }
};

// The operation is copied: the program may free it before the end.
struct ReduceCall {
  static constexpr auto operation = CollectiveOperation::reduce;
  Block mine;
  Block result;
  Op op;
  int root;
  std::uint64_t bytes() const { return mine.bytes(); }
  std::uint64_t elements() const { return static_cast<std::uint64_t>(mine.count); }
  const Op* reduction() const { return &op; }
  std::vector<const Datatype*> types() const { return {mine.type}; }
  Task start(Collective& collective, const Algorithm& algorithm) const {
    return std::get<ReduceFunction*>(algorithm.function)(collective, mine, result, root);
  }
  Task start_across(Collective& across) const { return reduce_across(across, mine, result, root); }
};

// And scans, which have the same arguments.
struct AllreduceCall {
  CollectiveOperation operation;
  Block mine;
  Block result;
  Op op;
  std::uint64_t bytes() const { return mine.bytes(); }
  std::uint64_t elements() const { return static_cast<std::uint64_t>(mine.count); }
  const Op* reduction() const { return &op; }
  std::vector<const Datatype*> types() const { return {mine.type}; }
  Task start(Collective& collective, const Algorithm& algorithm) const {
    return std::get<AllreduceFunction*>(algorithm.function)(collective, mine, result);
  }
  Task start_across(Collective& across) const { return allreduce_across(across, mine, result); }
};

struct ReduceScatterCall {
  CollectiveOperation operation;
  Blocks mine;
  Block result;
  Op op;
  std::uint64_t block_bytes;
  std::vector<MPI_Count> begins;  // of blocks of different lengths
  std::uint64_t bytes() const { return block_bytes; }
  std::uint64_t elements() const { return 0; }
  const Op* reduction() const { return &op; }
  std::vector<const Datatype*> types() const { return {mine.type}; }
  Task start(Collective& collective, const Algorithm& algorithm) const {
    return std::get<ReduceScatterFunction*>(algorithm.function)(collective, mine, result);
  }
  Task start_across(Collective& across) const {
    Block operand = mine.of(0);
    operand.count = 0;
    for (int rank = 0; rank < across.size(); ++rank) operand.count += mine.count_of(rank);
    return reduce_scatter_across(across, operand, mine, result);
  }
};

// Of a neighbourhood. There is no other group across.
struct NeighbourCall {
  CollectiveOperation operation;
  Neighbours neighbours;
  Blocks out;
  Blocks in;
  std::uint64_t block_bytes;               // 0 where blocks differ
  std::vector<const Datatype*> out_types;  // of the w-form
  std::vector<const Datatype*> in_types;
  std::uint64_t bytes() const { return block_bytes; }
  std::uint64_t elements() const { return 0; }
  const Op* reduction() const { return nullptr; }
  std::vector<const Datatype*> types() const { return all_types(out, in, out_types, in_types); }
  Task start(Collective& collective, const Algorithm& algorithm) const {
    return std::get<NeighbourFunction*>(algorithm.function)(collective, neighbours, out, in);
  }
};

// Without an algorithm, over an intercommunicator.
template <typename Call>
Task start(const Call& call, Collective& collective, const Algorithm* algorithm) {
  if constexpr (requires { call.start_across(collective); })
    if (algorithm == nullptr) return call.start_across(collective);
  return call.start(collective, *algorithm);
}

}  // namespace hindcast::mpi
