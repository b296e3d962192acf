// Requests: operations that the program holds a handle of.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/core/datatypes/datatype.hpp"
#include "mpi_impl/core/handle.hpp"
#include "mpi_impl/core/requests/background.hpp"
#include "mpi_impl/core/requests/generalized_request.hpp"
#include "mpi_impl/core/requests/point_to_point.hpp"
#include "mpi_impl/transport/endpoint.hpp"

namespace hindcast::mpi {

// What the program has given of a send or receive. `data` is only read by a send.
struct RequestArguments {
  void* data;
  int count;
  int peer;
  int tag;
};

// With many ranks most lines of a request have left the caches when they are touched again. So it begins with a line,
// has all in it that the end of a send touches, and in the next what the end of a receive does beside.
struct alignas(64) Request : Handled {
  enum class Kind : std::uint8_t { send, receive, activity, generalized };
  // Of a send: whether it is in SentBuffers, and has been found changed. Of a receive: whether SentElements has found
  // something wrong.
  enum class Buffer : std::uint8_t { trusted, watched, wrong };
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
  bool finished = false;  // ended, and made fit to be told
  Buffer buffer = Buffer::trusted;
  Comm* comm = nullptr;
  const Datatype* type = nullptr;
  Operations operations;       // from its beginning on
  RequestArguments arguments;  // of a persistent one
  Staged staged;
  std::unique_ptr<Activity> activity;                 // of that kind
  std::unique_ptr<GeneralizedOperation> generalized;  // of that kind
  std::unique_ptr<Restartable> restartable;           // what a persistent one has activities of

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

// A request that has not begun.
Request& make_request(Process& process, Comm& comm, Request::Kind kind, const Datatype& type,
                      const RequestArguments& arguments);
// Of an activity that has begun: it goes on in the background.
Request& make_request(Process& process, Comm& comm, std::unique_ptr<Activity> activity);
// A persistent one of activities that will begin, and one of its activities.
Request& make_request(Process& process, Comm& comm, std::unique_ptr<Restartable> restartable);
// Where the program begins it, for a run that looks for what is left over at the end.
void keep_place(Process& process, const Request& request);
void begin_activity(Process& process, Request& request);
void begin(Process& process, Request& request, const RequestArguments& arguments);
// A receive of this message.
void begin(Process& process, Request& request, const RequestArguments& arguments, const TakenMessage& taken);
// The other side of a send or receive in progress, and its tag, as the program has given them.
int peer_of(const Request& request);
int tag_of(const Request& request);
// Once it has ended at the thread's clock. Gives the error class.
int finish(Process& process, Request& request);
// The same in a call that completes it for the program.
int finish_for_good(Process& process, Request& request);
// The program has been told: a persistent request becomes inactive, others go and the handle becomes null.
void retire(Process& process, MPI_Request& handle, Request& request);
void destroy(Process& process, Request& request);
// What a finished request has to say: to a status other than MPI_STATUS_IGNORE, and with an error.
MPI_Status status_of(const Request& request);
Error error_of(Process& process, const Request& request);

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
