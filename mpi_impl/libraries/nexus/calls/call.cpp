#include "mpi_impl/libraries/nexus/calls/call.hpp"

#include <fmt/format.h>

#include "simulator/programs/launcher.hpp"

namespace hindcast::nexus {

Program& caller(const programs::LibraryCall& call) {
  programs::RunningProgram& running = call.program();
  Program* program = Program::of(running.rank());
  if (program == nullptr)
    running.launch().abort_run(
        1, fmt::format("rank {}: {}: this run has no Nexus; run the program on a machine whose messages go by it",
                       running.rank().id, call.function()));
  return *program;
}

void refuse(Program& self, const char* function, const std::string& what) {
  self.context().system().end_run(fmt::format("rank {}: {}: {}", self.context().number(), function, what));
}

System& system_by_now(Program& self) {
  Thread::current()->settle();
  return self.context().system();
}

void check_pointer(Program& self, const char* function, const char* argument, const void* pointer) {
  if (pointer == nullptr)
    refuse(self, function, fmt::format("{} is a null pointer; give the address of a variable", argument));
}

void check_context(Program& self, const char* function, int context) {
  if (context >= 0 && context < self.context().system().contexts()) return;
  const int contexts = system_by_now(self).contexts();
  if (context < 0 || context >= contexts)
    refuse(self, function, fmt::format("context is {}, but there are contexts 0 to {}", context, contexts - 1));
}

void check_global(Program& self, const char* function, const nexus_global_pointer_t* pointer) {
  check_pointer(self, function, "pointer", pointer);
  check_context(self, function, pointer->context);
  if (!self.names_a_method_or_none(*pointer))
    refuse(self, function, "pointer is no global pointer; give one that Nexus has made");
}

nexus_buffer& check_buffer(Program& self, const char* function, nexus_buffer_t buffer) {
  if (nexus_buffer* found = self.find(buffer)) return *found;
  refuse(self, function, "buffer is none of this context's, or has been sent or freed");
}

}  // namespace hindcast::nexus
