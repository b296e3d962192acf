// The functions of nexus.h by which a program asks on which machines it runs.
#include <fmt/format.h>

#include "mpi_impl/libraries/nexus/calls/call.hpp"

namespace hindcast::nexus {

namespace {

const System::UsedMachine& machine_of_number(const char* function, int number) {
  const programs::LibraryCall library_call(function);
  Program& self = caller(library_call);
  const auto& machines = system_by_now(self).machines();
  if (number < 0 || static_cast<std::size_t>(number) >= machines.size())
    refuse(self, function, fmt::format("machine is {}, but there are machines 0 to {}", number, machines.size() - 1));
  return machines[static_cast<std::size_t>(number)];
}

}  // namespace

}  // namespace hindcast::nexus

using namespace hindcast;

extern "C" {

int nexus_machines(void) {
  return static_cast<int>(
      nexus::system_by_now(nexus::caller(programs::LibraryCall("nexus_machines"))).machines().size());
}

int nexus_machine_of(int context) {
  const programs::LibraryCall library_call("nexus_machine_of");
  nexus::Program& self = nexus::caller(library_call);
  nexus::check_context(self, "nexus_machine_of", context);
  return self.context().system().machine_of(context);
}

const char* nexus_machine_name(int machine) {
  return nexus::machine_of_number("nexus_machine_name", machine).name.c_str();
}

int nexus_machine_contexts(int machine) {
  return static_cast<int>(nexus::machine_of_number("nexus_machine_contexts", machine).contexts.size());
}

int nexus_machine_processors(int machine) {
  return nexus::machine_of_number("nexus_machine_processors", machine).processors;
}

const char* nexus_context_methods(int context) {
  const programs::LibraryCall library_call("nexus_context_methods");
  nexus::Program& self = nexus::caller(library_call);
  nexus::check_context(self, "nexus_context_methods", context);
  std::vector<std::string> names;
  for (const auto& method : self.context().system().context(context).methods()) names.push_back(method->name());
  return self.context().system().keep_text(fmt::format("{}", fmt::join(names, " ")));
}

const char* nexus_resource_database(void) {
  const std::string& path = nexus::caller(programs::LibraryCall("nexus_resource_database")).context().system().database;
  return path.empty() ? nullptr : path.c_str();
}
}  // extern "C"
