// What a rank keeps for tools: sessions, handles of variables, and counts of calls from the time on when somebody wants
// to know.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <string_view>

#include "mpi_impl/core/call.hpp"
#include "mpi_impl/core/error.hpp"
#include "mpi_impl/core/handle.hpp"
#include "mpi_impl/core/tools/variables.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast::mpi {

// Of one function. A call in which the function fails counts, and takes no time.
struct CallsOfFunction {
  std::uint64_t count = 0;
  Time time;
  Time last_began;
};

struct ControlHandle : Handled {
  int variable = 0;
};

struct PerformanceSession : Handled {};

struct PerformanceHandle : Handled {
  const PerformanceSession* session = nullptr;
  PerformanceVariable variable;
  bool runs = false;
  std::uint64_t so_far = 0;   // until it was stopped last
  std::uint64_t started = 0;  // what the variable was when it was started last
};

class Tools {
 public:
  int initializations = 0;  // without their MPI_T_finalize
  Table<ControlHandle, HandleKind::cvar_handle, 4> controls;
  Table<PerformanceSession, HandleKind::pvar_session, 4> sessions;
  Table<PerformanceHandle, HandleKind::pvar_handle, 4> variables;

  bool counts_calls = false;
  void call_begins(const Call& call, Time now) {
    CallsOfFunction& calls = calls_[call.name];
    ++calls.count;
    calls.last_began = now;
  }
  void call_ends(const Call& call, Time now) {
    const auto found = calls_.find(call.name);
    if (found != calls_.end()) found->second.time += now - found->second.last_began;
  }
  CallsOfFunction calls_of(std::string_view function) const {
    const auto found = calls_.find(function);
    return found != calls_.end() ? found->second : CallsOfFunction{};
  }

 private:
  std::map<std::string_view, CallsOfFunction> calls_;
};

// A text of a tool's, with its length: at most as much as there is room for, and how long it would be. Either may be
// null.
void give_to_tool(std::string_view text, char* place, int* length);
template <typename T>
void give_to_tool(T value, T* place) {
  if (place != nullptr) *place = value;
}

// What a tool has to give.
template <typename T>
T& required(T* pointer) {
  if (pointer == nullptr) throw Error{MPI_T_ERR_INVALID, ""};
  return *pointer;
}

}  // namespace hindcast::mpi
