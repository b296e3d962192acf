// The bodies of the collectives that move data and compute nothing, and of the barrier.
#include "mpi_impl/collectives/calls/beginning.hpp"

namespace hindcast::mpi::body {

namespace {

using O = CollectiveOperation;

// Beside and at an intercommunicator's root, `root` is no rank, and what has no meaning is not looked at.
GatherCall gather_call(O operation, const void* sent, int count, const Datatype* type, const Blocks& all, int root) {
  return {operation, sent == MPI_IN_PLACE && root >= 0 ? all.of(root) : block(sent, count, type), all, root};
}

ScatterCall scatter_call(O operation, const Blocks& all, void* received, int count, const Datatype* type, int root) {
  return {operation, all, received == MPI_IN_PLACE && root >= 0 ? all.of(root) : block(received, count, type), root};
}

AllgatherCall allgather_call(O operation, const void* sent, int count, const Datatype* type, const Blocks& all,
                             std::uint64_t bytes, const Comm& comm) {
  refuse_in_place_across(comm, sent);
  return {operation, sent == MPI_IN_PLACE ? all.of(comm.rank) : block(sent, count, type), all, bytes};
}

AlltoallCall alltoall_call(O operation, const Blocks& out, const Blocks& in, const Comm& comm) {
  refuse_in_place_across(comm, out.data);
  return {operation, out.data == MPI_IN_PLACE, out, in, {}, {}};
}

AlltoallCall alltoallw_call(const Process& process, const void* sent, const int* send_counts,
                            const int* send_displacements, const MPI_Datatype* send_types, void* received,
                            const int* receive_counts, const int* receive_displacements,
                            const MPI_Datatype* receive_types, const Comm& comm) {
  AlltoallCall call = alltoall_call(O::alltoallw, blocks(sent, send_counts, send_displacements, nullptr),
                                    blocks(received, receive_counts, receive_displacements, nullptr), comm);
  if (!call.in_place) call.out_types = look_up(process, send_types, comm.peer_count);
  call.in_types = look_up(process, receive_types, comm.peer_count);
  call.out.types = call.out_types.data();
  call.in.types = call.in_types.data();
  return call;
}

}  // namespace

void Barrier(Process& process, Comm& comm) { run(process, comm, BarrierCall{}); }
void Ibarrier(Process& process, Comm& comm, MPI_Request& handle) { begin(process, comm, BarrierCall{}, handle); }
void Barrier_init(Process& process, Comm& comm, const Info*, MPI_Request& handle) {
  keep(process, comm, BarrierCall{}, handle);
}

void Bcast(Process& process, void* data, int count, const Datatype* type, int root, Comm& comm) {
  run(process, comm, BcastCall{block(data, count, type), root});
}
void Ibcast(Process& process, void* data, int count, const Datatype* type, int root, Comm& comm, MPI_Request& handle) {
  begin(process, comm, BcastCall{block(data, count, type), root}, handle);
}
void Bcast_init(Process& process, void* data, int count, const Datatype* type, int root, Comm& comm, const Info*,
                MPI_Request& handle) {
  keep(process, comm, BcastCall{block(data, count, type), root}, handle);
}

void Gather(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
            int receive_count, const Datatype* receive_type, int root, Comm& comm) {
  const Blocks all = blocks(received, receive_count, receive_type);
  run(process, comm, gather_call(O::gather, sent, send_count, send_type, all, root));
}
void Igather(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
             int receive_count, const Datatype* receive_type, int root, Comm& comm, MPI_Request& handle) {
  const Blocks all = blocks(received, receive_count, receive_type);
  begin(process, comm, gather_call(O::gather, sent, send_count, send_type, all, root), handle);
}
void Gather_init(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
                 int receive_count, const Datatype* receive_type, int root, Comm& comm, const Info*,
                 MPI_Request& handle) {
  const Blocks all = blocks(received, receive_count, receive_type);
  keep(process, comm, gather_call(O::gather, sent, send_count, send_type, all, root), handle);
}

void Gatherv(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
             const int* counts, const int* displacements, const Datatype* receive_type, int root, Comm& comm) {
  const Blocks all = blocks(received, counts, displacements, receive_type);
  run(process, comm, gather_call(O::gatherv, sent, send_count, send_type, all, root));
}
void Igatherv(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
              const int* counts, const int* displacements, const Datatype* receive_type, int root, Comm& comm,
              MPI_Request& handle) {
  const Blocks all = blocks(received, counts, displacements, receive_type);
  begin(process, comm, gather_call(O::gatherv, sent, send_count, send_type, all, root), handle);
}
void Gatherv_init(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
                  const int* counts, const int* displacements, const Datatype* receive_type, int root, Comm& comm,
                  const Info*, MPI_Request& handle) {
  const Blocks all = blocks(received, counts, displacements, receive_type);
  keep(process, comm, gather_call(O::gatherv, sent, send_count, send_type, all, root), handle);
}

void Scatter(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
             int receive_count, const Datatype* receive_type, int root, Comm& comm) {
  const Blocks all = blocks(sent, send_count, send_type);
  run(process, comm, scatter_call(O::scatter, all, received, receive_count, receive_type, root));
}
void Iscatter(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
              int receive_count, const Datatype* receive_type, int root, Comm& comm, MPI_Request& handle) {
  const Blocks all = blocks(sent, send_count, send_type);
  begin(process, comm, scatter_call(O::scatter, all, received, receive_count, receive_type, root), handle);
}
void Scatter_init(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
                  int receive_count, const Datatype* receive_type, int root, Comm& comm, const Info*,
                  MPI_Request& handle) {
  const Blocks all = blocks(sent, send_count, send_type);
  keep(process, comm, scatter_call(O::scatter, all, received, receive_count, receive_type, root), handle);
}

void Scatterv(Process& process, const void* sent, const int* counts, const int* displacements,
              const Datatype* send_type, void* received, int receive_count, const Datatype* receive_type, int root,
              Comm& comm) {
  const Blocks all = blocks(sent, counts, displacements, send_type);
  run(process, comm, scatter_call(O::scatterv, all, received, receive_count, receive_type, root));
}
void Iscatterv(Process& process, const void* sent, const int* counts, const int* displacements,
               const Datatype* send_type, void* received, int receive_count, const Datatype* receive_type, int root,
               Comm& comm, MPI_Request& handle) {
  const Blocks all = blocks(sent, counts, displacements, send_type);
  begin(process, comm, scatter_call(O::scatterv, all, received, receive_count, receive_type, root), handle);
}
void Scatterv_init(Process& process, const void* sent, const int* counts, const int* displacements,
                   const Datatype* send_type, void* received, int receive_count, const Datatype* receive_type, int root,
                   Comm& comm, const Info*, MPI_Request& handle) {
  const Blocks all = blocks(sent, counts, displacements, send_type);
  keep(process, comm, scatter_call(O::scatterv, all, received, receive_count, receive_type, root), handle);
}

void Allgather(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
               int receive_count, const Datatype& receive_type, Comm& comm) {
  const Blocks all = blocks(received, receive_count, &receive_type);
  run(process, comm,
      allgather_call(O::allgather, sent, send_count, send_type, all, receive_type.bytes_of(receive_count), comm));
}
void Iallgather(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
                int receive_count, const Datatype& receive_type, Comm& comm, MPI_Request& handle) {
  const Blocks all = blocks(received, receive_count, &receive_type);
  begin(process, comm,
        allgather_call(O::allgather, sent, send_count, send_type, all, receive_type.bytes_of(receive_count), comm),
        handle);
}
void Allgather_init(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
                    int receive_count, const Datatype& receive_type, Comm& comm, const Info*, MPI_Request& handle) {
  const Blocks all = blocks(received, receive_count, &receive_type);
  keep(process, comm,
       allgather_call(O::allgather, sent, send_count, send_type, all, receive_type.bytes_of(receive_count), comm),
       handle);
}

void Allgatherv(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
                const int* counts, const int* displacements, const Datatype& receive_type, Comm& comm) {
  const Blocks all = blocks(received, counts, displacements, &receive_type);
  run(process, comm,
      allgather_call(O::allgatherv, sent, send_count, send_type, all,
                     average_bytes(counts, receive_type, comm.peer_count), comm));
}
void Iallgatherv(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
                 const int* counts, const int* displacements, const Datatype& receive_type, Comm& comm,
                 MPI_Request& handle) {
  const Blocks all = blocks(received, counts, displacements, &receive_type);
  begin(process, comm,
        allgather_call(O::allgatherv, sent, send_count, send_type, all,
                       average_bytes(counts, receive_type, comm.peer_count), comm),
        handle);
}
void Allgatherv_init(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
                     const int* counts, const int* displacements, const Datatype& receive_type, Comm& comm, const Info*,
                     MPI_Request& handle) {
  const Blocks all = blocks(received, counts, displacements, &receive_type);
  keep(process, comm,
       allgather_call(O::allgatherv, sent, send_count, send_type, all,
                      average_bytes(counts, receive_type, comm.peer_count), comm),
       handle);
}

void Alltoall(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
              int receive_count, const Datatype& receive_type, Comm& comm) {
  run(process, comm,
      alltoall_call(O::alltoall, blocks(sent, send_count, send_type), blocks(received, receive_count, &receive_type),
                    comm));
}
void Ialltoall(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
               int receive_count, const Datatype& receive_type, Comm& comm, MPI_Request& handle) {
  begin(process, comm,
        alltoall_call(O::alltoall, blocks(sent, send_count, send_type), blocks(received, receive_count, &receive_type),
                      comm),
        handle);
}
void Alltoall_init(Process& process, const void* sent, int send_count, const Datatype* send_type, void* received,
                   int receive_count, const Datatype& receive_type, Comm& comm, const Info*, MPI_Request& handle) {
  keep(process, comm,
       alltoall_call(O::alltoall, blocks(sent, send_count, send_type), blocks(received, receive_count, &receive_type),
                     comm),
       handle);
}

void Alltoallv(Process& process, const void* sent, const int* send_counts, const int* send_displacements,
               const Datatype* send_type, void* received, const int* receive_counts, const int* receive_displacements,
               const Datatype& receive_type, Comm& comm) {
  run(process, comm,
      alltoall_call(O::alltoallv, blocks(sent, send_counts, send_displacements, send_type),
                    blocks(received, receive_counts, receive_displacements, &receive_type), comm));
}
void Ialltoallv(Process& process, const void* sent, const int* send_counts, const int* send_displacements,
                const Datatype* send_type, void* received, const int* receive_counts, const int* receive_displacements,
                const Datatype& receive_type, Comm& comm, MPI_Request& handle) {
  begin(process, comm,
        alltoall_call(O::alltoallv, blocks(sent, send_counts, send_displacements, send_type),
                      blocks(received, receive_counts, receive_displacements, &receive_type), comm),
        handle);
}
void Alltoallv_init(Process& process, const void* sent, const int* send_counts, const int* send_displacements,
                    const Datatype* send_type, void* received, const int* receive_counts,
                    const int* receive_displacements, const Datatype& receive_type, Comm& comm, const Info*,
                    MPI_Request& handle) {
  keep(process, comm,
       alltoall_call(O::alltoallv, blocks(sent, send_counts, send_displacements, send_type),
                     blocks(received, receive_counts, receive_displacements, &receive_type), comm),
       handle);
}

void Alltoallw(Process& process, const void* sent, const int* send_counts, const int* send_displacements,
               const MPI_Datatype* send_types, void* received, const int* receive_counts,
               const int* receive_displacements, const MPI_Datatype* receive_types, Comm& comm) {
  run(process, comm,
      alltoallw_call(process, sent, send_counts, send_displacements, send_types, received, receive_counts,
                     receive_displacements, receive_types, comm));
}
void Ialltoallw(Process& process, const void* sent, const int* send_counts, const int* send_displacements,
                const MPI_Datatype* send_types, void* received, const int* receive_counts,
                const int* receive_displacements, const MPI_Datatype* receive_types, Comm& comm, MPI_Request& handle) {
  begin(process, comm,
        alltoallw_call(process, sent, send_counts, send_displacements, send_types, received, receive_counts,
                       receive_displacements, receive_types, comm),
        handle);
}
void Alltoallw_init(Process& process, const void* sent, const int* send_counts, const int* send_displacements,
                    const MPI_Datatype* send_types, void* received, const int* receive_counts,
                    const int* receive_displacements, const MPI_Datatype* receive_types, Comm& comm, const Info*,
                    MPI_Request& handle) {
  keep(process, comm,
       alltoallw_call(process, sent, send_counts, send_displacements, send_types, received, receive_counts,
                      receive_displacements, receive_types, comm),
       handle);
}

}  // namespace hindcast::mpi::body
