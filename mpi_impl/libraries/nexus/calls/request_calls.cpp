// The functions of nexus.h about contexts, global pointers, requests and buffers.
#include <fmt/format.h>

#include <cstring>
#include <new>

#include "mpi_impl/libraries/nexus/calls/call.hpp"

using namespace hindcast;
using nexus::caller;
using nexus::CallWait;
using nexus::Program;
using nexus::refuse;

extern "C" {

int nexus_context(void) { return caller(programs::LibraryCall("nexus_context")).context().number(); }
int nexus_contexts(void) { return nexus::system_by_now(caller(programs::LibraryCall("nexus_contexts"))).contexts(); }

void nexus_register_handlers(const nexus_handler_t* handlers, int count) {
  const programs::LibraryCall library_call("nexus_register_handlers");
  Program& self = caller(library_call);
  if (count < 0) refuse(self, "nexus_register_handlers", fmt::format("count is {}; it must not be negative", count));
  if (count > 0) nexus::check_pointer(self, "nexus_register_handlers", "handlers", handlers);
  for (int i = 0; i < count; ++i)
    if (handlers[i].function == nullptr ||
        (handlers[i].type != NEXUS_NONTHREADED_HANDLER && handlers[i].type != NEXUS_THREADED_HANDLER))
      refuse(self, "nexus_register_handlers",
             fmt::format("handler {} has no function, or a type that there is not", i));
  self.register_handlers(handlers, count);
}

// --- global pointers ---

void nexus_global_pointer(nexus_global_pointer_t* pointer, void* address) {
  const programs::LibraryCall library_call("nexus_global_pointer");
  Program& self = caller(library_call);
  nexus::check_pointer(self, "nexus_global_pointer", "pointer", pointer);
  *pointer = {self.context().number(), 0, address};
}

void nexus_context_pointer(nexus_global_pointer_t* pointer, int context) {
  const programs::LibraryCall library_call("nexus_context_pointer");
  Program& self = caller(library_call);
  nexus::check_pointer(self, "nexus_context_pointer", "pointer", pointer);
  nexus::check_context(self, "nexus_context_pointer", context);
  *pointer = {context, 0, nullptr};
}

int nexus_is_local(const nexus_global_pointer_t* pointer) {
  const programs::LibraryCall library_call("nexus_is_local");
  Program& self = caller(library_call);
  nexus::check_global(self, "nexus_is_local", pointer);
  return pointer->context == self.context().number() ? 1 : 0;
}

void nexus_allow_attach(int number, const nexus_global_pointer_t* pointer) {
  const programs::LibraryCall library_call("nexus_allow_attach");
  Program& self = caller(library_call);
  nexus::check_global(self, "nexus_allow_attach", pointer);
  self.allow_attach(number, *pointer);
}

void nexus_disallow_attach(int number) {
  const programs::LibraryCall library_call("nexus_disallow_attach");
  Program& self = caller(library_call);
  if (!self.disallow_attach(number))
    refuse(self, "nexus_disallow_attach", fmt::format("number is {}, but nothing has been left there", number));
}

int nexus_attach(int context, int number, nexus_global_pointer_t* pointer) {
  const programs::LibraryCall library_call("nexus_attach");
  Program& self = caller(library_call);
  nexus::check_pointer(self, "nexus_attach", "pointer", pointer);
  nexus::check_context(self, "nexus_attach", context);
  const CallWait why("nexus_attach", fmt::format("for what context {} has left at {}", context, number), {context});
  return self.attach(context, number, *pointer, why) ? 0 : 1;
}

// --- requests ---

void nexus_init_remote_service_request(nexus_buffer_t* buffer, const nexus_global_pointer_t* pointer, int handler) {
  const programs::LibraryCall library_call("nexus_init_remote_service_request");
  Program& self = caller(library_call);
  nexus::check_pointer(self, "nexus_init_remote_service_request", "buffer", buffer);
  nexus::check_global(self, "nexus_init_remote_service_request", pointer);
  if (handler < 0)
    refuse(self, "nexus_init_remote_service_request", fmt::format("handler is {}; it must not be negative", handler));
  nexus_buffer& made = self.new_buffer();
  made.pointer = *pointer;
  made.handler = handler;
  made.number = self.context().take_message_number();
  *buffer = &made;
}

void nexus_send_remote_service_request(nexus_buffer_t* buffer) {
  const programs::LibraryCall library_call("nexus_send_remote_service_request");
  Program& self = caller(library_call);
  nexus::check_pointer(self, "nexus_send_remote_service_request", "buffer", buffer);
  nexus_buffer& request = nexus::check_buffer(self, "nexus_send_remote_service_request", *buffer);
  if (request.use != nexus_buffer::Use::to_be_sent)
    refuse(self, "nexus_send_remote_service_request", "buffer has been received; make one for each request");
  const int to = request.pointer.context;
  self.send(request, CallWait("nexus_send_remote_service_request", fmt::format("to context {}", to), {to}));
  *buffer = nullptr;
}

int nexus_poll(void) {
  const programs::LibraryCall library_call("nexus_poll");
  nexus::Context& context = caller(library_call).context();
  const CallWait why("nexus_poll", "for requests");
  if (context.poll(why)) return 1;
  if (context.is_polled_by_another()) context.look_beside(why);
  return 0;
}

// --- buffers ---

size_t nexus_buffer_bytes(nexus_buffer_t buffer) {
  const nexus_buffer& own =
      nexus::check_buffer(caller(programs::LibraryCall("nexus_buffer_bytes")), "nexus_buffer_bytes", buffer);
  return own.bytes.size() - own.got;
}

nexus_buffer_t nexus_keep_buffer(nexus_buffer_t buffer) {
  const programs::LibraryCall library_call("nexus_keep_buffer");
  Program& self = caller(library_call);
  const nexus_buffer& own = nexus::check_buffer(self, "nexus_keep_buffer", buffer);
  nexus_buffer& kept = self.new_buffer();
  kept.use = nexus_buffer::Use::kept;
  kept.bytes = own.bytes;
  kept.got = own.got;
  kept.number = own.number;
  return &kept;
}

void nexus_free_buffer(nexus_buffer_t* buffer) {
  const programs::LibraryCall library_call("nexus_free_buffer");
  Program& self = caller(library_call);
  nexus::check_pointer(self, "nexus_free_buffer", "buffer", buffer);
  self.free(nexus::check_buffer(self, "nexus_free_buffer", *buffer));
  *buffer = nullptr;
}

void nexus_put_bytes(nexus_buffer_t buffer, const void* data, size_t count, size_t size) {
  const programs::LibraryCall library_call("nexus_put");
  Program& self = caller(library_call);
  nexus_buffer& own = nexus::check_buffer(self, "nexus_put", buffer);
  if (count > 0) nexus::check_pointer(self, "nexus_put", "data", data);
  const auto* first = static_cast<const std::byte*>(data);
  try {
    if (size > 0 && count > own.bytes.max_size() / size) throw std::bad_alloc();
    own.bytes.insert(own.bytes.end(), first, first + count * size);
  } catch (const std::bad_alloc&) {
    refuse(self, "nexus_put", fmt::format("there is no room for {} elements of {} B", count, size));
  }
  Thread::current()->spend(self.costs().put, count * size, own.number);
}

void nexus_get_bytes(nexus_buffer_t buffer, void* data, size_t count, size_t size) {
  const programs::LibraryCall library_call("nexus_get");
  Program& self = caller(library_call);
  nexus_buffer& own = nexus::check_buffer(self, "nexus_get", buffer);
  if (count > 0) nexus::check_pointer(self, "nexus_get", "data", data);
  const size_t left = own.bytes.size() - own.got;
  if (size > 0 && count > left / size)
    refuse(
        self, "nexus_get",
        fmt::format("{} elements of {} B are wanted, but the buffer has {} B left; get what has been put, in the same "
                    "order",
                    count, size, left));
  if (count > 0) std::memcpy(data, own.bytes.data() + own.got, count * size);
  own.got += count * size;
  Thread::current()->spend(self.costs().get, count * size, own.number);
}
}  // extern "C"
