// Requests: operations that the program holds a handle of.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "mpi_impl/core/background.hpp"
#include "mpi_impl/core/communicator.hpp"
#include "mpi_impl/core/datatype.hpp"
#include "mpi_impl/core/generalized_request.hpp"
#include "mpi_impl/core/handle.hpp"
#include "mpi_impl/core/point_to_point.hpp"
#include "mpi_impl/devices/device.hpp"

namespace hindcast::mpi {

struct Request : Handled {
  enum class Kind : std::uint8_t { send, receive, activity, generalized };
  union Operations {
    Operations() {}
    SendOperation send;
    ReceiveOperation receive;
  };

  Kind kind = Kind::send;
  SendMode mode = SendMode::standard;
  bool buffered = false;
  bool persistent = false;
  bool active = false;    // begun, and its completion not yet told to the program
  bool finished = false;  // ended, and `status` says how
  int count = 0;
  int peer = 0;
  int tag = 0;
  Comm* comm = nullptr;
  std::uint32_t context = 0;  // of the communicator's
  const Datatype* type = nullptr;
  void* data = nullptr;
  Staged staged;
  Operations operations;               // in use while active and not finished
  std::unique_ptr<Activity> activity;  // of that kind
  std::unique_ptr<GeneralizedOperation> generalized;
  MPI_Status status;

  // While active and not finished.
  Operation& operation() {
    if (kind == Kind::activity) return activity->end();
    if (kind == Kind::generalized) return generalized->end;
    return kind == Kind::send ? static_cast<Operation&>(operations.send) : static_cast<Operation&>(operations.receive);
  }
  bool operation_is_known() const {
    if (kind == Kind::activity) return activity->has_ended();
    if (kind == Kind::generalized) return generalized->end.is_known();
    return kind == Kind::send ? operations.send.is_known() : operations.receive.is_known();
  }
  bool has_ended_at(Time time) { return finished || operation().holds_at(time); }
};

// A message that a matched probe has taken.
struct MessageObject : Handled {
  TakenMessage taken;
  Comm* comm = nullptr;
};

// A request that has not begun. `data` is only read by a send.
Request& make_request(Process& process, Comm& comm, Request::Kind kind, const void* data, int count,
                      const Datatype& type, int peer, int tag);
// Of an activity that has begun: it goes on in the background.
Request& make_request(Process& process, Comm& comm, std::unique_ptr<Activity> activity);
void begin(Process& process, Request& request);
// A receive of this message.
void begin(Process& process, Request& request, const TakenMessage& taken);
// Once it has ended at the thread's clock. Gives the error class; the status has it too.
int finish(Process& process, Request& request);
// The same in a call that completes it for the program.
int finish_for_good(Process& process, Request& request);
// The program has been told: a persistent request becomes inactive, others go and the handle becomes null.
void retire(Process& process, MPI_Request& handle, Request& request);
void destroy(Process& process, Request& request);
// What a finished request with an error has to say.
Error error_of(const Request& request);

// Receives that the program freed the requests of while they were in progress. They are tidied up at points of the
// program's order only, never when they happen to end, so that this costs the same time in every run.
class FreedReceives {
 public:
  void add(Process& process, Request& receive);
  void wait_for_all(Process& process);

 private:
  static constexpr std::size_t first_limit = 16;
  void tidy_up(Process& process);

  std::vector<Request*> receives_;
  std::size_t limit_ = first_limit;
};

}  // namespace hindcast::mpi
