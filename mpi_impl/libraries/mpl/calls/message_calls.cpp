// The functions of mpl.h for messages of two tasks: arguments are checked here.
#include <fmt/format.h>

#include "mpi_impl/libraries/mpl/calls/bodies.hpp"
#include "mpi_impl/libraries/mpl/calls/call.hpp"

namespace hindcast::mpl {

namespace {

struct SendArguments {
  const char* function;
  const void* data;
  std::size_t bytes;
  int to;
  int type;
  const char* length = "argument 2 (msglen)";
};

void check(Node& self, const SendArguments& send) {
  check_buffer(self, send.function, {send.data, send.bytes, 1, send.length});
  check_task(self, send.function, "argument 3 (dest)", send.to);
  if (send.type < 0)
    refuse(self, send.function, fmt::format("argument 4 (type) is {}; a type is 0 to {}", send.type, type_max));
}

Outgoing outgoing(Node& self, const SendArguments& send) {
  const Bytes bytes(send.bytes);
  Thread::current()->mark(marks_of_messages.sent, self.upcoming_message(), bytes.count(),
                          self.system().node(send.to).rank().id);
  return {send.to, {context_of_programs, self.task(), send.type}, send.data, bytes};
}

// What a receive or a probe asks for.
matching::Key pattern_of(Node& self, const char* function, const int* source, const int* type) {
  check_pointer(self, function, "the source", source);
  check_pointer(self, function, "the type", type);
  if (*source != dontcare) check_task(self, function, "*source", *source);
  if (*type < 0 && *type != dontcare)
    refuse(self, function, fmt::format("*type is {}; a type is 0 to {}, and {} is any", *type, type_max, dontcare));
  return {context_of_programs, *source, *type};
}

MessageWait receive_wait(const char* function, const matching::Key& pattern) {
  return {function, "for a message from", pattern.source, pattern.tag};
}

void check_room(Node& self, const char* function, const BufferReceive& receive) {
  if (receive.bytes > receive.room())
    refuse(
        self, function,
        fmt::format("the message of {} bytes from task {}, type {}, is longer than the receive's buffer of {} bytes; "
                    "make the buffer, and msglen, at least as large",
                    receive.bytes.count(), receive.sent_as.source, receive.sent_as.tag, receive.room().count()));
}

void tell(const BufferReceive& receive, int* source, int* type) {
  *source = receive.sent_as.source;
  *type = receive.sent_as.tag;
  Thread::current()->mark(marks_of_messages.received, receive.over.message, receive.bytes.count(),
                          sender_of(receive.over.message));
}

int receive_blocking(Node& self, const char* function, const Buffer& into, int* source, int* type) {
  check_buffer(self, function, into);
  const matching::Key pattern = pattern_of(self, function, source, type);
  BufferReceive receive(const_cast<void*>(into.data), Bytes(into.bytes));
  self.receive_and_wait(receive, pattern, receive_wait(function, pattern));
  check_room(self, function, receive);
  tell(receive, source, type);
  return static_cast<int>(receive.bytes.count());
}

Request& request_of(Node& self, const char* function, int id) {
  if (Request* request = self.requests().find(id)) return *request;
  refuse(self, function,
         fmt::format("the message id is {}, but no message in progress has it; give what the call that began it has "
                     "set, once",
                     id));
}

// Its bytes.
int end_request(Node& self, const char* function, int id) {
  Request& request = self.requests()[id];
  Bytes bytes = request.sent_bytes;
  if (request.receive) {
    BufferReceive& receive = *request.receive;
    check_room(self, function, receive);
    self.end_receive(receive.left_to_copy, receive.over.message);
    tell(receive, request.source, request.type);
    bytes = receive.bytes;
  }
  self.requests().end(id);
  return static_cast<int>(bytes.count());
}

class RequestsWait final : public Wait {
 public:
  RequestsWait(const char* function, int id) : function_(function), id_(id) {}
  BlockedOn describe() const override {
    const bool is_one = id_ != dontcare && id_ != all_messages;
    return {function_, is_one ? fmt::format("for message id {}", id_) : "for messages in progress", {}};
  }

 private:
  const char* function_;
  int id_;
};

// The one of those in progress that is over first; of several at one time, that of the least id.
int wait_for_any(Node& self, const Wait& why) {
  Thread& thread = *Thread::current();
  thread.settle(&why);
  for (;;) {
    int first = 0;
    for (auto& [id, request] : self.requests().all())
      if (request.over().is_known() && (first == 0 || request.over().at() < self.requests()[first].over().at()))
        first = id;
    if (first != 0) {
      thread.idle_until(self.requests()[first].over().at(), why);
      return first;
    }
    Gate gate(thread);
    gate.open_at_first();
    for (auto& [id, request] : self.requests().all()) gate.add(request.over());
    gate.pass(why);
    for (auto& [id, request] : self.requests().all()) Gate::forget(request.over());
  }
}

}  // namespace

namespace bodies {

int mpc_bsend(const programs::LibraryCall& call, const void* outmsg, size_t msglen, int dest, int type) {
  Node& self = caller(call);
  const SendArguments send{call.function(), outmsg, msglen, dest, type};
  check(self, send);
  self.send_and_wait(outgoing(self, send), MessageWait(call.function(), "until it has left for", dest, type));
  return 0;
}

int mpc_brecv(const programs::LibraryCall& call, void* inmsg, size_t msglen, int* source, int* type, int* nbytes) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 5 (nbytes)", nbytes);
  *nbytes = receive_blocking(self, call.function(), {inmsg, msglen, 1, "argument 2 (msglen)"}, source, type);
  return 0;
}

int mpc_bsendrecv(const programs::LibraryCall& call, const void* outmsg, size_t outlen, int dest, int type, void* inmsg,
                  size_t inlen, int* source, int* nbytes) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 8 (nbytes)", nbytes);
  check_buffer(self, call.function(), {inmsg, inlen, 5, "argument 6 (inlen)"});
  const SendArguments send{call.function(), outmsg, outlen, dest, type, "argument 2 (outlen)"};
  check(self, send);
  int type_received = type;
  const matching::Key pattern = pattern_of(self, call.function(), source, &type_received);
  BufferReceive receive(inmsg, Bytes(inlen));
  self.post(receive, pattern);
  self.send_and_wait(outgoing(self, send), MessageWait(call.function(), "until it has left for", dest, type));
  wait_for(receive.over, receive_wait(call.function(), pattern));
  self.end_receive(receive.left_to_copy, receive.over.message);
  check_room(self, call.function(), receive);
  tell(receive, source, &type_received);
  *nbytes = static_cast<int>(receive.bytes.count());
  return 0;
}

int mpc_send(const programs::LibraryCall& call, const void* outmsg, size_t msglen, int dest, int type, int* msgid) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 5 (msgid)", msgid);
  const SendArguments send{call.function(), outmsg, msglen, dest, type};
  check(self, send);
  *msgid = self.requests().add();
  Request& request = self.requests()[*msgid];
  request.sent_bytes = Bytes(msglen);
  Outgoing message = outgoing(self, send);
  message.sent = &request.sent;
  self.send(message);
  return 0;
}

int mpc_recv(const programs::LibraryCall& call, void* inmsg, size_t msglen, int* source, int* type, int* msgid) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 5 (msgid)", msgid);
  check_buffer(self, call.function(), {inmsg, msglen, 1, "argument 2 (msglen)"});
  const matching::Key pattern = pattern_of(self, call.function(), source, type);
  *msgid = self.requests().add();
  Request& request = self.requests()[*msgid];
  request.source = source;
  request.type = type;
  self.post(request.receive.emplace(inmsg, Bytes(msglen)), pattern);
  return 0;
}

// That it is not over is known only at the thread's time.
int mpc_status(const programs::LibraryCall& call, int msgid) {
  Node& self = caller(call);
  Request& request = request_of(self, call.function(), msgid);
  Thread& thread = *Thread::current();
  const RequestsWait why(call.function(), msgid);
  self.look(why);
  if (!request.over().holds_at(thread.clock())) thread.settle(&why);
  if (!request.over().holds_at(thread.clock())) return -1;
  return end_request(self, call.function(), msgid);
}

int mpc_wait(const programs::LibraryCall& call, int* msgid, int* nbytes) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 1 (msgid)", msgid);
  check_pointer(self, call.function(), "argument 2 (nbytes)", nbytes);
  const RequestsWait why(call.function(), *msgid);
  *nbytes = 0;
  if (*msgid == all_messages) {
    while (!self.requests().all().empty()) *nbytes = end_request(self, call.function(), wait_for_any(self, why));
    return 0;
  }
  if (*msgid == dontcare) {
    if (self.requests().all().empty())
      refuse(self, call.function(), "*msgid stands for any message, but none is in progress");
    *msgid = wait_for_any(self, why);
  } else {
    wait_for(request_of(self, call.function(), *msgid).over(), why);
  }
  *nbytes = end_request(self, call.function(), *msgid);
  return 0;
}

// That there is none is known only at the thread's time.
int mpc_probe(const programs::LibraryCall& call, int* source, int* type, int* nbytes) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 3 (nbytes)", nbytes);
  const matching::Key pattern = pattern_of(self, call.function(), source, type);
  const MessageWait why = receive_wait(call.function(), pattern);
  self.look(why);
  Thread& thread = *Thread::current();
  const Message* message = self.find(pattern);
  if (message == nullptr) {
    thread.settle(&why);
    message = self.find(pattern);
  }
  *nbytes = -1;
  if (message == nullptr) return 0;
  *source = message->key.source;
  *type = message->key.tag;
  *nbytes = static_cast<int>(message->payload_bytes.count());
  return 0;
}

}  // namespace bodies

}  // namespace hindcast::mpl
