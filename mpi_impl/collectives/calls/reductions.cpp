// The bodies of the collectives that combine data.
#include "mpi_impl/collectives/calls/beginning.hpp"

namespace hindcast::mpi::body {

namespace {

using O = CollectiveOperation;

Block operand(const void* sent, void* received, int count, const Datatype& type) {
  return block(sent == MPI_IN_PLACE ? received : sent, count, &type);
}

ReduceCall reduce_call(const void* sent, void* received, int count, const Datatype* type, const Op* op, int root) {
  return {block(sent == MPI_IN_PLACE ? received : sent, count, type), block(received, count, type),
          op != nullptr ? *op : Op(), root};
}

AllreduceCall allreduce_call(O operation, const void* sent, void* received, int count, const Datatype& type,
                             const Op& op, const Comm& comm) {
  refuse_in_place_across(comm, sent);
  return {operation, operand(sent, received, count, type), block(received, count, &type), op};
}

ReduceScatterCall reduce_scatter_block_call(const void* sent, void* received, int count, const Datatype& type,
                                            const Op& op, const Comm& comm) {
  refuse_in_place_across(comm, sent);
  const void* mine = sent == MPI_IN_PLACE ? received : sent;
  return {
      O::reduce_scatter_block, blocks(mine, count, &type), block(received, count, &type), op, type.bytes_of(count), {}};
}

ReduceScatterCall reduce_scatter_call(const void* sent, void* received, const int* counts, const Datatype& type,
                                      const Op& op, const Comm& comm) {
  refuse_in_place_across(comm, sent);
  const void* mine = sent == MPI_IN_PLACE ? received : sent;
  std::vector<MPI_Count> begins{0};
  for (int rank = 0; rank < comm.size; ++rank) begins.push_back(begins.back() + counts[rank]);
  ReduceScatterCall call{O::reduce_scatter,
                         blocks(mine, 0, &type),
                         block(received, counts[comm.rank], &type),
                         op,
                         average_bytes(counts, type, comm.size),
                         std::move(begins)};
  call.mine.begins = call.begins.data();
  return call;
}

}  // namespace

void Reduce(Process& process, const void* sent, void* received, int count, const Datatype* type, const Op* op, int root,
            Comm& comm) {
  run(process, comm, reduce_call(sent, received, count, type, op, root));
}
void Ireduce(Process& process, const void* sent, void* received, int count, const Datatype* type, const Op* op,
             int root, Comm& comm, MPI_Request& handle) {
  begin(process, comm, reduce_call(sent, received, count, type, op, root), handle);
}
void Reduce_init(Process& process, const void* sent, void* received, int count, const Datatype* type, const Op* op,
                 int root, Comm& comm, const Info*, MPI_Request& handle) {
  keep(process, comm, reduce_call(sent, received, count, type, op, root), handle);
}

void Allreduce(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
               Comm& comm) {
  run(process, comm, allreduce_call(O::allreduce, sent, received, count, type, op, comm));
}
void Iallreduce(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
                Comm& comm, MPI_Request& handle) {
  begin(process, comm, allreduce_call(O::allreduce, sent, received, count, type, op, comm), handle);
}
void Allreduce_init(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
                    Comm& comm, const Info*, MPI_Request& handle) {
  keep(process, comm, allreduce_call(O::allreduce, sent, received, count, type, op, comm), handle);
}

void Scan(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
          Comm& comm) {
  run(process, comm, allreduce_call(O::scan, sent, received, count, type, op, comm));
}
void Iscan(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
           Comm& comm, MPI_Request& handle) {
  begin(process, comm, allreduce_call(O::scan, sent, received, count, type, op, comm), handle);
}
void Scan_init(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
               Comm& comm, const Info*, MPI_Request& handle) {
  keep(process, comm, allreduce_call(O::scan, sent, received, count, type, op, comm), handle);
}

void Exscan(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
            Comm& comm) {
  run(process, comm, allreduce_call(O::exscan, sent, received, count, type, op, comm));
}
void Iexscan(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
             Comm& comm, MPI_Request& handle) {
  begin(process, comm, allreduce_call(O::exscan, sent, received, count, type, op, comm), handle);
}
void Exscan_init(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
                 Comm& comm, const Info*, MPI_Request& handle) {
  keep(process, comm, allreduce_call(O::exscan, sent, received, count, type, op, comm), handle);
}

void Reduce_scatter_block(Process& process, const void* sent, void* received, int count, const Datatype& type,
                          const Op& op, Comm& comm) {
  run(process, comm, reduce_scatter_block_call(sent, received, count, type, op, comm));
}
void Ireduce_scatter_block(Process& process, const void* sent, void* received, int count, const Datatype& type,
                           const Op& op, Comm& comm, MPI_Request& handle) {
  begin(process, comm, reduce_scatter_block_call(sent, received, count, type, op, comm), handle);
}
void Reduce_scatter_block_init(Process& process, const void* sent, void* received, int count, const Datatype& type,
                               const Op& op, Comm& comm, const Info*, MPI_Request& handle) {
  keep(process, comm, reduce_scatter_block_call(sent, received, count, type, op, comm), handle);
}

void Reduce_scatter(Process& process, const void* sent, void* received, const int* counts, const Datatype& type,
                    const Op& op, Comm& comm) {
  run(process, comm, reduce_scatter_call(sent, received, counts, type, op, comm));
}
void Ireduce_scatter(Process& process, const void* sent, void* received, const int* counts, const Datatype& type,
                     const Op& op, Comm& comm, MPI_Request& handle) {
  begin(process, comm, reduce_scatter_call(sent, received, counts, type, op, comm), handle);
}
void Reduce_scatter_init(Process& process, const void* sent, void* received, const int* counts, const Datatype& type,
                         const Op& op, Comm& comm, const Info*, MPI_Request& handle) {
  keep(process, comm, reduce_scatter_call(sent, received, counts, type, op, comm), handle);
}

}  // namespace hindcast::mpi::body
