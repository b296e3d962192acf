// How the body of a collective begins it: what the program gives is made a call of, and an algorithm is chosen. A
// blocking one is run to its end; a nonblocking one is begun the same and gives back a request; a persistent one keeps
// the call, and begins with it at every start.
#pragma once

#include <memory>
#include <numeric>
#include <utility>

#include "mpi_impl/collectives/calls/sent_pieces.hpp"
#include "mpi_impl/collectives/framework/blocking.hpp"
#include "mpi_impl/collectives/framework/calls.hpp"
#include "mpi_impl/collectives/framework/choice.hpp"
#include "mpi_impl/collectives/framework/element.hpp"
#include "mpi_impl/collectives/framework/nonblocking.hpp"
#include "mpi_impl/collectives/framework/tags.hpp"

namespace hindcast::mpi::body {

inline Block block(const void* data, int count, const Datatype* type) { return {const_cast<void*>(data), count, type}; }
inline Blocks blocks(const void* data, int count, const Datatype* type) {
  return {const_cast<void*>(data), type, count};
}
inline Blocks blocks(const void* data, const int* counts, const int* displacements, const Datatype* type) {
  return {.data = const_cast<void*>(data), .type = type, .counts = counts, .displacements = displacements};
}

inline void refuse_in_place_across(const Comm& comm, const void* sent) {
  if (sent == MPI_IN_PLACE && comm.is_inter())
    throw Error{MPI_ERR_BUFFER, "argument 1 (sendbuf) is MPI_IN_PLACE, which has no meaning with an intercommunicator"};
}

// Of different lengths, on average.
inline std::uint64_t average_bytes(const int* counts, const Datatype& type, int ranks) {
  const std::uint64_t elements = std::accumulate(counts, counts + ranks, std::uint64_t{0});
  return elements * type.size / static_cast<std::uint64_t>(ranks);
}

// Where MPI_DATATYPE_NULL is given there are no elements, of whatever type.
inline std::vector<const Datatype*> look_up(const Process& process, const MPI_Datatype* handles, int count) {
  std::vector<const Datatype*> types;
  for (int i = 0; i < count; ++i)
    types.push_back(process.datatypes.find(handles[i] == MPI_DATATYPE_NULL ? MPI_BYTE : handles[i]));
  return types;
}

template <typename Call>
Offers offers_to(Process& process, const Comm& comm, const Call& call, bool is_blocking) {
  const GroupOperations* machine = process.group_operations();
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
  Situation situation{call.operation,
                      comm.size,
                      call.bytes(),
                      call.elements(),
                      op == nullptr || op->is_commutative,
                      is_on_grid,
                      offers_to(process, comm, call, is_blocking),
                      root_of(call),
                      process.world().levels_of(comm)};
  situation.is_operation_own = op != nullptr && !op->is_predefined();
  return process.world().choices().choose(situation);
}

template <typename Call>
void run(Process& process, Comm& comm, const Call& call) {
  BlockingCollective<Call>(process, comm, call, choose(process, comm, call, true)).run();
}

// `name` is what the program has called it by. Its buffers are looked at before it begins, as it may end at once.
template <typename Call>
std::unique_ptr<Activity> begin_activity(Process& process, Comm& comm, Call call, int tag, const char* name) {
  const Choice choice = choose(process, comm, call, false);
  if (!process.background.is_empty()) process.background.make_progress();
  std::unique_ptr<SentData> sent;
  if (process.world().sent_buffers() != nullptr) [[unlikely]]
    sent = std::make_unique<SentData>(name, sent_pieces(call, comm));
  auto activity = std::make_unique<NonblockingCollective<Call>>(process, comm, std::move(call), choice, tag);
  activity->watch(std::move(sent));
  return activity;
}

template <typename Call>
void begin(Process& process, Comm& comm, Call call, MPI_Request& handle) {
  const int tag = tag_of_next(process, comm, CollectiveOrder::Sequence::begun, call);
  handle =
      make_request(process, comm, begin_activity(process, comm, std::move(call), tag, process.call()->name)).handle;
}

// What a call points at within itself stays where it is: each start has a copy that points there too.
template <typename Call>
class PersistentCollective final : public Restartable {
 public:
  PersistentCollective(Process& process, Comm& comm, Call call)
      : process_(process),
        comm_(comm),
        tag_(tag_of_next(process, comm, CollectiveOrder::Sequence::persistent, call)),
        name_(process.call()->name),
        call_(std::move(call)),
        types_(call_.types()) {
    for (const Datatype* type : types_)
      if (type != nullptr) use(*type);
  }
  ~PersistentCollective() override {
    for (const Datatype* type : types_)
      if (type != nullptr) process_.datatypes.stop_using(*type);
  }

  std::unique_ptr<Activity> begin() override { return begin_activity(process_, comm_, call_, tag_, name_); }

 private:
  Process& process_;
  Comm& comm_;
  const int tag_;
  const char* const name_;
  const Call call_;
  const std::vector<const Datatype*> types_;
};

// No hint is of use to it.
template <typename Call>
void keep(Process& process, Comm& comm, Call call, MPI_Request& handle) {
  handle =
      make_request(process, comm, std::make_unique<PersistentCollective<Call>>(process, comm, std::move(call))).handle;
}

}  // namespace hindcast::mpi::body
