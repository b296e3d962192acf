#include "mpi_impl/libraries/cellos/native/cell.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/libraries/cellos/native/steps.hpp"
#include "simulator/engine/memory/short_copy.hpp"
#include "simulator/engine/thread/wait_for_room.hpp"

namespace hindcast::cellos {

namespace {

constexpr Bytes minus(Bytes a, Bytes b) { return a < b ? Bytes() : Bytes(a.count() - b.count()); }

const Reduction& largest_status() {
  static const Reduction reduction{"sync", imax.bytes, imax.combine};
  return reduction;
}

// A send that cannot go on yet.
class SendWait final : public Wait {
 public:
  SendWait(const System& system, const Outgoing& outgoing, const char* what_for, int waits_for)
      : numbers_(system.numbers()), outgoing_(outgoing), what_for_(what_for), waits_for_(waits_for) {}
  BlockedOn describe() const override {
    return {outgoing_.call,
            fmt::format("of {} bytes to {}: {}", outgoing_.bytes.count(),
                        outgoing_.cell == to_all_cells ? "all cells" : name_of(outgoing_.cell), what_for_),
            waits_for_ == to_all_cells ? std::vector<int>() : std::vector<int>{numbers_.rank_of(waits_for_)}};
  }

 private:
  const Numbers& numbers_;
  const Outgoing& outgoing_;
  const char* what_for_;
  int waits_for_;
};

// One call that waits for a message.
class Receiver final : public Taker {
 public:
  explicit Receiver(Thread& thread) : thread_(thread) { expected.taker = this; }
  Expected expected;
  Message* message = nullptr;

 private:
  void take(Expected&, Message& arrived) override {
    message = &arrived;
    thread_.wake();
  }
  bool is_waiting(const Expected&) const override { return thread_.is_idle(); }
  Thread& thread_;
};

}  // namespace

Cell::Cell(System& system, Rank& rank, int node)
    : system_(system),
      rank_(rank),
      node_(system.node(node)),
      costs_(system.numbers().number_of_rank(rank.id) == host_number ? system.host().costs() : system.costs()),
      number_(system.numbers().number_of_rank(rank.id)),
      node_number_(node),
      domains_(*this, system.costs().domains_max),
      memory_service_{costs_.remote_service, costs_.remote_service, {}},
      memory_agent_(rank, memory_service_),
      memory_unit_(node, Bytes(), &memory_agent_) {
  attach(rank, *this);
  system.add({this, &ring(), node});
  node_.add(*this);
  rank.touched_memory = this;
}

Cell::~Cell() {
  if (!has_gone_) let_go();
}

void Cell::let_go() {
  rank_.touched_memory = nullptr;
  detach(rank_, *this);
}

// --- on the rank's threads ---

void Cell::send(const Outgoing& outgoing) {
  Thread& thread = *Thread::current();
  const Costs& costs = this->costs();
  node_.fetch_for_copy(outgoing.data);
  Message& message = new_message(outgoing, in_one_piece(outgoing.data, outgoing.bytes));
  spend_send_start(thread, costs, outgoing.space, message.message);
  if (!costs.line_sending) {
    SendBuffer& buffer = send_buffer_to(outgoing.cell);
    take_send_room(outgoing, message.bytes, buffer);
    spend_copy_in(thread, costs, outgoing.space, outgoing.lead + outgoing.bytes, message.message);
    if (outgoing.bytes > Bytes() && !outgoing.announces) message.source = node_.place_of(outgoing.data, outgoing.bytes);
    message.copied_bytes = outgoing.bytes.count();
    buffer.put(message.bytes, outgoing.cell);
    message.told_of_entry = ToldOfEntry::send_buffer;
    message.buffer = &buffer;
    return thread.act(system_, reinterpret_cast<std::uint64_t>(&message), outgoing.bytes);
  }
  LineSending line{&thread};
  message.told_of_entry = ToldOfEntry::line;
  message.line = &line;
  thread.act(system_, reinterpret_cast<std::uint64_t>(&message), outgoing.bytes);
  wait_until_sent(outgoing, line);
}

void Cell::send_striding(const Outgoing& outgoing, const Strided& data, DoneSink* sent) {
  Thread& thread = *Thread::current();
  Message& message = new_message(outgoing, data);
  if (sent != nullptr) message.told_of_entry = ToldOfEntry::done_sink;
  message.sent = sent;
  spend_send_start(thread, costs(), outgoing.space, message.message);
  thread.act(system_, reinterpret_cast<std::uint64_t>(&message), message.payload_bytes);
}

void Cell::broadcast(const Outgoing& outgoing) {
  Thread& thread = *Thread::current();
  const Bytes bytes = system_.costs().header + outgoing.lead + outgoing.bytes;
  const MessageId number = next_message();  // before it waits, as other threads of the rank send meanwhile
  spend_broadcast_start(thread, costs(), outgoing.space, number);
  take_send_room(outgoing, bytes, node_.broadcast_buffer);
  node_.broadcast_buffer.put(bytes, outgoing.cell);
  Broadcast& broadcast = system_.broadcasts().capture(*this, outgoing);
  broadcast.message = number;
  thread.act(system_.broadcasts(), Broadcasts::request_of(broadcast), outgoing.bytes);
}

bool Cell::register_domain(std::uint32_t domain, Space space) {
  Thread::current()->spend(costs().registration);
  return domains_.add(domain, space);
}

bool Cell::deregister_domain(std::uint32_t domain, Space space) {
  Thread::current()->spend(costs().registration);
  return domains_.remove(domain, space);
}

// A flag may be raised at any time: what it is now is known only when the thread's time has come.
bool Cell::has_reached(const int& flag, int wanted, const Wait& why) {
  Thread& thread = *Thread::current();
  thread.spend(costs().probe.kind, costs().probe.cost, 0, 0, &why);
  thread.settle(&why);
  return flag >= wanted;
}

void Cell::wait_for_flag(const int& flag, int wanted, const Wait& why) {
  Thread::current()->settle(&why);
  while (flag < wanted) waiting_for_flag_.wait_without_polling(why);
}

void Cell::flag_raised() { waiting_for_flag_.wake(); }

void Cell::sync(const char* call) {
  Thread::current()->spend(costs().sync);
  system_.barrier().pass(number(), call);
}

void Cell::begin_sync(Completion& over) {
  Thread::current()->spend(costs().sync);
  system_.barrier().begin(number(), over);
}

void Cell::sync_with_status(bool with_host, std::int32_t& status) {
  Thread::current()->spend(with_host ? costs().host_sync : costs().sync);
  if (with_host)
    system_.host().statuses().pass(rank_.id, largest_status(), &status);
  else
    system_.statuses().pass(number(), largest_status(), &status);
}

void Cell::begin_sync_with_status(bool with_host, std::int32_t& status, Completion& over) {
  Thread::current()->spend(with_host ? costs().host_sync : costs().sync);
  if (with_host)
    system_.host().statuses().begin(rank_.id, largest_status(), &status, over);
  else
    system_.statuses().begin(number(), largest_status(), &status, over);
}

void Cell::reduce(const Reduction& reduction, void* number) {
  Thread::current()->spend(costs().reduction);
  system_.reductions().pass(this->number(), reduction, number);
}

void Cell::sync_with_host(const char* call) {
  Thread::current()->spend(costs().host_sync);
  system_.host().barrier().pass(rank_.id, call);
}

void Cell::begin_sync_with_host(Completion& over) {
  Thread::current()->spend(costs().host_sync);
  system_.host().barrier().begin(rank_.id, over);
}

void Cell::begin_reduce(const Reduction& reduction, void* number, Completion& over) {
  Thread::current()->spend(costs().reduction);
  system_.reductions().begin(this->number(), reduction, number, over);
}

// Work on arrivals takes time, in which what is waited for may have come: whether it has is known at the thread's time.
template <typename IsOver>
void Cell::wait_in_send(const Outgoing& outgoing, const Wait& why, IsOver is_over) {
  Thread& thread = *Thread::current();
  if (outgoing.takes_arrivals) {
    library_->take_arrivals();
    thread.settle(&why);
    if (is_over() || library_->has_arrivals()) return;
  }
  outgoing.takes_arrivals ? waiting_for_send_room().wait(why) : waiting_for_send_room().wait_without_polling(why);
}

void Cell::take_send_room(const Outgoing& outgoing, Bytes bytes, SendBuffer& buffer) {
  if (!buffer.has_room(bytes, Thread::current()->clock())) [[unlikely]]
    wait_for_send_room(outgoing, bytes, buffer);
  buffer.reserve(bytes);
}

// That there is none is known only at the thread's time.
void Cell::wait_for_send_room(const Outgoing& outgoing, Bytes bytes, SendBuffer& buffer) {
  Thread& thread = *Thread::current();
  const SendBuffer::Place* first = buffer.first();
  const SendWait call(system_, outgoing, "no room in the system's send buffer",
                      first != nullptr ? first->to : to_all_cells);
  const WaitForRoom why(call);
  thread.settle(&why);
  while (!buffer.has_room(bytes, thread.clock())) {
    first = buffer.first();
    if (first != nullptr && first->until != Time::never()) {
      thread.pass_until(first->until, why);
    } else {
      wait_in_send(outgoing, why, [&] {
        first = buffer.first();
        return buffer.has_room(bytes, thread.clock()) || (first != nullptr && first->until != Time::never());
      });
    }
  }
}

void Cell::wait_until_sent(const Outgoing& outgoing, const LineSending& line) {
  Thread& thread = *Thread::current();
  const SendWait why(system_, outgoing, "line sending, until the message is on the net", outgoing.cell);
  while (!line.entered) wait_in_send(outgoing, why, [&] { return line.entered; });
  thread.pass_until(line.injected, why);
}

Message& Cell::wait_for(Space space, const matching::Key& pattern, const Wait& why) {
  Mailbox& box = mailbox(space);
  if (Message* message = box.find(pattern)) {
    box.remove(*message);
    return *message;
  }
  Thread& thread = *Thread::current();
  Receiver receiver(thread);
  receiver.expected.key = pattern;
  box.expect(receiver.expected);
  while (receiver.message == nullptr) thread.wait_without_polling(why);
  return *receiver.message;
}

void Cell::copy_out(Message& message, void* to, Bytes room, Bytes offset) {
  Thread& thread = *Thread::current();
  spend_receive(thread, costs(), message.is_misaligned(costs()), copied_of(message, room, offset), message.message);
  deliver(message, to, room, offset);
  received_now(thread, message, to, copied_of(message, room, offset));
  system_.free_message(message);
}

// --- without the thread ---

Bytes Cell::copied_of(const Message& message, Bytes room, Bytes offset) {
  return std::min(minus(message.payload_bytes, offset), room);
}

// Nobody reads a message's data twice, so that the memory which the message has borrowed goes back to the sender.
void Cell::deliver(Message& message, void* to, Bytes room, Bytes offset) {
  copy_short(to, message.data() + offset.count(), copied_of(message, room, offset).count());
  System::give_back_lent(message);
}

Message& Cell::new_message(const Outgoing& outgoing, const Strided& data) {
  Message& message = system_.new_message();
  message.key = outgoing.key;
  message.space = outgoing.space;
  message.note = outgoing.note;
  message.is_notice = outgoing.purpose != 0;
  message.purpose = outgoing.purpose;
  message.must_enter = outgoing.must_enter;
  message.announces = outgoing.announces;
  message.message = outgoing.on_behalf_of != 0 ? outgoing.on_behalf_of : next_message();
  if (outgoing.lent_at != nullptr)
    system_.borrow(message, outgoing);
  else
    system_.capture(message, data);
  address(message, system_.address_of(outgoing.cell), outgoing.lead + message.payload_bytes);
  return message;
}

Message& Cell::new_notice(Cell& to, std::uint8_t purpose, void* note, MessageId on_behalf_of) {
  Message& notice = system_.new_message();
  notice.space = Space::library;
  notice.is_notice = true;
  notice.purpose = purpose;
  notice.note = note;
  notice.message = on_behalf_of;
  address(notice, system_.address_of(to.number()), Bytes());
  return notice;
}

void Cell::address(Message& message, const Address& to, Bytes payload) {
  message.sender = this;
  message.receiver = to.cell;
  message.from = node();
  message.to = to.node;
  message.bytes = system_.costs().header + payload;
  message.room = to.ring;
}

void Cell::arrived(Message& message) {
  if (has_gone_) [[unlikely]]
    return lose(message);
  if (message.is_notice) return library_->noticed(message);
  if (has_domains(message.space) && !domains_.has(message.key.context, message.space)) return discard(message);
  const bool was_expected = mailbox(message.space).put(message);
  if (!was_expected && is_of_library(message.space)) library_->queued(message);
}

bool Cell::receives(const Broadcast& broadcast) const {
  if (!has_domains(broadcast.space)) return !is_host() && number_ < system_.cells();
  return domains_.has(broadcast.key.context, broadcast.space);
}

// The data is the broadcast's.
Message& Cell::new_message_of(Broadcast& broadcast) {
  Message& message = system_.new_message();
  message.key = broadcast.key;
  message.space = broadcast.space;
  message.message = broadcast.message;
  message.payload_in = PayloadIn::broadcast;
  message.broadcast = &broadcast;
  message.is_heard_at = Time();
  message.is_notice = broadcast.purpose != 0;
  message.purpose = broadcast.purpose;
  message.payload = broadcast.payload;
  message.payload_bytes = broadcast.payload_bytes;
  broadcast.sender->address(message, system_.address_of(number_), broadcast.lead + broadcast.payload_bytes);
  return message;
}

void Cell::started(const Broadcast& broadcast) { node_.broadcast_buffer.entered(broadcast.injected); }

Time Cell::interrupt_for(const FixedStep& step, const Broadcast& broadcast) {
  if (has_gone_) return system_.engine().now();
  Thread& thread = rank_.attendant();
  ServedSteps steps(thread, thread.interrupt(step.cost));
  steps.spend(step, broadcast.message);
  return steps.at();
}

}  // namespace hindcast::cellos
