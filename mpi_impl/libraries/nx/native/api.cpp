// The functions of nx.h: arguments are checked here, and what is wrong is told in one line.
#include <fmt/format.h>

#include "mpi_impl/libraries/common/waiting.hpp"
#include "mpi_impl/libraries/nx/include/nx.h"
#include "mpi_impl/libraries/nx/native/node.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/library_call.hpp"

namespace hindcast::nx {

namespace {

constexpr long type_max = INT32_MAX;
constexpr long count_max = INT32_MAX;

// The calling rank's node.
Node& caller(const programs::LibraryCall& call) {
  programs::RunningProgram& program = call.program();
  Node* node = Node::of(program.rank());
  if (node == nullptr)
    program.launch().abort_run(1, fmt::format("rank {}: {}: this machine has no NX (its messages.library is not 'nx'); "
                                              "run the program on one that has",
                                              program.rank().id, call.function()));
  return *node;
}

[[noreturn]] void refuse(Node& self, const char* function, const std::string& what) {
  self.system().end_run(fmt::format("rank {}: {}: {}", self.number(), function, what));
}

// --- arguments ---

void check_type(Node& self, const char* function, long type) {
  if (type < 0 || type > type_max)
    refuse(self, function, fmt::format("argument 1 (type) is {}; a type is 0 to {}", type, type_max));
}

matching::Key pattern_of(Node& self, const char* function, long typesel) {
  if (typesel != NX_ANY && (typesel < 0 || typesel > type_max))
    refuse(self, function,
           fmt::format("argument 1 (typesel) is {}; a type is 0 to {}, and -1 is any", typesel, type_max));
  return {context_of_programs, matching::Key::any, static_cast<std::int32_t>(typesel)};
}

void check_buffer(Node& self, const char* function, const void* data, long count) {
  if (count < 0 || count > count_max)
    refuse(self, function,
           fmt::format("argument 3 (count) is {}; it must not be negative, and at most {}", count, count_max));
  if (data == nullptr && count > 0)
    refuse(self, function,
           fmt::format("argument 2 (buf) is a null pointer, but argument 3 (count) is {}; give the address of the data",
                       count));
}

struct SendArguments {
  const char* function;
  long type;
  const void* data;
  long count;
  long node;
  long process;
};

void check(Node& self, const SendArguments& send, bool may_be_all) {
  check_type(self, send.function, send.type);
  check_buffer(self, send.function, send.data, send.count);
  const int nodes = self.system().ranks();
  if ((send.node < 0 || send.node >= nodes) && !(may_be_all && send.node == NX_ALL))
    refuse(self, send.function,
           fmt::format("argument 4 (node) is {}, but there are nodes 0 to {}; give one of them{}", send.node, nodes - 1,
                       may_be_all ? ", or -1 for all others" : ""));
  if (send.process != 0)
    refuse(self, send.function,
           fmt::format("argument 5 (ptype) is {}; a node has one process, which is 0", send.process));
}

Request& request_of(Node& self, const char* function, long id) {
  if (Request* request = self.program().find(id)) return *request;
  refuse(self, function,
         fmt::format("argument 1 (mid) is {}, but no message in progress has this id; give what isend or irecv has "
                     "returned, once",
                     id));
}

// --- what a thread waits for ---

class SendWait final : public Wait {
 public:
  explicit SendWait(const SendArguments& send, int to) : send_(send), to_(to) {}
  BlockedOn describe() const override {
    return {send_.function, fmt::format("of {} bytes to node {}, until they are on the net", send_.count, to_), {to_}};
  }

 private:
  const SendArguments& send_;
  int to_;
};

class TypeWait final : public Wait {
 public:
  TypeWait(const char* function, long typesel) : function_(function), typesel_(typesel) {}
  BlockedOn describe() const override {
    return {function_, typesel_ == NX_ANY ? "of any type" : fmt::format("of type {}", typesel_), {}};
  }

 private:
  const char* function_;
  long typesel_;
};

class RequestWait final : public Wait {
 public:
  RequestWait(const char* function, long id) : function_(function), id_(id) {}
  BlockedOn describe() const override { return {function_, fmt::format("for message id {}", id_), {}}; }

 private:
  const char* function_;
  long id_;
};

// --- the calls ---

layer::Outgoing outgoing(Node& self, const SendArguments& send, int to) {
  const Bytes bytes(static_cast<std::uint64_t>(send.count));
  Thread::current()->mark(marks_of_messages.sent, self.upcoming_message(), bytes.count(), to);
  const matching::Key key{context_of_programs, self.number(), static_cast<std::int32_t>(send.type)};
  return {.to = to, .key = key, .data = send.data, .bytes = bytes};
}

void send_to(Node& self, const SendArguments& send, int to) {
  self.send_and_wait(outgoing(self, send, to), SendWait(send, to));
}

void send_to_all_others(Node& self, const SendArguments& send) {
  for (int to = 0; to < self.system().ranks(); ++to)
    if (to != self.number()) send_to(self, send, to);
}

void tell(Node& self, const matching::Key& key, Bytes bytes) {
  self.program().info = {static_cast<long>(bytes.count()), key.source, key.tag};
}

void end_receive(Node& self, const char* function, const layer::BufferReceive& receive) {
  if (receive.bytes > receive.room())
    refuse(
        self, function,
        fmt::format("the message of {} bytes from node {}, type {}, is longer than the receive's buffer of {} bytes; "
                    "make the buffer, and argument count, at least as large",
                    receive.bytes.count(), receive.sent_as.source, receive.sent_as.tag, receive.room().count()));
  self.end_receive(receive.left_to_copy, receive.bytes, receive.over.message);
  tell(self, receive.sent_as, receive.bytes);
  Thread::current()->mark(marks_of_messages.received, receive.over.message, receive.bytes.count(),
                          sender_of(receive.over.message));
}

void end_request(Node& self, const char* function, long id, Request& request) {
  if (request.receive) end_receive(self, function, *request.receive);
  self.program().end(id);
}

void receive(const char* function, long typesel, void* data, long count) {
  const programs::LibraryCall library_call(function);
  Node& self = caller(library_call);
  const matching::Key pattern = pattern_of(self, function, typesel);
  check_buffer(self, function, data, count);
  layer::BufferReceive receive(data, Bytes(static_cast<std::uint64_t>(count)));
  self.post(receive, pattern);
  wait_for(receive.over, TypeWait(function, typesel));
  end_receive(self, function, receive);
}

long begin_send(const SendArguments& send) {
  const programs::LibraryCall library_call(send.function);
  Node& self = caller(library_call);
  check(self, send, false);
  const long id = self.program().new_id();
  layer::Outgoing message = outgoing(self, send, static_cast<int>(send.node));
  message.sent = &self.program().request(id).sent;
  self.send(message);
  return id;
}

long begin_receive(const char* function, long typesel, void* data, long count) {
  const programs::LibraryCall library_call(function);
  Node& self = caller(library_call);
  const matching::Key pattern = pattern_of(self, function, typesel);
  check_buffer(self, function, data, count);
  const long id = self.program().new_id();
  Request& request = self.program().request(id);
  self.post(request.receive.emplace(data, Bytes(static_cast<std::uint64_t>(count))), pattern);
  return id;
}

// That it is not done is known only at the thread's time.
bool is_done(const char* function, long id) {
  const programs::LibraryCall library_call(function);
  Node& self = caller(library_call);
  Request& request = request_of(self, function, id);
  Thread& thread = *Thread::current();
  const RequestWait why(function, id);
  self.look(why);
  if (!request.over().holds_at(thread.clock())) thread.settle(&why);
  if (!request.over().holds_at(thread.clock())) return false;
  end_request(self, function, id, request);
  return true;
}

// That there is none is known only at the thread's time.
bool probe(const char* function, long typesel) {
  const programs::LibraryCall library_call(function);
  Node& self = caller(library_call);
  const matching::Key pattern = pattern_of(self, function, typesel);
  const TypeWait why(function, typesel);
  self.look(why);
  const layer::Message* message = self.find(pattern);
  if (message == nullptr) {
    Thread::current()->settle(&why);
    message = self.find(pattern);
  }
  if (message == nullptr) return false;
  tell(self, message->key, message->payload_bytes);
  return true;
}

void wait_for_message(const char* function, long typesel) {
  const programs::LibraryCall library_call(function);
  Node& self = caller(library_call);
  const matching::Key pattern = pattern_of(self, function, typesel);
  const TypeWait why(function, typesel);
  self.look(why);
  const layer::Message& message = self.wait_for_message(pattern, why);
  tell(self, message.key, message.payload_bytes);
}

}  // namespace

}  // namespace hindcast::nx

using namespace hindcast;

extern "C" {

long mynode(void) { return nx::caller(programs::LibraryCall("mynode")).number(); }
long numnodes(void) { return nx::caller(programs::LibraryCall("numnodes")).system().ranks(); }
double dclock(void) {
  const programs::LibraryCall library_call("dclock");
  const nx::Node& self = nx::caller(library_call);
  Thread& thread = *Thread::current();
  thread.spend(self.costs().clock_read);
  if (!thread.clock_is_certain()) thread.settle();
  return thread.clock().in_seconds();
}

void csend(long type, const void* buf, long count, long node, long ptype) {
  const programs::LibraryCall library_call("csend");
  nx::Node& self = nx::caller(library_call);
  const nx::SendArguments send{"csend", type, buf, count, node, ptype};
  nx::check(self, send, true);
  if (node == NX_ALL)
    nx::send_to_all_others(self, send);
  else
    nx::send_to(self, send, static_cast<int>(node));
}
void crecv(long typesel, void* buf, long count) { nx::receive("crecv", typesel, buf, count); }

long isend(long type, const void* buf, long count, long node, long ptype) {
  return nx::begin_send({"isend", type, buf, count, node, ptype});
}
long irecv(long typesel, void* buf, long count) { return nx::begin_receive("irecv", typesel, buf, count); }
void msgwait(long mid) {
  const programs::LibraryCall library_call("msgwait");
  nx::Node& self = nx::caller(library_call);
  nx::Request& request = nx::request_of(self, "msgwait", mid);
  wait_for(request.over(), nx::RequestWait("msgwait", mid));
  nx::end_request(self, "msgwait", mid, request);
}
long msgdone(long mid) { return nx::is_done("msgdone", mid) ? 1 : 0; }

void cprobe(long typesel) { nx::wait_for_message("cprobe", typesel); }
long iprobe(long typesel) { return nx::probe("iprobe", typesel) ? 1 : 0; }

long infocount(void) { return nx::caller(programs::LibraryCall("infocount")).program().info.count; }
long infonode(void) { return nx::caller(programs::LibraryCall("infonode")).program().info.node; }
long infotype(void) { return nx::caller(programs::LibraryCall("infotype")).program().info.type; }

void gsync(void) { nx::caller(programs::LibraryCall("gsync")).gsync(); }
}  // extern "C"
