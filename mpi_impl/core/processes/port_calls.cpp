// Processes that have no communicator in common, and find each other by a port, by a service's name or by a socket.
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/communicators/joining_groups.hpp"
#include "mpi_impl/core/processes/at_clock.hpp"
#include "mpi_impl/core/processes/on_root.hpp"
#include "mpi_impl/core/processes/ports.hpp"

namespace hindcast::mpi::body {

namespace {

void put_name(const std::string& name, char* place) { std::memcpy(place, name.c_str(), name.size() + 1); }

// The way to another root: in MPI_COMM_WORLD aside, or in a communicator of the two that lasts as long as this. Where
// members have to be ready for a context, its messages travel aside in that of MPI_COMM_SELF, for which all are.
class WayToRoot {
 public:
  WayToRoot(Process& process, int other, GroupPointer other_alone, std::uint32_t context) : process_(process) {
    Comm& world = process.comm_world();
    Comm& self = process.comm_self();
    const auto tag = static_cast<int>(0x4000 | (context & 0x1fff));  // no packet for a window has such a one
    const int in_world = world.group->rank_of(other);
    if (in_world != MPI_UNDEFINED) {
      way_.emplace(WayToLeader{world, world.aside_context() + 1, in_world, tag});
      return;
    }
    const bool is_limited = process.endpoint().contexts() != nullptr;
    between_ = &make_intercomm(process, is_limited ? self.context : context, self.group, std::move(other_alone),
                               *self.errhandler);
    between_->has_own_context = !is_limited;
    way_.emplace(WayToLeader{*between_, is_limited ? self.aside_context() + 1 : context, 0, is_limited ? tag : 0});
  }
  ~WayToRoot() {
    if (between_ != nullptr) free_comm(process_, *between_);
  }
  WayToRoot(const WayToRoot&) = delete;
  WayToRoot& operator=(const WayToRoot&) = delete;

  const WayToLeader& way() const { return *way_; }

 private:
  Process& process_;
  Comm* between_ = nullptr;
  std::optional<WayToLeader> way_;
};

GroupPointer alone(int rank) { return std::make_shared<const Group>(rank, 1, 1); }

// --- ports ---

// How long a rank waits at a port; nothing: until the other side comes.
std::optional<Time> patience_of(const Info* info) {
  const std::string* text = info != nullptr ? info->hints.find("timeout") : nullptr;
  if (text == nullptr) return std::nullopt;
  char* end = nullptr;
  const double seconds = std::strtod(text->c_str(), &end);
  if (end == text->c_str() || *end != '\0' || !(seconds >= 0) || seconds > 1e6)
    throw Error{MPI_ERR_INFO_VALUE, fmt::format("the info key timeout is '{}': give seconds, as 0.5", *text)};
  return Time::ps(std::llround(seconds * 1e12));
}

class PortWait final : public Wait {
 public:
  PortWait(const Process& process, const std::string& port) : call_(process.call()), port_(port) {}
  BlockedOn describe() const override { return {name_of(call_), fmt::format("for somebody at port {}", port_), {}}; }

 private:
  const Call* call_;
  const std::string& port_;
};

void wait_at_port(Process& process, const std::string& port, Ports::Side side, Caller& caller,
                  std::optional<Time> patience) {
  const PortWait why(process, port);
  if (!patience) return wait_for(process, caller.met, why);
  Thread& thread = *Thread::current();
  Alarm& alarm = process.alarms.set(thread.clock() + *patience);
  Gate gate(thread);
  gate.add(caller.met);
  gate.add(alarm.completion());
  gate.open_at_first();
  if (!caller.met.is_known()) wait(process, gate, why);
  Gate::forget(caller.met);
  alarm.forget();
  if (!caller.met.is_known()) process.world().ports().leave(port, side, caller);
}

// On the root: who has been met. Throws if nobody.
void meet_at_port(Process& process, const std::string& port, Ports::Side side, Caller& caller, const Info* info) {
  World& world = process.world();
  const std::optional<Time> patience = patience_of(info);
  const std::uint32_t context = world.new_context();
  const auto require_open = [&](bool is_open) {
    if (!is_open) throw Error{MPI_ERR_PORT, fmt::format("argument 1 (port_name): no port '{}' is open", port)};
  };
  bool is_open = false;
  AtClock(process, "for a port", [&] {
    is_open = world.ports().is_open(port);
    if (is_open || patience) world.ports().call(port, side, caller, context, world.engine().now());
  });
  if (!is_open && !patience) LookInVain(process, "for a port");
  require_open(is_open || patience.has_value());
  wait_at_port(process, port, side, caller, patience);
  if (!caller.met.is_known()) require_open(world.ports().is_open(port));
  if (!caller.met.is_known())
    throw Error{MPI_ERR_PORT,
                fmt::format("nobody has come to port '{}' in the time that the info key timeout gives", port)};
  if (!caller.other_rank)
    throw Error{MPI_ERR_PORT, fmt::format("argument 1 (port_name): port '{}' has been closed", port)};
}

void join_at_port(Process& process, const char* port, Ports::Side side, const Info* info, int root, Comm& comm,
                  MPI_Comm& handle) {
  Caller caller;
  std::optional<WayToRoot> way;
  on_root_for_all(process, comm, root, [&] {
    caller.rank = process.world_rank();
    caller.group = comm.group;
    meet_at_port(process, port, side, caller, info);
    way.emplace(process, *caller.other_rank, alone(*caller.other_rank), caller.context);
  });
  handle = join_groups(process, comm, root, way ? &way->way() : nullptr).handle;
}

// --- sockets ---

struct SocketGreeting {
  std::int32_t rank;
  std::uint32_t context;
};

class SocketWait final : public Wait {
 public:
  BlockedOn describe() const override { return {"MPI_Comm_join", "for the process at the socket's other end", {}}; }
};

// Whoever comes first looks again and again, as time goes on. What is in a socket is seen by whoever looks, so that
// each look is at the thread's own time.
SocketGreeting greet_by_socket(Process& process, int socket, const SocketGreeting& mine) {
  const auto failed = [](const char* what, const char* reason) {
    return Error{MPI_ERR_ARG, fmt::format("argument 1 (fd): the socket cannot be {} ({})", what, reason)};
  };
  const SocketWait why;
  Thread::current()->settle(&why);
  if (::send(socket, &mine, sizeof mine, MSG_NOSIGNAL | MSG_DONTWAIT) != static_cast<ssize_t>(sizeof mine))
    throw failed("written to", std::strerror(errno));
  SocketGreeting theirs{};
  for (;;) {
    poll(process, why);
    Thread::current()->settle(&why);
    const ssize_t received = ::recv(socket, &theirs, sizeof theirs, MSG_DONTWAIT);
    if (received == static_cast<ssize_t>(sizeof theirs)) return theirs;
    if (received >= 0) throw failed("read from", "nobody is at its other end, or no MPI");
    if (errno != EAGAIN && errno != EWOULDBLOCK) throw failed("read from", std::strerror(errno));
  }
}

}  // namespace

void Open_port(Process& process, const Info*, char* name) {
  AtClock(process, "for a port", [&] { put_name(process.world().ports().open(), name); });
}

void Close_port(Process& process, const char* name) {
  bool was_open = false;
  AtClock(process, "for a port",
          [&] { was_open = process.world().ports().close(name, process.world().engine().now()); });
  if (!was_open) throw Error{MPI_ERR_PORT, fmt::format("argument 1 (port_name): no port '{}' is open", name)};
}

void Comm_accept(Process& process, const char* port, const Info* info, int root, Comm& comm, MPI_Comm& handle) {
  join_at_port(process, port, Ports::Side::accepts, info, root, comm, handle);
}

void Comm_connect(Process& process, const char* port, const Info* info, int root, Comm& comm, MPI_Comm& handle) {
  join_at_port(process, port, Ports::Side::connects, info, root, comm, handle);
}

void Publish_name(Process& process, const char* service, const Info*, const char* port) {
  if (std::strlen(port) >= MPI_MAX_PORT_NAME)
    throw Error{MPI_ERR_ARG, fmt::format("argument 3 (port_name): longer than {} characters", MPI_MAX_PORT_NAME - 1)};
  bool is_new = false;
  AtClock(process, "for a name", [&] { is_new = process.world().ports().publish(service, port); });
  if (!is_new)
    throw Error{MPI_ERR_SERVICE, fmt::format("argument 1 (service_name): '{}' has been published already", service)};
}

void Unpublish_name(Process& process, const char* service, const Info*, const char*) {
  bool was_there = false;
  AtClock(process, "for a name", [&] { was_there = process.world().ports().unpublish(service); });
  if (!was_there)
    throw Error{MPI_ERR_SERVICE, fmt::format("argument 1 (service_name): '{}' has not been published", service)};
}

void Lookup_name(Process& process, const char* service, const Info*, char* port) {
  bool is_there = false;
  AtClock(process, "for a name", [&] {
    const std::string* found = process.world().ports().find(service);
    is_there = found != nullptr;
    if (is_there) put_name(*found, port);
  });
  if (is_there) return;
  LookInVain(process, "for a name");
  throw Error{MPI_ERR_NAME, fmt::format("argument 1 (service_name): '{}' has not been published", service)};
}

void Comm_join(Process& process, int socket, MPI_Comm& handle) {
  const SocketGreeting mine{process.world_rank(), process.world().new_context()};
  const SocketGreeting theirs = greet_by_socket(process, socket, mine);
  const std::uint32_t context = mine.rank < theirs.rank ? mine.context : theirs.context;
  const WayToRoot way(process, theirs.rank, alone(theirs.rank), context);
  handle = join_groups(process, process.comm_self(), 0, &way.way()).handle;
}

}  // namespace hindcast::mpi::body
