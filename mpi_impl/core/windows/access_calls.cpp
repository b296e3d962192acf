// Put, get, accumulate and their kin.
#include <fmt/format.h>

#include <vector>

#include "mpi_impl/core/datatypes/signature_difference.hpp"
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/windows/epochs.hpp"
#include "mpi_impl/core/windows/native_atomics.hpp"
#include "mpi_impl/core/windows/origin.hpp"
#include "mpi_impl/core/windows/packets/target_data.hpp"
#include "mpi_impl/core/windows/remote_request.hpp"
#include "mpi_impl/core/windows/turn_at_target.hpp"

namespace hindcast::mpi::body {

namespace {

struct Operand {
  const void* data;
  int count;
  const Datatype* type;
};
struct Result {
  void* data;
  int count;
  const Datatype& type;
};

// The data of an operand, packed if they do not lie together.
class OperandData {
 public:
  OperandData(Process& process, const Operand& operand) {
    const Datatype& type = *operand.type;
    const std::size_t bytes = type.bytes_of(operand.count);
    data_ = type.data_at(operand.data);
    if (type.lies_together(operand.count)) return;
    packed_.resize(bytes);
    pack(type, operand.data, operand.count, packed_.data());
    process.endpoint().local().spend_copy(Bytes(bytes), process.endpoint().upcoming_message());
    data_ = packed_.data();
  }
  const void* data() const { return data_; }

 private:
  const void* data_;
  std::vector<std::byte> packed_;
};

[[noreturn]] void refuse_access(const Window& window, int code, std::string text) {
  throw Error{code, std::move(text), nullptr, &window};
}

std::size_t bytes_there(const TargetArguments& target) { return target.type.bytes_of(target.count); }

// There may be more room than data, as a message's receiver may have more.
void require_room(const Window& window, const char* from, std::size_t bytes, const char* to, std::size_t room) {
  if (bytes > room)
    refuse_access(window, MPI_ERR_TYPE,
                  fmt::format("the {} has {} bytes of data and the {} {}; what is moved must have room there", from,
                              bytes, to, room));
}

// Refuses ends of an access that are said to be other numbers, in a run with --check.
void look_for_other_elements(Process& process, const Window& window, const Datatype& type,
                             const TargetArguments& target, std::size_t bytes_moved) {
  if (process.world().sent_elements() == nullptr) [[likely]]
    return;
  const auto found = difference(*map_of(type)->signature(), *map_of(target.type)->signature(), bytes_moved);
  if (found)
    refuse_access(
        window, MPI_ERR_TYPE,
        fmt::format("the origin's datatype has, at byte {}, {} where the target's has {}; they must be of the "
                    "same elements",
                    found->at, describe(found->first), describe(found->second)));
}

// As far as either has data of one predefined datatype alone: others are given to MPI_REPLACE and MPI_NO_OP only.
void require_same_predefined(const Window& window, const char* what, const Datatype& type,
                             const TargetArguments& target, std::size_t bytes_moved) {
  if (bytes_moved == 0) return;
  const TypeMap* const here = basic_type_of(*map_of(type));
  const TypeMap* const there = basic_type_of(*map_of(target.type));
  if (here != nullptr && there != nullptr && !are_same_predefined(*here, *there))
    refuse_access(window, MPI_ERR_TYPE,
                  fmt::format("the {} has elements of {} and the target of {}; they must be of one predefined datatype",
                              what, name_of_predefined(*here), name_of_predefined(*there)));
}

Answer& expect_result(Window& window, int target, const Result& result) {
  Answer& answer = window.answers.expect(target);
  if (result.type.lies_together(result.count)) {
    answer.data = result.type.data_at(result.data);
  } else {
    answer.data = result.data;
    answer.type = map_of(result.type);
  }
  return answer;
}

void require_access(Process& process, Window& window, const TargetArguments& target, AccessKind kind,
                    std::size_t bytes_at_target) {
  require_access_epoch(window, target.rank);
  lock_if_needed(process, window, target.rank);
  look_for_conflicts(process, window, target, kind, bytes_at_target);
}

// By whom data that lie together at both ends are moved.
enum class Mover { machine_if_it_can, packets };

RemoteAccess* mover_of(Process& process, const Window& window, const void* here, const std::byte* memory,
                       const TargetArguments& target, Bytes bytes) {
  if (!target.type.lies_together(target.count) || bytes == Bytes()) return nullptr;
  RemoteAccess* const machine = remote_access_to(process, window, target.rank);
  const bool can_be = machine != nullptr && machine->moves(here, target.type.data_at(memory), bytes);
  return can_be ? machine : nullptr;
}

void put_at_target(Process& process, Window& window, const Operand& origin, const TargetArguments& target,
                   Mover mover) {
  if (target.rank == MPI_PROC_NULL) return;
  const std::size_t bytes = origin.type->bytes_of(origin.count);
  require_room(window, "origin", bytes, "target", bytes_there(target));
  look_for_other_elements(process, window, *origin.type, target, bytes);
  std::byte* const memory = memory_at(window, target);
  require_access(process, window, target, AccessKind::put, bytes);
  const bool lie_together = mover == Mover::machine_if_it_can && origin.type->lies_together(origin.count);
  RemoteAccess* const machine =
      lie_together ? mover_of(process, window, origin.type->data_at(origin.data), memory, target, Bytes(bytes))
                   : nullptr;
  if (machine != nullptr) {
    machine->put(window.comm->world_rank(target.rank), target.type.data_at(static_cast<void*>(memory)),
                 origin.type->data_at(origin.data), Bytes(bytes), window.answers.expect(target.rank).come);
    ++window.native_puts;
    return;
  }
  Packet packet{PacketKind::put};
  const OperandData data(process, origin);
  packet.bytes = bytes;
  describe_target(packet, memory, target.count, target.type, false);
  packet.target_bytes = bytes;
  deliver_unanswered(process, window, target.rank, packet, data.data());
}

void get_from_target(Process& process, Window& window, const Result& origin, const TargetArguments& target,
                     RemoteRequest* request = nullptr) {
  if (target.rank == MPI_PROC_NULL) return;
  const std::size_t bytes = bytes_there(target);
  require_room(window, "target", bytes, "origin", origin.type.bytes_of(origin.count));
  look_for_other_elements(process, window, origin.type, target, bytes);
  std::byte* const memory = memory_at(window, target);
  require_access(process, window, target, request == nullptr ? AccessKind::get : AccessKind::get_with_request, bytes);
  const bool lie_together = request == nullptr && origin.type.lies_together(origin.count);
  RemoteAccess* const machine =
      lie_together ? mover_of(process, window, origin.type.data_at(origin.data), memory, target, Bytes(bytes))
                   : nullptr;
  if (machine != nullptr)
    return machine->get(window.comm->world_rank(target.rank), origin.type.data_at(origin.data),
                        target.type.data_at(static_cast<void*>(memory)), Bytes(bytes),
                        window.answers.expect(target.rank).come);
  Packet packet{PacketKind::get};
  packet.answer = &expect_result(window, target.rank, origin);
  packet.answer->request = request;
  describe_target(packet, memory, target.count, target.type, false);
  deliver(process, window, target.rank, packet, nullptr);
}

// MPI_REPLACE and MPI_NO_OP take any data; others those of one type that they are defined for.
void require_operation(const Window& window, const Op& op, const Datatype& type) {
  if (!op.is_predefined())
    refuse_access(window, MPI_ERR_OP, "the operation is the program's own; only predefined ones can be used here");
  if (op.handle == MPI_REPLACE || op.handle == MPI_NO_OP || type.size == 0) return;
  const TypeMap* basic = basic_type_of(*map_of(type));
  if (basic == nullptr)
    refuse_access(window, MPI_ERR_TYPE, "the target's datatype has data of several predefined datatypes");
  if (basic->reductions == nullptr || (*basic->reductions)[static_cast<std::size_t>(op.predefined)] == nullptr)
    refuse_access(window, MPI_ERR_OP, fmt::format("{} is not defined for the target's datatype", op.name));
}

void refuse_to_fetch_nothing(const Window& window, const Op& op) {
  if (op.handle == MPI_NO_OP)
    refuse_access(window, MPI_ERR_OP,
                  "MPI_NO_OP only fetches; MPI_Get_accumulate, MPI_Rget_accumulate and MPI_Fetch_and_op take it");
}

// Without a result if that is null.
void accumulate(Process& process, Window& window, const Operand& operand, const Result* result,
                const TargetArguments& target, const Op& op, RemoteRequest* request = nullptr) {
  if (target.rank == MPI_PROC_NULL) return;
  const bool has_operand = op.handle != MPI_NO_OP;
  if (result == nullptr) refuse_to_fetch_nothing(window, op);
  require_operation(window, op, target.type);
  const std::size_t bytes = has_operand ? operand.type->bytes_of(operand.count) : 0;
  const std::size_t bytes_at_target = result != nullptr ? bytes_there(target) : bytes;
  if (has_operand) {
    require_room(window, "origin", bytes, "target", bytes_there(target));
    require_same_predefined(window, "origin", *operand.type, target, bytes);
  }
  if (result != nullptr) {
    require_room(window, "target", bytes_at_target, "result", result->type.bytes_of(result->count));
    require_same_predefined(window, "result", result->type, target, bytes_at_target);
  }
  std::byte* const memory = memory_at(window, target);
  require_access(process, window, target, AccessKind::accumulate, bytes_at_target);
  const OperandData data(process, has_operand ? operand : Operand{nullptr, 0, predefined_datatype(MPI_BYTE)});
  Packet packet{PacketKind::accumulate};
  packet.operation = static_cast<std::uint8_t>(place_of(op.handle));
  packet.bytes = bytes;
  describe_target(packet, memory, target.count, target.type, true);
  packet.target_bytes = bytes_at_target;
  TurnAtTarget turn(process, window, target.rank);
  if (result != nullptr) {
    packet.answer = &expect_result(window, target.rank, *result);
    packet.answer->request = request;
  }
  if (turn.combine_from_afar(target, packet, data.data(), packet.answer)) return;
  if (result == nullptr) return deliver_unanswered(process, window, target.rank, packet, data.data());
  deliver(process, window, target.rank, packet, data.data());
}

const Datatype& operand_type(const Window& window, const Datatype* type, const void* data, int count, const Op& op) {
  if (op.handle == MPI_NO_OP) return *predefined_datatype(MPI_BYTE);
  if (count < 0)
    refuse_access(window, MPI_ERR_COUNT,
                  fmt::format("argument 2 (origin_count) is {}; it must not be negative", count));
  if (type == nullptr)
    refuse_access(window, MPI_ERR_TYPE, "argument 3 (origin_datatype) is not a datatype that has been committed");
  if (data == nullptr && count > 0 && type->size > 0 && type->true_lower_bound == 0)
    refuse_access(window, MPI_ERR_BUFFER, "argument 1 (origin_addr) is a null pointer, but there are elements");
  return *type;
}

// What the datatype of a single element has to be.
void require_predefined(const Window& window, const Datatype& type) {
  if (!type.is_predefined())
    refuse_access(window, MPI_ERR_TYPE, "the datatype is not predefined; operations on one element need one that is");
}

bool can_be_compared(const Datatype& type) {
  const auto takes = [&](Reduction reduction) { return (*type.reductions)[static_cast<std::size_t>(reduction)]; };
  return type.reductions != nullptr && (takes(Reduction::bxor) != nullptr || takes(Reduction::land) != nullptr);
}

// The request of an operation that is over for its origin as soon as it has begun, or that an answer ends.
template <typename Begin>
void begin_with_request(Process& process, Window& window, int target, MPI_Request& handle, Begin begin) {
  handle = MPI_REQUEST_NULL;
  if (target != MPI_PROC_NULL) require_access_with_request(window, target);
  RemoteRequest& request = make_remote_request(process, window, target, handle);
  try {
    begin(request);
  } catch (...) {
    destroy(process, *process.requests.find(handle));
    handle = MPI_REQUEST_NULL;
    throw;
  }
}

}  // namespace

void Put(Process& process, const void* data, int count, const Datatype& type, int rank, MPI_Aint displacement,
         int target_count, const Datatype& target_type, Window& window) {
  put_at_target(process, window, {data, count, &type}, {rank, displacement, target_count, target_type},
                Mover::machine_if_it_can);
}

void Get(Process& process, void* data, int count, const Datatype& type, int rank, MPI_Aint displacement,
         int target_count, const Datatype& target_type, Window& window) {
  get_from_target(process, window, {data, count, type}, {rank, displacement, target_count, target_type});
}

void Accumulate(Process& process, const void* data, int count, const Datatype& type, int rank, MPI_Aint displacement,
                int target_count, const Datatype& target_type, const Op& op, Window& window) {
  accumulate(process, window, {data, count, &type}, nullptr, {rank, displacement, target_count, target_type}, op);
}

void Get_accumulate(Process& process, const void* data, int count, const Datatype* type, void* result, int result_count,
                    const Datatype& result_type, int rank, MPI_Aint displacement, int target_count,
                    const Datatype& target_type, const Op& op, Window& window) {
  const Result into{result, result_count, result_type};
  accumulate(process, window, {data, count, &operand_type(window, type, data, count, op)}, &into,
             {rank, displacement, target_count, target_type}, op);
}

void Fetch_and_op(Process& process, const void* data, void* result, const Datatype& type, int rank,
                  MPI_Aint displacement, const Op& op, Window& window) {
  require_predefined(window, type);
  if (data == nullptr && op.handle != MPI_NO_OP)
    refuse_access(window, MPI_ERR_BUFFER, "argument 1 (origin_addr) is a null pointer");
  const TargetArguments target{rank, displacement, 1, type};
  if (rank != MPI_PROC_NULL) {
    require_operation(window, op, type);
    memory_at(window, target);
    require_access(process, window, target, AccessKind::accumulate, type.size);
    if (fetch_natively(process, window, target, op, data, result)) return;
  }
  const Result into{result, 1, type};
  accumulate(process, window, {data, 1, &type}, &into, target, op);
}

void Compare_and_swap(Process& process, const void* data, const void* compared, void* result, const Datatype& type,
                      int rank, MPI_Aint displacement, Window& window) {
  require_predefined(window, type);
  if (!can_be_compared(type))
    refuse_access(window, MPI_ERR_TYPE,
                  fmt::format("{} cannot be compared and swapped; integers, logicals and bytes can", type.name));
  if (rank == MPI_PROC_NULL) return;
  const TargetArguments target{rank, displacement, 1, type};
  std::byte* const memory = memory_at(window, target);
  require_access(process, window, target, AccessKind::accumulate, type.size);
  if (swap_natively(process, window, target, compared, data, result)) return;
  std::vector<std::byte> both(2 * type.size);
  pack(type, compared, 1, both.data());
  pack(type, data, 1, both.data() + type.size);
  const TurnAtTarget turn(process, window, rank);
  Packet packet{PacketKind::compare_and_swap};
  packet.bytes = both.size();
  packet.answer = &expect_result(window, rank, {result, 1, type});
  describe_target(packet, memory, 1, type, false);
  deliver(process, window, rank, packet, both.data());
}

void Rput(Process& process, const void* data, int count, const Datatype& type, int rank, MPI_Aint displacement,
          int target_count, const Datatype& target_type, Window& window, MPI_Request& handle) {
  begin_with_request(process, window, rank, handle, [&](RemoteRequest& request) {
    put_at_target(process, window, {data, count, &type}, {rank, displacement, target_count, target_type},
                  Mover::packets);
    request.end_at(Thread::current()->clock());
  });
}

void Rget(Process& process, void* data, int count, const Datatype& type, int rank, MPI_Aint displacement,
          int target_count, const Datatype& target_type, Window& window, MPI_Request& handle) {
  begin_with_request(process, window, rank, handle, [&](RemoteRequest& request) {
    get_from_target(process, window, {data, count, type}, {rank, displacement, target_count, target_type}, &request);
    if (rank == MPI_PROC_NULL) request.end_at(Thread::current()->clock());
  });
  let_others_go_on(process, window);
}

void Raccumulate(Process& process, const void* data, int count, const Datatype& type, int rank, MPI_Aint displacement,
                 int target_count, const Datatype& target_type, const Op& op, Window& window, MPI_Request& handle) {
  begin_with_request(process, window, rank, handle, [&](RemoteRequest& request) {
    Accumulate(process, data, count, type, rank, displacement, target_count, target_type, op, window);
    request.end_at(Thread::current()->clock());
  });
}

void Rget_accumulate(Process& process, const void* data, int count, const Datatype* type, void* result,
                     int result_count, const Datatype& result_type, int rank, MPI_Aint displacement, int target_count,
                     const Datatype& target_type, const Op& op, Window& window, MPI_Request& handle) {
  const Result into{result, result_count, result_type};
  begin_with_request(process, window, rank, handle, [&](RemoteRequest& request) {
    accumulate(process, window, {data, count, &operand_type(window, type, data, count, op)}, &into,
               {rank, displacement, target_count, target_type}, op, &request);
    if (rank == MPI_PROC_NULL) request.end_at(Thread::current()->clock());
  });
  let_others_go_on(process, window);
}

}  // namespace hindcast::mpi::body
