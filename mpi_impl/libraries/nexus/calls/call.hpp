// What the functions of nexus.h share: the calling context, how wrong arguments are refused, and what a call waits for.
#pragma once

#include <string>
#include <vector>

#include "mpi_impl/libraries/nexus/native/program.hpp"
#include "simulator/programs/process/library_call.hpp"

namespace hindcast::nexus {

// The calling rank's.
Program& caller(const programs::LibraryCall& call);
[[noreturn]] void refuse(Program& self, const char* function, const std::string& what);

// Processes that are started in mid-run add contexts and machines: how many there are is known when the clock has come
// to where the thread is.
System& system_by_now(Program& self);

void check_pointer(Program& self, const char* function, const char* argument, const void* pointer);
void check_context(Program& self, const char* function, int context);
// A global pointer that leads somewhere.
void check_global(Program& self, const char* function, const nexus_global_pointer_t* pointer);
nexus_buffer& check_buffer(Program& self, const char* function, nexus_buffer_t buffer);

class CallWait final : public Wait {
 public:
  CallWait(const char* function, std::string detail, std::vector<int> ranks = {})
      : function_(function), detail_(std::move(detail)), ranks_(std::move(ranks)) {}
  BlockedOn describe() const override { return {function_, detail_, ranks_}; }

 private:
  const char* function_;
  const std::string detail_;
  const std::vector<int> ranks_;
};

}  // namespace hindcast::nexus
