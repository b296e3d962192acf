// The bodies of the collectives: MPI_X runs to its end, MPI_Ix begins the same and gives back a request.
#include "mpi_impl/collectives/framework/calls.hpp"

#include <memory>
#include <numeric>
#include <utility>

#include "mpi_impl/collectives/framework/blocking.hpp"
#include "mpi_impl/collectives/framework/choice.hpp"
#include "mpi_impl/collectives/framework/element.hpp"
#include "mpi_impl/collectives/framework/nonblocking.hpp"

namespace hindcast::mpi::body {

namespace {

using O = CollectiveOperation;

Block block(const void* data, int count, const Datatype* type) { return {const_cast<void*>(data), count, type}; }
Blocks blocks(const void* data, int count, const Datatype* type) { return {const_cast<void*>(data), type, count}; }
Blocks blocks(const void* data, const int* counts, const int* displacements, const Datatype* type) {
  return {const_cast<void*>(data), type, 0, counts, displacements};
}

void refuse_in_place_across(const Comm& comm, const void* sent) {
  if (sent == MPI_IN_PLACE && comm.is_inter())
    throw Error{MPI_ERR_BUFFER, "argument 1 (sendbuf) is MPI_IN_PLACE, which has no meaning with an intercommunicator"};
}

// Beside and at an intercommunicator's root, `root` is no rank, and what has no meaning is not looked at.
GatherCall gather_call(O operation, const void* sent, int count, const Datatype* type, const Blocks& all, int root) {
  return {operation, sent == MPI_IN_PLACE && root >= 0 ? all.of(root) : block(sent, count, type), all, root};
}

ScatterCall scatter_call(O operation, const Blocks& all, void* received, int count, const Datatype* type, int root) {
  return {operation, all, received == MPI_IN_PLACE && root >= 0 ? all.of(root) : block(received, count, type), root};
}

// Of different lengths, on average.
std::uint64_t average_bytes(const int* counts, const Datatype& type, int ranks) {
  const std::uint64_t elements = std::accumulate(counts, counts + ranks, std::uint64_t{0});
  return elements * type.size / static_cast<std::uint64_t>(ranks);
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

std::vector<const Datatype*> look_up(const Process& process, const MPI_Datatype* handles, int count) {
  std::vector<const Datatype*> types;
  for (int i = 0; i < count; ++i) types.push_back(process.datatypes.find(handles[i]));
  return types;
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
  std::vector<int> displacements(static_cast<std::size_t>(comm.size));
  std::exclusive_scan(counts, counts + comm.size, displacements.begin(), 0);
  ReduceScatterCall call{O::reduce_scatter,
                         blocks(mine, counts, nullptr, &type),
                         block(received, counts[comm.rank], &type),
                         op,
                         average_bytes(counts, type, comm.size),
                         std::move(displacements)};
  call.mine.displacements = call.displacements.data();
  return call;
}

NeighbourCall neighbour_call(O operation, const Blocks& out, const Blocks& in, std::uint64_t bytes, const Comm& comm) {
  return {operation, neighbours_of(comm), out, in, bytes, {}, {}, {}, {}};
}

// The same block for all destinations.
NeighbourCall neighbour_allgather_call(O operation, const Block& mine, const Blocks& in, std::uint64_t bytes,
                                       const Comm& comm) {
  NeighbourCall call = neighbour_call(operation, {}, in, bytes, comm);
  call.counts.assign(call.neighbours.destinations.size(), mine.count);
  call.displacements.assign(call.neighbours.destinations.size(), 0);
  call.out = blocks(mine.data, call.counts.data(), call.displacements.data(), mine.type);
  return call;
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

template <typename Call>
Offers offers_to(Process& process, const Comm& comm, const Call& call, bool is_blocking) {
  const GroupOperations* machine = process.device().group_operations();
  if (machine == nullptr) return {};
  Offers offers = machine->offers(members_of(comm), is_blocking);
  if (offers.reduction && call.reduction() != nullptr) {
    const auto kind = element_kind(*call.types().front());
    const auto operation = element_operation(*call.reduction());
    offers.reduction = kind && operation && machine->reduces(*kind, *operation);
  }
  return offers;
}

template <typename Call>
int root_of(const Call& call) {
  if constexpr (requires { call.root; })
    return call.root;
  else
    return Situation::no_root;
}

// No algorithm where there are two groups: each operation has one way there.
template <typename Call>
Choice choose(Process& process, Comm& comm, const Call& call, bool is_blocking) {
  if (comm.is_inter()) return {nullptr, parameters_across};
  const Op* op = call.reduction();
  const bool is_on_grid = comm.topology != nullptr && std::holds_alternative<Grid>(*comm.topology);
  return process.world().choices().choose(
      {call.operation, comm.size, call.bytes(), call.elements(), op == nullptr || op->is_commutative, is_on_grid,
       offers_to(process, comm, call, is_blocking), root_of(call), process.world().levels_of(comm)});
}

template <typename Call>
void run(Process& process, Comm& comm, const Call& call) {
  BlockingCollective<Call>(process, comm, call, choose(process, comm, call, true)).run();
}

template <typename Call>
void begin(Process& process, Comm& comm, Call call, MPI_Request& handle) {
  const Choice choice = choose(process, comm, call, false);
  if (!process.background.is_empty()) process.background.make_progress();
  handle =
      make_request(process, comm, std::make_unique<NonblockingCollective<Call>>(process, comm, std::move(call), choice))
          .handle;
}

}  // namespace

void Barrier(Process& process, Comm& comm) { run(process, comm, BarrierCall{}); }
void Ibarrier(Process& process, Comm& comm, MPI_Request& handle) { begin(process, comm, BarrierCall{}, handle); }

void Bcast(Process& process, void* data, int count, const Datatype* type, int root, Comm& comm) {
  run(process, comm, BcastCall{block(data, count, type), root});
}
void Ibcast(Process& process, void* data, int count, const Datatype* type, int root, Comm& comm, MPI_Request& handle) {
  begin(process, comm, BcastCall{block(data, count, type), root}, handle);
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

void Reduce(Process& process, const void* sent, void* received, int count, const Datatype* type, const Op* op, int root,
            Comm& comm) {
  run(process, comm, reduce_call(sent, received, count, type, op, root));
}
void Ireduce(Process& process, const void* sent, void* received, int count, const Datatype* type, const Op* op,
             int root, Comm& comm, MPI_Request& handle) {
  begin(process, comm, reduce_call(sent, received, count, type, op, root), handle);
}

void Allreduce(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
               Comm& comm) {
  run(process, comm, allreduce_call(O::allreduce, sent, received, count, type, op, comm));
}
void Iallreduce(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
                Comm& comm, MPI_Request& handle) {
  begin(process, comm, allreduce_call(O::allreduce, sent, received, count, type, op, comm), handle);
}

void Scan(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
          Comm& comm) {
  run(process, comm, allreduce_call(O::scan, sent, received, count, type, op, comm));
}
void Iscan(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
           Comm& comm, MPI_Request& handle) {
  begin(process, comm, allreduce_call(O::scan, sent, received, count, type, op, comm), handle);
}

void Exscan(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
            Comm& comm) {
  run(process, comm, allreduce_call(O::exscan, sent, received, count, type, op, comm));
}
void Iexscan(Process& process, const void* sent, void* received, int count, const Datatype& type, const Op& op,
             Comm& comm, MPI_Request& handle) {
  begin(process, comm, allreduce_call(O::exscan, sent, received, count, type, op, comm), handle);
}

void Reduce_scatter_block(Process& process, const void* sent, void* received, int count, const Datatype& type,
                          const Op& op, Comm& comm) {
  run(process, comm, reduce_scatter_block_call(sent, received, count, type, op, comm));
}
void Ireduce_scatter_block(Process& process, const void* sent, void* received, int count, const Datatype& type,
                           const Op& op, Comm& comm, MPI_Request& handle) {
  begin(process, comm, reduce_scatter_block_call(sent, received, count, type, op, comm), handle);
}

void Reduce_scatter(Process& process, const void* sent, void* received, const int* counts, const Datatype& type,
                    const Op& op, Comm& comm) {
  run(process, comm, reduce_scatter_call(sent, received, counts, type, op, comm));
}
void Ireduce_scatter(Process& process, const void* sent, void* received, const int* counts, const Datatype& type,
                     const Op& op, Comm& comm, MPI_Request& handle) {
  begin(process, comm, reduce_scatter_call(sent, received, counts, type, op, comm), handle);
}

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

}  // namespace hindcast::mpi::body
