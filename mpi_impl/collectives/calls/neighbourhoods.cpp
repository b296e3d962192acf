// The bodies of the collectives of a neighbourhood.
#include "mpi_impl/collectives/calls/beginning.hpp"

namespace hindcast::mpi::body {

namespace {

using O = CollectiveOperation;

NeighbourCall neighbour_call(O operation, const Blocks& out, const Blocks& in, std::uint64_t bytes, const Comm& comm) {
  return {operation, neighbours_of(comm), out, in, bytes, {}, {}};
}

// The same block for all destinations.
NeighbourCall neighbour_allgather_call(O operation, const Block& mine, const Blocks& in, std::uint64_t bytes,
                                       const Comm& comm) {
  return neighbour_call(operation, Blocks::one(mine), in, bytes, comm);
}

NeighbourCall neighbour_alltoallw_call(const Process& process, const void* sent, const int* send_counts,
                                       const MPI_Aint* send_addresses, const MPI_Datatype* send_types, void* received,
                                       const int* receive_counts, const MPI_Aint* receive_addresses,
                                       const MPI_Datatype* receive_types, const Comm& comm) {
  NeighbourCall call = neighbour_call(O::neighbor_alltoallw, blocks(sent, send_counts, nullptr, nullptr),
                                      blocks(received, receive_counts, nullptr, nullptr), 0, comm);
  call.out_types = look_up(process, send_types, out_degree_of(comm));
  call.in_types = look_up(process, receive_types, in_degree_of(comm));
  call.out.types = call.out_types.data();
  call.in.types = call.in_types.data();
  call.out.addresses = send_addresses;
  call.in.addresses = receive_addresses;
  return call;
}

}  // namespace

void Neighbor_allgather(Process& process, const void* sent, int send_count, const Datatype& send_type, void* received,
                        int receive_count, const Datatype& receive_type, Comm& comm) {
  run(process, comm,
      neighbour_allgather_call(O::neighbor_allgather, block(sent, send_count, &send_type),
                               blocks(received, receive_count, &receive_type), receive_type.bytes_of(receive_count),
                               comm));
}
void Ineighbor_allgather(Process& process, const void* sent, int send_count, const Datatype& send_type, void* received,
                         int receive_count, const Datatype& receive_type, Comm& comm, MPI_Request& handle) {
  begin(process, comm,
        neighbour_allgather_call(O::neighbor_allgather, block(sent, send_count, &send_type),
                                 blocks(received, receive_count, &receive_type), receive_type.bytes_of(receive_count),
                                 comm),
        handle);
}
void Neighbor_allgather_init(Process& process, const void* sent, int send_count, const Datatype& send_type,
                             void* received, int receive_count, const Datatype& receive_type, Comm& comm, const Info*,
                             MPI_Request& handle) {
  keep(process, comm,
       neighbour_allgather_call(O::neighbor_allgather, block(sent, send_count, &send_type),
                                blocks(received, receive_count, &receive_type), receive_type.bytes_of(receive_count),
                                comm),
       handle);
}

void Neighbor_allgatherv(Process& process, const void* sent, int send_count, const Datatype& send_type, void* received,
                         const int* counts, const int* displacements, const Datatype& receive_type, Comm& comm) {
  run(process, comm,
      neighbour_allgather_call(O::neighbor_allgatherv, block(sent, send_count, &send_type),
                               blocks(received, counts, displacements, &receive_type), 0, comm));
}
void Ineighbor_allgatherv(Process& process, const void* sent, int send_count, const Datatype& send_type, void* received,
                          const int* counts, const int* displacements, const Datatype& receive_type, Comm& comm,
                          MPI_Request& handle) {
  begin(process, comm,
        neighbour_allgather_call(O::neighbor_allgatherv, block(sent, send_count, &send_type),
                                 blocks(received, counts, displacements, &receive_type), 0, comm),
        handle);
}
void Neighbor_allgatherv_init(Process& process, const void* sent, int send_count, const Datatype& send_type,
                              void* received, const int* counts, const int* displacements, const Datatype& receive_type,
                              Comm& comm, const Info*, MPI_Request& handle) {
  keep(process, comm,
       neighbour_allgather_call(O::neighbor_allgatherv, block(sent, send_count, &send_type),
                                blocks(received, counts, displacements, &receive_type), 0, comm),
       handle);
}

void Neighbor_alltoall(Process& process, const void* sent, int send_count, const Datatype& send_type, void* received,
                       int receive_count, const Datatype& receive_type, Comm& comm) {
  run(process, comm,
      neighbour_call(O::neighbor_alltoall, blocks(sent, send_count, &send_type),
                     blocks(received, receive_count, &receive_type), receive_type.bytes_of(receive_count), comm));
}
void Ineighbor_alltoall(Process& process, const void* sent, int send_count, const Datatype& send_type, void* received,
                        int receive_count, const Datatype& receive_type, Comm& comm, MPI_Request& handle) {
  begin(process, comm,
        neighbour_call(O::neighbor_alltoall, blocks(sent, send_count, &send_type),
                       blocks(received, receive_count, &receive_type), receive_type.bytes_of(receive_count), comm),
        handle);
}
void Neighbor_alltoall_init(Process& process, const void* sent, int send_count, const Datatype& send_type,
                            void* received, int receive_count, const Datatype& receive_type, Comm& comm, const Info*,
                            MPI_Request& handle) {
  keep(process, comm,
       neighbour_call(O::neighbor_alltoall, blocks(sent, send_count, &send_type),
                      blocks(received, receive_count, &receive_type), receive_type.bytes_of(receive_count), comm),
       handle);
}

void Neighbor_alltoallv(Process& process, const void* sent, const int* send_counts, const int* send_displacements,
                        const Datatype& send_type, void* received, const int* receive_counts,
                        const int* receive_displacements, const Datatype& receive_type, Comm& comm) {
  run(process, comm,
      neighbour_call(O::neighbor_alltoallv, blocks(sent, send_counts, send_displacements, &send_type),
                     blocks(received, receive_counts, receive_displacements, &receive_type), 0, comm));
}
void Ineighbor_alltoallv(Process& process, const void* sent, const int* send_counts, const int* send_displacements,
                         const Datatype& send_type, void* received, const int* receive_counts,
                         const int* receive_displacements, const Datatype& receive_type, Comm& comm,
                         MPI_Request& handle) {
  begin(process, comm,
        neighbour_call(O::neighbor_alltoallv, blocks(sent, send_counts, send_displacements, &send_type),
                       blocks(received, receive_counts, receive_displacements, &receive_type), 0, comm),
        handle);
}
void Neighbor_alltoallv_init(Process& process, const void* sent, const int* send_counts, const int* send_displacements,
                             const Datatype& send_type, void* received, const int* receive_counts,
                             const int* receive_displacements, const Datatype& receive_type, Comm& comm, const Info*,
                             MPI_Request& handle) {
  keep(process, comm,
       neighbour_call(O::neighbor_alltoallv, blocks(sent, send_counts, send_displacements, &send_type),
                      blocks(received, receive_counts, receive_displacements, &receive_type), 0, comm),
       handle);
}

void Neighbor_alltoallw(Process& process, const void* sent, const int* send_counts, const MPI_Aint* send_displacements,
                        const MPI_Datatype* send_types, void* received, const int* receive_counts,
                        const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types, Comm& comm) {
  run(process, comm,
      neighbour_alltoallw_call(process, sent, send_counts, send_displacements, send_types, received, receive_counts,
                               receive_displacements, receive_types, comm));
}
void Ineighbor_alltoallw(Process& process, const void* sent, const int* send_counts, const MPI_Aint* send_displacements,
                         const MPI_Datatype* send_types, void* received, const int* receive_counts,
                         const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types, Comm& comm,
                         MPI_Request& handle) {
  begin(process, comm,
        neighbour_alltoallw_call(process, sent, send_counts, send_displacements, send_types, received, receive_counts,
                                 receive_displacements, receive_types, comm),
        handle);
}
void Neighbor_alltoallw_init(Process& process, const void* sent, const int* send_counts,
                             const MPI_Aint* send_displacements, const MPI_Datatype* send_types, void* received,
                             const int* receive_counts, const MPI_Aint* receive_displacements,
                             const MPI_Datatype* receive_types, Comm& comm, const Info*, MPI_Request& handle) {
  keep(process, comm,
       neighbour_alltoallw_call(process, sent, send_counts, send_displacements, send_types, received, receive_counts,
                                receive_displacements, receive_types, comm),
       handle);
}

}  // namespace hindcast::mpi::body
