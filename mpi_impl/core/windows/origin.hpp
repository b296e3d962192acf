// What a rank does to others as the origin: its packets, and its waits for their answers.
#pragma once

#include <functional>
#include <string>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/point_to_point.hpp"
#include "mpi_impl/core/windows/packets/packet.hpp"
#include "mpi_impl/core/windows/window.hpp"
#include "mpi_impl/transport/remote_access.hpp"

namespace hindcast::mpi {

// For the deadlock report.
class WindowWait final : public Wait {
 public:
  // `ranks` gives those of the window's that could end it.
  WindowWait(const Process& process, Window& window, const char* what_for, std::function<std::vector<int>()> ranks)
      : call_(process.call()), window_(window), what_for_(what_for), ranks_(std::move(ranks)) {}
  BlockedOn describe() const override;

 private:
  const Call* call_;
  Window& window_;
  const char* const what_for_;
  const std::function<std::vector<int>()> ranks_;
};

// What an operation is about at its target, which is checked by now.
struct TargetArguments {
  int rank;
  MPI_Aint displacement;
  int count;
  const Datatype& type;
};

// Says in an error's text where the memory lies, in words that are the same in every run.
std::string place_of(const Window& window, const TargetArguments& target);

// The memory at a target; throws if it is not of the window.
std::byte* memory_at(Window& window, const TargetArguments& target);

// To the target, or done at once if no message is needed for that.
void deliver(Process& process, Window& window, int target, Packet& packet, const void* data);
// An operation whose end no answer tells.
void deliver_unanswered(Process& process, Window& window, int target, Packet& packet, const void* data);

// The lock that an operation needs, if the epoch is one of MPI_Win_lock_all's.
void lock_if_needed(Process& process, Window& window, int target);
void take_lock(Process& process, Window& window, int target, bool is_exclusive);

// How the machine itself moves data between here and the target, if it does; null if packets do.
RemoteAccess* remote_access_to(Process& process, const Window& window, int target);
// What goes by packets afterwards finds what has been put by the machine written.
void finish_native_puts(Process& process, Window& window);

// Until all that has been begun is done, at the target or here; or at all of them (Answers::all_targets).
void flush(Process& process, Window& window, int target);
void flush_local(Process& process, Window& window, int target);

// At the end of a call between which and the next a program may look at memory, to see what others have done there. It
// may have had nothing to wait for: whoever calls it again and again lets time go on, and works on what arrives.
void let_others_go_on(Process& process, Window& window);

}  // namespace hindcast::mpi
