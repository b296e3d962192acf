// The functions of aplib.h: arguments are checked here, and what is wrong is told in one line.
#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "mpi_impl/libraries/aplib/include/aplib.h"
#include "mpi_impl/libraries/aplib/native/together.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/library_call.hpp"

namespace hindcast::aplib {

namespace {

// The calling rank's cell.
Cell& caller(const programs::LibraryCall& call) {
  programs::RunningProgram& program = call.program();
  Cell* cell = Cell::of(program.rank());
  if (cell == nullptr)
    program.launch().abort_run(1, fmt::format("rank {}: {}: this machine has no APlib; run the program on one that "
                                              "has, such as ap3000",
                                              program.rank().id, call.function()));
  return *cell;
}

[[noreturn]] void refuse(Cell& self, const char* function, const std::string& what) {
  self.node().system().end_run(fmt::format("rank {}: {}: {}", self.number(), function, what));
}

// --- arguments ---

struct Sent {
  const char* function;
  int type;
  const void* data;
  int bytes;
};

// `first` is the number of the argument that is the type.
void check(Cell& self, const Sent& sent, int first) {
  if (sent.type < 0)
    refuse(self, sent.function, fmt::format("argument {} (type) is {}; a type is 0 to {}", first, sent.type, INT_MAX));
  if (sent.bytes < 0)
    refuse(self, sent.function,
           fmt::format("argument {} (bytes) is {}; it must not be negative", first + 2, sent.bytes));
  if (sent.data == nullptr && sent.bytes > 0)
    refuse(self, sent.function,
           fmt::format("argument {} (data) is a null pointer, but argument {} (bytes) is {}; give the address of the "
                       "data",
                       first + 1, first + 2, sent.bytes));
  const Bytes bytes(static_cast<std::uint64_t>(sent.bytes));
  if (bytes >= self.settings().crashes_from || bytes > self.node().system().longest_message())
    refuse(self, sent.function,
           fmt::format(
               "the machine crashes: a message of {} bytes; APlib is not robust for {} bytes and more "
               "(aplib.crashes_from, ap3000.system_buffer), so send it in parts",
               sent.bytes,
               std::min(self.settings().crashes_from.count(), self.node().system().longest_message().count() + 1)));
}

void check_cell(Cell& self, const char* function, int cell) {
  if (cell < 0 || cell >= self.cells())
    refuse(
        self, function,
        fmt::format("argument 1 (cell) is {}, but there are cells 0 to {}; give one of them", cell, self.cells() - 1));
}

matching::Key pattern_of(Cell& self, const char* function, int cell, int type) {
  if (cell != L_ANY) check_cell(self, function, cell);
  if (type < 0 && type != L_ANY)
    refuse(self, function, fmt::format("argument 2 (type) is {}; a type is 0 to {}, and -1 is any", type, INT_MAX));
  return {self.settings().of_programs, cell, type};
}

Bytes room_of(Cell& self, const char* function, const void* data, int room) {
  if (room < 0) refuse(self, function, fmt::format("argument 4 (room) is {}; it must not be negative", room));
  if (data == nullptr && room > 0)
    refuse(self, function,
           fmt::format("argument 3 (data) is a null pointer, but argument 4 (room) is {}; give the address of the data",
                       room));
  return Bytes(static_cast<std::uint64_t>(room));
}

// --- what a thread waits for ---

class SendWait final : public Wait {
 public:
  SendWait(const Sent& sent, int to) : sent_(sent), to_(to) {}
  BlockedOn describe() const override {
    return {sent_.function, fmt::format("of {} bytes to cell {}, until they are on the net", sent_.bytes, to_), {to_}};
  }

 private:
  const Sent& sent_;
  int to_;
};

class ReceiveWait final : public Wait {
 public:
  ReceiveWait(const char* function, const matching::Key& pattern) : function_(function), pattern_(pattern) {}
  BlockedOn describe() const override {
    const std::string type = pattern_.tag == L_ANY ? "of any type" : fmt::format("of type {}", pattern_.tag);
    if (pattern_.source == L_ANY) return {function_, type + " from any cell", {}};
    return {function_, fmt::format("{} from cell {}", type, pattern_.source), {pattern_.source}};
  }

 private:
  const char* function_;
  const matching::Key pattern_;
};

class RequestWait final : public Wait {
 public:
  RequestWait(const char* function, int id) : function_(function), id_(id) {}
  BlockedOn describe() const override { return {function_, fmt::format("for message id {}", id_), {}}; }

 private:
  const char* function_;
  int id_;
};

// --- the calls ---

layer::Outgoing outgoing(Cell& self, const Sent& sent, int to) {
  const Bytes bytes(static_cast<std::uint64_t>(sent.bytes));
  Thread::current()->mark(marks_of_messages.sent, self.node().upcoming_message(), bytes.count(), to);
  return {.to = to, .key = {self.settings().of_programs, self.number(), sent.type}, .data = sent.data, .bytes = bytes};
}

void send_to(Cell& self, const Sent& sent, int to) {
  self.node().send_and_wait(outgoing(self, sent, to), SendWait(sent, to));
}

void tell(l_message* message, const matching::Key& key, Bytes bytes) {
  if (message != nullptr) *message = {key.source, key.tag, static_cast<int>(bytes.count())};
}

int end_receive(Cell& self, const layer::BufferReceive& receive, l_message* message) {
  self.node().end_receive(receive.left_to_copy, receive.bytes, receive.over.message);
  tell(message, receive.sent_as, receive.bytes);
  Thread::current()->mark(marks_of_messages.received, receive.over.message, receive.bytes.count(),
                          sender_of(receive.over.message));
  return static_cast<int>(receive.bytes.count());
}

Request& request_of(Cell& self, const char* function, int id) {
  if (Request* request = self.find(id)) return *request;
  refuse(self, function,
         fmt::format("argument 1 (id) is {}, but no message in progress has this id; give what l_begin_send or "
                     "l_begin_recv has returned, once",
                     id));
}

// Of a send nothing is known but that it is done.
int end_request(Cell& self, int id, Request& request, l_message* message) {
  const int bytes = request.receive ? end_receive(self, *request.receive, message) : 0;
  self.end(id);
  return bytes;
}

template <typename Number>
void reduce_number(const char* function, Number* number, int count, Number (*combine)(Number, Number)) {
  const programs::LibraryCall library_call(function);
  Cell& self = caller(library_call);
  if (count != 1)
    refuse(self, function,
           fmt::format("argument 2 (count) is {}; APlib reduces single numbers, so it must be 1", count));
  if (number == nullptr) refuse(self, function, "argument 1 (number) is a null pointer; give the address of a number");
  reduce(self, function, number, Bytes(sizeof(Number)), [combine](void* into, const void* other) {
    auto& sum = *static_cast<Number*>(into);
    sum = combine(sum, *static_cast<const Number*>(other));
  });
}

template <typename Number>
Number sum_of(Number a, Number b) {
  return a + b;
}
// A sum that is too large goes on from the other end, as the machine's did.
template <>
int sum_of(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
template <typename Number>
Number largest_of(Number a, Number b) {
  return std::max(a, b);
}
template <typename Number>
Number smallest_of(Number a, Number b) {
  return std::min(a, b);
}

}  // namespace

}  // namespace hindcast::aplib

using namespace hindcast;

extern "C" {

int l_cellid(void) { return aplib::caller(programs::LibraryCall("l_cellid")).number(); }
int l_ncells(void) { return aplib::caller(programs::LibraryCall("l_ncells")).cells(); }
double l_clock(void) {
  const programs::LibraryCall library_call("l_clock");
  aplib::Cell& self = aplib::caller(library_call);
  Thread& thread = *Thread::current();
  thread.spend(self.node().costs().clock_read);
  if (!thread.clock_is_certain()) thread.settle();
  return thread.clock().in_seconds();
}

void l_asend(int cell, int type, const void* data, int bytes) {
  const programs::LibraryCall library_call("l_asend");
  aplib::Cell& self = aplib::caller(library_call);
  const aplib::Sent sent{"l_asend", type, data, bytes};
  aplib::check_cell(self, "l_asend", cell);
  aplib::check(self, sent, 2);
  aplib::send_to(self, sent, cell);
}

int l_arecv(int cell, int type, void* data, int room, l_message* message) {
  const programs::LibraryCall library_call("l_arecv");
  aplib::Cell& self = aplib::caller(library_call);
  const matching::Key pattern = aplib::pattern_of(self, "l_arecv", cell, type);
  layer::BufferReceive receive(data, aplib::room_of(self, "l_arecv", data, room));
  self.node().post(receive, pattern);
  wait_for(receive.over, aplib::ReceiveWait("l_arecv", pattern));
  return aplib::end_receive(self, receive, message);
}

// That there is none is known only at the thread's time.
int l_aprobe(int cell, int type, l_message* message) {
  const programs::LibraryCall library_call("l_aprobe");
  aplib::Cell& self = aplib::caller(library_call);
  const matching::Key pattern = aplib::pattern_of(self, "l_aprobe", cell, type);
  const aplib::ReceiveWait why("l_aprobe", pattern);
  self.node().look(why);
  Thread::current()->settle(&why);
  const layer::Message* found = self.node().find(pattern);
  if (found == nullptr) return 0;
  aplib::tell(message, found->key, found->payload_bytes);
  return 1;
}

int l_begin_send(int cell, int type, const void* data, int bytes) {
  const programs::LibraryCall library_call("l_begin_send");
  aplib::Cell& self = aplib::caller(library_call);
  const aplib::Sent sent{"l_begin_send", type, data, bytes};
  aplib::check_cell(self, "l_begin_send", cell);
  aplib::check(self, sent, 2);
  const int id = self.new_id();
  layer::Outgoing message = aplib::outgoing(self, sent, cell);
  message.sent = &self.request(id).sent;
  self.node().send(message);
  return id;
}

int l_begin_recv(int cell, int type, void* data, int room) {
  const programs::LibraryCall library_call("l_begin_recv");
  aplib::Cell& self = aplib::caller(library_call);
  const matching::Key pattern = aplib::pattern_of(self, "l_begin_recv", cell, type);
  const Bytes bytes = aplib::room_of(self, "l_begin_recv", data, room);
  const int id = self.new_id();
  self.node().post(self.request(id).receive.emplace(data, bytes), pattern);
  return id;
}

int l_wait(int id, l_message* message) {
  const programs::LibraryCall library_call("l_wait");
  aplib::Cell& self = aplib::caller(library_call);
  aplib::Request& request = aplib::request_of(self, "l_wait", id);
  wait_for(request.over(), aplib::RequestWait("l_wait", id));
  return aplib::end_request(self, id, request, message);
}

// That it is not done is known only at the thread's time.
int l_test(int id, l_message* message) {
  const programs::LibraryCall library_call("l_test");
  aplib::Cell& self = aplib::caller(library_call);
  aplib::Request& request = aplib::request_of(self, "l_test", id);
  Thread& thread = *Thread::current();
  const aplib::RequestWait why("l_test", id);
  self.node().look(why);
  if (!request.over().holds_at(thread.clock())) thread.settle(&why);
  if (!request.over().holds_at(thread.clock())) return 0;
  aplib::end_request(self, id, request, message);
  return 1;
}

void cbroad(int type, const void* data, int bytes) {
  const programs::LibraryCall library_call("cbroad");
  aplib::Cell& self = aplib::caller(library_call);
  const aplib::Sent sent{"cbroad", type, data, bytes};
  aplib::check(self, sent, 1);
  for (int cell = 0; cell < self.cells(); ++cell)
    if (cell != self.number()) aplib::send_to(self, sent, cell);
}

void sync(void) noexcept { aplib::synchronize(aplib::caller(programs::LibraryCall("sync")), "sync"); }

void xy_isum(int* number, int count) { aplib::reduce_number("xy_isum", number, count, aplib::sum_of<int>); }
void xy_imax(int* number, int count) { aplib::reduce_number("xy_imax", number, count, aplib::largest_of<int>); }
void xy_imin(int* number, int count) { aplib::reduce_number("xy_imin", number, count, aplib::smallest_of<int>); }
void xy_fsum(float* number, int count) { aplib::reduce_number("xy_fsum", number, count, aplib::sum_of<float>); }
void xy_fmax(float* number, int count) { aplib::reduce_number("xy_fmax", number, count, aplib::largest_of<float>); }
void xy_fmin(float* number, int count) { aplib::reduce_number("xy_fmin", number, count, aplib::smallest_of<float>); }
void xy_dsum(double* number, int count) { aplib::reduce_number("xy_dsum", number, count, aplib::sum_of<double>); }
void xy_dmax(double* number, int count) { aplib::reduce_number("xy_dmax", number, count, aplib::largest_of<double>); }
void xy_dmin(double* number, int count) { aplib::reduce_number("xy_dmin", number, count, aplib::smallest_of<double>); }

}  // extern "C"
