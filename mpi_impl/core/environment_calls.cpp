// Starting and ending, clocks, names, memory.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/memory.hpp"
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/transport/contexts.hpp"
#include "simulator/engine/name_and_version.hpp"

namespace hindcast::mpi::body {

namespace {

void put_text(const std::string& text, std::size_t longest, char* place, int& length) {
  const std::size_t size = std::min(text.size(), longest - 1);
  std::memcpy(place, text.data(), size);
  place[size] = '\0';
  length = static_cast<int>(size);
}

// They exist from the beginning, but no call before has been allowed to wait for others.
void join_predefined(Process& process) {
  Contexts* limited = process.endpoint().contexts();
  if (limited == nullptr) return;
  if (!limited->join(process.comm_self().context) || !limited->join(process.comm_world().context) ||
      (process.parent != nullptr && !limited->join(process.parent->context)))
    throw Error{MPI_ERR_OTHER, limited->why_not(Obstacle::no_room)};
  meet(process, process.comm_world());
}

void initialize(Process& process, int level, const int* argc, char*** argv) {
  if (process.is_initialized()) throw Error{MPI_ERR_OTHER, "MPI is initialized already; call it once"};
  if (process.phase == Process::Phase::finalized)
    throw Error{MPI_ERR_OTHER, "MPI has been finalized, and cannot be initialized again"};
  process.initialize(level);
  join_predefined(process);
  if (process.parent != nullptr) meet(process, *process.parent);
  if (argc == nullptr || argv == nullptr) return;
  process.argument_count = *argc;
  process.arguments = *argv;
}

// While MPI is still all there. A callback that fails makes the call an error, but others wait for this rank's end.
std::optional<Error> delete_attributes(Process& process, Attributes& attributes, int comm) {
  try {
    attributes.remove_all(process, comm);
    return std::nullopt;
  } catch (const Error& error) {
    attributes.forget_all(process);
    return error;
  }
}

}  // namespace

void Init(Process& process, int* argc, char*** argv) { initialize(process, MPI_THREAD_SINGLE, argc, argv); }

void Init_thread(Process& process, int* argc, char*** argv, int required, int& provided) {
  initialize(process, std::clamp(required, MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE), argc, argv);
  provided = process.thread_level;
}

void Initialized(Process& process, int& flag) { flag = process.phase != Process::Phase::before_init; }
void Finalized(Process& process, int& flag) { flag = process.phase == Process::Phase::finalized; }

void Finalize(Process& process) {
  Thread::current()->settle();  // before others may see it
  process.is_in_finalize = true;
  const std::optional<Error> failed = delete_attributes(process, process.comm_self().attributes, MPI_COMM_SELF);
  // The standard speaks of MPI_COMM_SELF alone, but other MPIs delete these too, and libraries clean up by them.
  const std::optional<Error> failed_too = delete_attributes(process, process.comm_world().attributes, MPI_COMM_WORLD);
  if (process.has_buffered_sends()) process.buffered_sends().wait_for_all(process);
  process.freed_receives.wait_for_all(process);
  if (Leftovers* leftovers = process.world().leftovers()) leftovers->look_at_requests(process);
  meet(process, process.comm_world());        // a rank that is gone cannot make progress for others
  process.endpoint().wait_for_freed_sends();  // which others than those may receive
  process.endpoint().leave();
  process.phase = Process::Phase::finalized;
  if (failed) throw *failed;
  if (failed_too) throw *failed_too;
}

void Abort(Process& process, Comm& comm, int code) {
  process.end_run(
      fmt::format("rank {}: MPI_Abort called, with {} and error code {}", process.world_rank(), comm.name(), code),
      code);
}

void Query_thread(Process& process, int& provided) { provided = process.thread_level; }
void Is_thread_main(Process& process, int& flag) { flag = process.is_main_thread(*Thread::current()); }

void Get_version(Process&, int& version, int& subversion) {
  version = MPI_VERSION;
  subversion = MPI_SUBVERSION;
}

void Get_library_version(Process&, char* place, int& length) {
  put_text(name_and_version, MPI_MAX_LIBRARY_VERSION_STRING, place, length);
}

void Get_processor_name(Process& process, char* place, int& length) {
  put_text(process.rank().node_name, MPI_MAX_PROCESSOR_NAME, place, length);
}

double Wtime(Process& process) {
  Thread& thread = *Thread::current();
  process.endpoint().local().spend_clock_read();
  if (!thread.clock_is_certain()) thread.settle();
  return thread.clock().in_seconds();
}

double Wtick(Process&) { return Time::ps(1).in_seconds(); }

void Alloc_mem(Process& process, MPI_Aint size, const Info* info, void* place) {
  const auto bytes = static_cast<std::size_t>(size);
  OwnMemory memory = get_memory(bytes, info != nullptr ? alignment_wanted(info->hints) : usual_alignment);
  note_kind_of_memory(process, memory.get(), bytes, info);
  const void* const address = memory.release();
  std::memcpy(place, &address, sizeof address);
}

void Free_mem(Process& process, void* memory) {
  forget_kind_of_memory(process, memory);
  std::free(memory);
}

void Pcontrol(Process&, int) {}

}  // namespace hindcast::mpi::body
