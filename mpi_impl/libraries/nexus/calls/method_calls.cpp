// The functions of nexus.h about methods and conditions.
#include <fmt/format.h>

#include "mpi_impl/libraries/nexus/calls/call.hpp"

namespace hindcast::nexus {

namespace {

// Null: there is none of this name.
Method* method_named(Program& self, const char* function, const char* name) {
  check_pointer(self, function, "method", name);
  return self.context().method(name);
}

}  // namespace

}  // namespace hindcast::nexus

using namespace hindcast;
using nexus::caller;
using nexus::CallWait;
using nexus::Method;
using nexus::Program;
using nexus::refuse;

extern "C" {

const char* nexus_method(const nexus_global_pointer_t* pointer) {
  const programs::LibraryCall library_call("nexus_method");
  Program& self = caller(library_call);
  nexus::check_global(self, "nexus_method", pointer);
  const Method* method = self.method_of(*pointer);
  if (method != nullptr) return method->name().c_str();
  return pointer->context == self.context().number() ? "local" : "none";
}

int nexus_descriptors(const nexus_global_pointer_t* pointer, nexus_descriptor_t* descriptors, int room) {
  const programs::LibraryCall library_call("nexus_descriptors");
  Program& self = caller(library_call);
  nexus::check_global(self, "nexus_descriptors", pointer);
  if (room > 0) nexus::check_pointer(self, "nexus_descriptors", "descriptors", descriptors);
  nexus::System& system = self.context().system();
  const nexus::Context& other = system.context(pointer->context);
  int count = 0;
  for (const auto& method : other.methods()) {
    const Method* own = self.context().method(method->name());
    const bool leads_there = own != nullptr && &other != &self.context() && own->reaches(other);
    if (count < room)
      descriptors[count] = {method->name().c_str(), system.keep_text(method->descriptor()), leads_there ? 1 : 0};
    ++count;
  }
  return count;
}

int nexus_set_method(nexus_global_pointer_t* pointer, const char* method) {
  const programs::LibraryCall library_call("nexus_set_method");
  Program& self = caller(library_call);
  nexus::check_global(self, "nexus_set_method", pointer);
  if (method == nullptr) {
    pointer->method = 0;
    return 0;
  }
  const Method* own = self.context().method(method);
  const nexus::Context& other = self.context().system().context(pointer->context);
  if (own == nullptr || &other == &self.context() || !other.has(method) || !own->reaches(other)) return 1;
  self.choose(*pointer, *own);
  return 0;
}

int nexus_set_skip(const char* method, int every) {
  const programs::LibraryCall library_call("nexus_set_skip");
  Program& self = caller(library_call);
  if (every < 1) refuse(self, "nexus_set_skip", fmt::format("every is {}; it must be 1 or more", every));
  Method* own = nexus::method_named(self, "nexus_set_skip", method);
  if (own == nullptr) return 1;
  own->every = every;
  return 0;
}

int nexus_skip(const char* method) {
  const programs::LibraryCall library_call("nexus_skip");
  Program& self = caller(library_call);
  const Method* own = nexus::method_named(self, "nexus_skip", method);
  return own != nullptr ? own->every : 0;
}

int nexus_set_buffer_bytes(const char* method, long bytes) {
  const programs::LibraryCall library_call("nexus_set_buffer_bytes");
  Program& self = caller(library_call);
  if (bytes <= 0) refuse(self, "nexus_set_buffer_bytes", fmt::format("bytes is {}; it must be more than 0", bytes));
  Method* own = nexus::method_named(self, "nexus_set_buffer_bytes", method);
  if (own == nullptr) return 1;
  own->set_buffer(Bytes(static_cast<std::uint64_t>(bytes)));
  return 0;
}

// --- conditions ---

void nexus_cond_wait_for(nexus_cond_t* condition, unsigned long turn) {
  const programs::LibraryCall library_call("nexus_cond_wait");
  Program& self = caller(library_call);
  nexus::check_pointer(self, "nexus_cond_wait", "condition", condition);
  const CallWait why("nexus_cond_wait", "for a signal");
  self.context().wait([&] { return condition->signalled >= turn; }, why);
}

void nexus_cond_signal(nexus_cond_t* condition) {
  const programs::LibraryCall library_call("nexus_cond_signal");
  Program& self = caller(library_call);
  nexus::check_pointer(self, "nexus_cond_signal", "condition", condition);
  if (condition->signalled < condition->waiting) ++condition->signalled;
  self.context().look_again();
}

void nexus_cond_broadcast(nexus_cond_t* condition) {
  const programs::LibraryCall library_call("nexus_cond_broadcast");
  Program& self = caller(library_call);
  nexus::check_pointer(self, "nexus_cond_broadcast", "condition", condition);
  condition->signalled = condition->waiting;
  self.context().look_again();
}
}  // extern "C"
