// The functions of cellos.h.
#include <fmt/format.h>

#include <cstdint>

#include "mpi_impl/libraries/cellos/include/cellos.h"
#include "mpi_impl/libraries/cellos/native/arguments.hpp"
#include "mpi_impl/libraries/cellos/native/cell.hpp"

namespace hindcast::cellos {

namespace {

const StepKind clock_read{"clock read", "processor.clock_read"};

void send(const Call& call, const void* data, int bytes) {
  const programs::LibraryCall library_call(call.function);
  Cell& self = caller(library_call);
  check_peer(self, call, false);
  check_data(self, call, 3, data, bytes, "bytes");
  const Bytes size(static_cast<std::uint64_t>(bytes));
  check_length(self, call, 4, size);
  Thread::current()->mark(marks_of_messages.sent, self.upcoming_message(), size.count(),
                          self.system().numbers().rank_of(call.cell));
  self.send({call.function, call.cell, call.space, call.key(self.number()), data, size});
}

void broadcast(const Call& call, const void* data, int bytes) {
  const programs::LibraryCall library_call(call.function);
  Cell& self = caller(library_call);
  check_type(self, call, 1, "");
  check_data(self, call, 2, data, bytes, "bytes");
  const Bytes size(static_cast<std::uint64_t>(bytes));
  check_length(self, call, 3, size);
  Thread::current()->mark(marks_of_messages.sent, self.upcoming_message(), size.count(), to_all_cells);
  self.broadcast({call.function, to_all_cells, call.space, call.key(self.number()), data, size});
}

class ReceiveWait final : public Wait {
 public:
  ReceiveWait(const Cell& self, const Call& call) : numbers_(self.system().numbers()), call_(call) {}
  BlockedOn describe() const override {
    std::string what = call_.type == L_ANY ? "of any type" : fmt::format("of type {}", call_.type);
    if (call_.space == Space::domains) what += fmt::format(", domain {}", call_.domain);
    if (call_.cell == L_ANY) return {call_.function, what + " from any cell", {}};
    return {
        call_.function, fmt::format("{} from {}", what, cellos::name_of(call_.cell)), {numbers_.rank_of(call_.cell)}};
  }

 private:
  const Numbers& numbers_;
  const Call& call_;
};

void tell(l_message* place, const Message& message) {
  if (place == nullptr) return;
  *place = {message.key.source, message.key.tag, static_cast<int>(message.payload_bytes.count())};
}

int receive(Cell& self, const Call& call, void* data, int room, l_message* place, int offset = 0) {
  Message& message = self.wait_for(call.space, call.key(call.cell), ReceiveWait(self, call));
  tell(place, message);
  const int bytes = static_cast<int>(message.payload_bytes.count());
  const MessageId number = message.message;
  self.copy_out(message, data, Bytes(static_cast<std::uint64_t>(room)), Bytes(static_cast<std::uint64_t>(offset)));
  Thread::current()->mark(marks_of_messages.received, number, static_cast<std::uint64_t>(bytes), sender_of(number));
  return bytes;
}

int receive_whole(const Call& call, void* data, int room, l_message* place) {
  const programs::LibraryCall library_call(call.function);
  Cell& self = caller(library_call);
  check_peer(self, call, true);
  check_data(self, call, 3, data, room, "room");
  return receive(self, call, data, room, place);
}

int receive_part(const Call& call, int offset, void* data, int room, l_message* place) {
  const programs::LibraryCall library_call(call.function);
  Cell& self = caller(library_call);
  check_peer(self, call, true);
  if (offset < 0)
    refuse(self, call.function, fmt::format("{} is {}; it must not be negative", name_of("offset", 3, call), offset));
  check_data(self, call, 4, data, room, "room");
  return receive(self, call, data, room, place, offset);
}

// That there is none is known only at the thread's time.
int probe(const Call& call, l_message* place) {
  const programs::LibraryCall library_call(call.function);
  Cell& self = caller(library_call);
  check_peer(self, call, true);
  Thread& thread = *Thread::current();
  const ReceiveWait why(self, call);
  thread.spend(self.costs().probe.kind, self.costs().probe.cost, 0, 0, &why);
  Mailbox& box = self.mailbox(call.space);
  const Message* message = box.find(call.key(call.cell));
  if (message == nullptr) {
    thread.settle(&why);
    message = box.find(call.key(call.cell));
  }
  if (message == nullptr) return 0;
  tell(place, *message);
  return 1;
}

int change_domains(const char* function, bool (Cell::*change)(std::uint32_t, Space), std::uint32_t domain) {
  return (caller(programs::LibraryCall(function)).*change)(domain, Space::domains) ? 0 : -1;
}

// Raises the flag of one put, get or striding send.
class Flag final : public DoneSink {
 public:
  Flag(Cell& cell, int& flag) : cell_(cell), flag_(flag) {}

 private:
  void done() override {
    ++flag_;
    cell_.flag_raised();
    delete this;
  }
  Cell& cell_;
  int& flag_;
};

class FlagWait final : public Wait {
 public:
  FlagWait(const char* function, const int& flag, int number) : function_(function), flag_(flag), number_(number) {}
  BlockedOn describe() const override {
    return {function_, fmt::format("for a flag to reach {}, which is {}", number_, flag_), {}};
  }

 private:
  const char* function_;
  const int& flag_;
  int number_;
};

using RemoteAccess = void (PutAndGet::*)(Cell&, Cell&, const Strided&, const Strided&, DoneSink&);

void access(const char* function, RemoteAccess access, int cell, const void* there, l_items there_as, const void* here,
            l_items here_as, int* flag) {
  const programs::LibraryCall library_call(function);
  Cell& self = caller(library_call);
  check_peer(self, {function, Space::plain, 0, cell, 0}, false);
  const Strided far = strided(self, function, there, there_as, 2, "there");
  const Strided near = strided(self, function, here, here_as, 4, "here");
  if (far.bytes() != near.bytes())
    refuse(self, function,
           fmt::format("there are {} bytes there (argument 3) and {} here (argument 5); they must be as many",
                       far.bytes().count(), near.bytes().count()));
  check_flag(self, function, 6, flag);
  System& system = self.system();
  (system.put_and_get().*access)(self, system.cell(cell), near, far, *new Flag(self, *flag));
}

void distribute(Direction direction, void* first, l_items as, int apart) {
  const char* function = name_of(direction);
  const programs::LibraryCall library_call(function);
  Cell& self = caller_beside_host(library_call);
  std::uint64_t opposite = 0;
  const DistributedBlock block{strided(self, function, first, as, 1, "block"), apart, &opposite};
  const std::uint64_t bytes = block.items.bytes().count();
  self.system().host().distribution().pass(self, direction, block);
  if (opposite == bytes) return;
  refuse(self, function,
         fmt::format("argument 2 (block_as) is {} bytes, and {} on {}; they must be as many", bytes, opposite,
                     self.is_host() ? "a cell" : "the host"));
}

void striding_send(const Call& call, const void* data, l_items data_as, int* flag) {
  const programs::LibraryCall library_call(call.function);
  Cell& self = caller(library_call);
  check_peer(self, call, false);
  const Strided all = strided(self, call.function, data, data_as, argument(call, 3), "data");
  check_length(self, call, 4, all.bytes());
  check_flag(self, call.function, argument(call, 5), flag);
  Thread::current()->mark(marks_of_messages.sent, self.upcoming_message(), all.bytes().count(),
                          self.system().numbers().rank_of(call.cell));
  self.send_striding({call.function, call.cell, call.space, call.key(self.number())}, all, new Flag(self, *flag));
}

// A pre-receive of a program's, which raises its flag.
class PreReceiveCall final : public PreReceive, private PreReceiveSink {
 public:
  PreReceiveCall(Cell& cell, const Call& call, const Strided& data, l_message* place, int& flag)
      : cell_(cell), place_(place), flag_(flag) {
    key = call.key(call.cell);
    space = call.space;
    to = data;
    sink = this;
  }

 private:
  void received(PreReceive&, Message& message, const Delivery& delivery) override {
    tell(place_, message);
    if (Recorder* recorder = cell_.system().engine().recorder()) mark_received(*recorder, message, delivery);
    cell_.system().free_message(message);
    ++flag_;
    cell_.flag_raised();
    delete this;
  }

  void mark_received(Recorder& recorder, const Message& message, const Delivery& delivery) const {
    Step step{.kind = &marks_of_messages.received,
              .message = message.message,
              .begin = delivery.at,
              .end = delivery.at,
              .amount = message.payload_bytes.count(),
              .order = delivery.order,
              .peer = sender_of(message.message)};
    switch (delivery.by) {
      case DeliveredBy::controller:
        return recorder.in_hardware(cell_.node(), step);
      case DeliveredBy::calling:
        return Thread::current()->mark(*step.kind, step.message, step.amount, step.peer);
      case DeliveredBy::call_in_past:
        return recorder.on_thread(cell_.rank().attendant(), step);
    }
  }

  Cell& cell_;
  l_message* place_;
  int& flag_;
};

void pre_receive(const Call& call, void* data, l_items data_as, l_message* place, int* flag) {
  const programs::LibraryCall library_call(call.function);
  Cell& self = caller(library_call);
  check_peer(self, call, true);
  const Strided all = strided(self, call.function, data, data_as, argument(call, 3), "data");
  check_flag(self, call.function, argument(call, 6), flag);
  self.system().striding().pre_receive(self, *new PreReceiveCall(self, call, all, place, *flag));
}

// The caller of a function whose first argument is a flag.
Cell& caller_with(const int* flag, const programs::LibraryCall& library_call) {
  Cell& self = caller(library_call);
  check_flag(self, library_call.function(), 1, flag);
  return self;
}

template <typename Number>
Number reduce(const Reduction& reduction, Number number) {
  calling_cell(programs::LibraryCall(reduction.call)).reduce(reduction, &number);
  return number;
}

}  // namespace

}  // namespace hindcast::cellos

using namespace hindcast;
using cellos::Space;

extern "C" {

int l_cellid(void) { return cellos::caller(programs::LibraryCall("l_cellid")).number(); }
int l_ncells(void) { return cellos::caller(programs::LibraryCall("l_ncells")).system().cells(); }
double l_clock(void) {
  const Time cost = cellos::caller(programs::LibraryCall("l_clock")).costs().clock_read;
  Thread& thread = *Thread::current();
  thread.spend(cellos::clock_read, cost);
  if (!thread.clock_is_certain()) thread.settle();
  return thread.clock().in_seconds();
}

void l_asend(int cell, int type, const void* data, int bytes) {
  cellos::send({"l_asend", Space::plain, 0, cell, type}, data, bytes);
}
int l_arecv(int cell, int type, void* data, int room, l_message* message) {
  return cellos::receive_whole({"l_arecv", Space::plain, 0, cell, type}, data, room, message);
}
int l_arecv_part(int cell, int type, int offset, void* data, int room, l_message* message) {
  return cellos::receive_part({"l_arecv_part", Space::plain, 0, cell, type}, offset, data, room, message);
}
void cbroad(int type, const void* data, int bytes) {
  cellos::broadcast({"cbroad", Space::plain, 0, L_ANY, type}, data, bytes);
}
int l_aprobe(int cell, int type, l_message* message) {
  return cellos::probe({"l_aprobe", Space::plain, 0, cell, type}, message);
}

void dl_asend(unsigned domain, int cell, int type, const void* data, int bytes) {
  cellos::send({"dl_asend", Space::domains, domain, cell, type}, data, bytes);
}
int dl_arecv(unsigned domain, int cell, int type, void* data, int room, l_message* message) {
  return cellos::receive_whole({"dl_arecv", Space::domains, domain, cell, type}, data, room, message);
}
int dl_arecv_part(unsigned domain, int cell, int type, int offset, void* data, int room, l_message* message) {
  return cellos::receive_part({"dl_arecv_part", Space::domains, domain, cell, type}, offset, data, room, message);
}
void dcbroad(unsigned domain, int type, const void* data, int bytes) {
  cellos::broadcast({"dcbroad", Space::domains, domain, L_ANY, type}, data, bytes);
}
int dl_aprobe(unsigned domain, int cell, int type, l_message* message) {
  return cellos::probe({"dl_aprobe", Space::domains, domain, cell, type}, message);
}

int register_domain(unsigned domain) {
  return cellos::change_domains("register_domain", &cellos::Cell::register_domain, domain);
}
int deregister_domain(unsigned domain) {
  return cellos::change_domains("deregister_domain", &cellos::Cell::deregister_domain, domain);
}

void put(int cell, void* there, l_items there_as, const void* here, l_items here_as, int* flag) {
  cellos::access("put", &cellos::PutAndGet::put, cell, there, there_as, here, here_as, flag);
}
void get(int cell, const void* there, l_items there_as, void* here, l_items here_as, int* flag) {
  cellos::access("get", &cellos::PutAndGet::get, cell, there, there_as, here, here_as, flag);
}

void l_striding_send(int cell, int type, const void* data, l_items data_as, int* flag) {
  cellos::striding_send({"l_striding_send", Space::plain, 0, cell, type}, data, data_as, flag);
}
void dl_striding_send(unsigned domain, int cell, int type, const void* data, l_items data_as, int* flag) {
  cellos::striding_send({"dl_striding_send", Space::domains, domain, cell, type}, data, data_as, flag);
}
void l_pre_receive(int cell, int type, void* data, l_items data_as, l_message* message, int* flag) {
  cellos::pre_receive({"l_pre_receive", Space::plain, 0, cell, type}, data, data_as, message, flag);
}
void dl_pre_receive(unsigned domain, int cell, int type, void* data, l_items data_as, l_message* message, int* flag) {
  cellos::pre_receive({"dl_pre_receive", Space::domains, domain, cell, type}, data, data_as, message, flag);
}

int flag_test(const int* flag, int number) {
  const programs::LibraryCall library_call("flag_test");
  const cellos::FlagWait why("flag_test", *flag, number);
  return cellos::caller_with(flag, library_call).has_reached(*flag, number, why) ? 1 : 0;
}
void flag_wait(const int* flag, int number) {
  cellos::caller_with(flag, programs::LibraryCall("flag_wait"))
      .wait_for_flag(*flag, number, cellos::FlagWait("flag_wait", *flag, number));
}

void sync(void) noexcept { cellos::calling_cell(programs::LibraryCall("sync")).sync("sync"); }
void hsync(void) { cellos::caller_beside_host(programs::LibraryCall("hsync")).sync_with_host("hsync"); }
void h_sscatter(void* block, l_items block_as, int apart) {
  cellos::distribute(cellos::Direction::scatter, block, block_as, apart);
}
void h_rgather(void* block, l_items block_as, int apart) {
  cellos::distribute(cellos::Direction::gather, block, block_as, apart);
}

int xy_isum(int number) { return cellos::reduce(cellos::isum, number); }
int xy_imax(int number) { return cellos::reduce(cellos::imax, number); }
int xy_imin(int number) { return cellos::reduce(cellos::imin, number); }
float xy_fsum(float number) { return cellos::reduce(cellos::fsum, number); }
float xy_fmax(float number) { return cellos::reduce(cellos::fmax, number); }
float xy_fmin(float number) { return cellos::reduce(cellos::fmin, number); }
double xy_dsum(double number) { return cellos::reduce(cellos::dsum, number); }
double xy_dmax(double number) { return cellos::reduce(cellos::dmax, number); }
double xy_dmin(double number) { return cellos::reduce(cellos::dmin, number); }
}  // extern "C"
