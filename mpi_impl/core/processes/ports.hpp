// Ports: names under which a rank waits for another one of the run that knows the name, and the services that names are
// published under. Whoever comes first waits; who meets whom is decided in handlers, in the order in which they come.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "mpi_impl/core/communicators/group.hpp"
#include "simulator/engine/completion.hpp"

namespace hindcast::mpi {

// A rank that waits at a port on behalf of its group.
struct Caller {
  int rank = 0;  // in the world
  GroupPointer group;
  Completion met;
  // Of the one that it has met. No rank: the port was closed.
  std::optional<int> other_rank;
  GroupPointer other_group;
  std::uint32_t context = 0;  // of the two roots, for what they have to say to each other
};

class Ports {
 public:
  enum class Side : std::uint8_t { accepts, connects };

  std::string open();
  // False: there is none of this name. Who waits there waits no longer.
  bool close(const std::string& name, Time now);
  bool is_open(const std::string& name) const {
    const auto found = ports_.find(name);
    return found != ports_.end() && found->second.is_open;
  }

  // In a handler. The first of the other side that waits there is met, or the caller waits. `context` is for the two.
  // Where the port is not open it may come to be.
  void call(const std::string& name, Side side, Caller& caller, std::uint32_t context, Time now);
  // Whether this rank of the world does.
  bool has_waiting(int rank) const;
  // It will wait no longer.
  void leave(const std::string& name, Side side, Caller& caller);

  // False: the service has a name already, or none.
  bool publish(const std::string& service, const std::string& port) { return services_.emplace(service, port).second; }
  bool unpublish(const std::string& service) { return services_.erase(service) > 0; }
  const std::string* find(const std::string& service) const {
    const auto found = services_.find(service);
    return found != services_.end() ? &found->second : nullptr;
  }

 private:
  using Waiting = std::deque<Caller*>;
  struct Port {
    bool is_open = false;
    Waiting waiting[2];  // by side
    Waiting& of(Side side) { return waiting[static_cast<int>(side)]; }
  };
  static void meet(Caller& one, Caller& other, std::uint32_t context, Time now);

  std::map<std::string, Port> ports_;
  std::map<std::string, std::string> services_;
  int opened_ = 0;
};

}  // namespace hindcast::mpi
