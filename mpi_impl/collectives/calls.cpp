// The bodies of the collectives.
#include "mpi_impl/collectives/across.hpp"
#include "mpi_impl/collectives/algorithms.hpp"
#include "mpi_impl/core/agreement.hpp"

namespace hindcast::mpi::body {

namespace {

Block block(const void* data, int count, const Datatype* type) { return {const_cast<void*>(data), count, type}; }
Blocks blocks(const void* data, int count, const Datatype* type) { return {const_cast<void*>(data), type, count}; }
Blocks blocks(const void* data, const int* counts, const int* displacements, const Datatype* type) {
  return {const_cast<void*>(data), type, 0, counts, displacements};
}

}  // namespace

void Barrier(Process& process, Comm& comm) {
  if (comm.is_inter()) return meet(process, comm);
  Collective collective(process, comm);
  barrier_dissemination(collective);
}

void Bcast(Process& process, void* data, int count, const Datatype* type, int root, Comm& comm) {
  if (comm.is_inter()) return bcast_across(process, comm, block(data, count, type), root);
  Collective collective(process, comm);
  bcast_binomial(collective, block(data, count, type), root);
}

void Gather(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
            int receive_count, const Datatype* receive_type, int root, Comm& comm) {
  if (comm.is_inter())
    return gather_across(process, comm, block(sent, send_count, send_type),
                         blocks(received, receive_count, receive_type), root);
  Collective collective(process, comm);
  gather_linear(collective, block(sent, send_count, send_type), blocks(received, receive_count, receive_type), root);
}

void Gatherv(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
             const int* counts, const int* displacements, const Datatype* receive_type, int root, Comm& comm) {
  if (comm.is_inter())
    return gather_across(process, comm, block(sent, send_count, send_type),
                         blocks(received, counts, displacements, receive_type), root);
  Collective collective(process, comm);
  gather_linear(collective, block(sent, send_count, send_type), blocks(received, counts, displacements, receive_type),
                root);
}

void Scatter(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
             int receive_count, const Datatype* receive_type, int root, Comm& comm) {
  if (comm.is_inter())
    return scatter_across(process, comm, blocks(sent, send_count, send_type),
                          block(received, receive_count, receive_type), root);
  Collective collective(process, comm);
  scatter_linear(collective, blocks(sent, send_count, send_type), block(received, receive_count, receive_type), root);
}

void Scatterv(Process& process, const void* sent, const int* counts, const int* displacements,
              const Datatype* send_type, void* received, int receive_count, const Datatype* receive_type, int root,
              Comm& comm) {
  if (comm.is_inter())
    return scatter_across(process, comm, blocks(sent, counts, displacements, send_type),
                          block(received, receive_count, receive_type), root);
  Collective collective(process, comm);
  scatter_linear(collective, blocks(sent, counts, displacements, send_type),
                 block(received, receive_count, receive_type), root);
}

void Allgather(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
               int receive_count, const Datatype& receive_type, Comm& comm) {
  if (comm.is_inter())
    return allgather_across(process, comm, block(sent, send_count, send_type),
                            blocks(received, receive_count, &receive_type));
  Collective collective(process, comm);
  allgather_ring(collective, block(sent, send_count, send_type), blocks(received, receive_count, &receive_type));
}

void Allgatherv(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
                const int* counts, const int* displacements, const Datatype& receive_type, Comm& comm) {
  if (comm.is_inter())
    return allgather_across(process, comm, block(sent, send_count, send_type),
                            blocks(received, counts, displacements, &receive_type));
  Collective collective(process, comm);
  allgather_ring(collective, block(sent, send_count, send_type),
                 blocks(received, counts, displacements, &receive_type));
}

void Alltoall(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
              int receive_count, const Datatype& receive_type, Comm& comm) {
  if (comm.is_inter())
    return alltoall_across(process, comm, blocks(sent, send_count, send_type),
                           blocks(received, receive_count, &receive_type));
  Collective collective(process, comm);
  alltoall_pairwise(collective, blocks(sent, send_count, send_type), blocks(received, receive_count, &receive_type));
}

void Alltoallv(Process& process, const void* sent, const int* send_counts, const int* send_displacements,
               const Datatype* send_type, void* received, const int* receive_counts, const int* receive_displacements,
               const Datatype& receive_type, Comm& comm) {
  if (comm.is_inter())
    return alltoall_across(process, comm, blocks(sent, send_counts, send_displacements, send_type),
                           blocks(received, receive_counts, receive_displacements, &receive_type));
  Collective collective(process, comm);
  alltoall_pairwise(collective, blocks(sent, send_counts, send_displacements, send_type),
                    blocks(received, receive_counts, receive_displacements, &receive_type));
}

void Reduce(Process& process, const void* sent, void* received, int count, const Datatype* type, const Op* op, int root,
            Comm& comm) {
  if (comm.is_inter())
    return reduce_across(process, comm, block(sent, count, type), block(received, count, type), op, root);
  Collective collective(process, comm);
  const void* mine = sent == MPI_IN_PLACE ? received : sent;
  reduce_binomial(collective, block(mine, count, type), block(received, count, type), *op, root);
}

void Allreduce(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
               Comm& comm) {
  if (comm.is_inter())
    return allreduce_across(process, comm, block(sent, count, &type), block(received, count, &type), op);
  Collective collective(process, comm);
  const void* mine = sent == MPI_IN_PLACE ? received : sent;
  allreduce_recursive_doubling(collective, block(mine, count, &type), block(received, count, &type), op);
}

void Op_create(Process& process, MPI_User_function* function, int is_commutative, MPI_Op& handle) {
  Op& op = process.ops.create();
  op.name = "an operation of the program's";
  op.function = function;
  op.is_commutative = is_commutative != 0;
  handle = op.handle;
}

void Op_free(Process& process, MPI_Op& handle, Op& op) {
  handle = MPI_OP_NULL;
  process.ops.destroy(op);
}

void Op_commutative(Process&, const Op& op, int& is_commutative) { is_commutative = op.is_commutative; }

}  // namespace hindcast::mpi::body
