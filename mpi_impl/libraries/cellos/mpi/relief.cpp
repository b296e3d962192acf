// What is done about a ring buffer that is full of messages which come too early, while the rank waits in a call and
// one finds no room that has to come in all the same: in a collective any; else one that a receive waits for, or whose
// sender may not be held up by it. The rank copies the first message to its own memory, where it is found when it is
// asked for. Ranks that wait for each other in this way would wait for ever, though the program is right. One that
// counts on room for messages which MPI lets wait in their senders still does.
#include <utility>

#include "mpi_impl/libraries/cellos/mpi/endpoint.hpp"
#include "mpi_impl/libraries/cellos/mpi/keys.hpp"

namespace hindcast::mpi {

using cellos::Message;

namespace {

// Of the messages in the queue. With the contexts of those to come, they are all that the ring buffer has if nothing
// else is about to leave it.
struct Queued {
  Message* first = nullptr;
  std::uint64_t bytes = 0;
};

Queued queued_in(cellos::Mailbox& mailbox) {
  Queued queued;
  mailbox.for_each([&](Message& message) {
    if (message.bytes == Bytes()) return;
    queued.bytes += message.bytes.count();
    if (queued.first == nullptr || message.turn < queued.first->turn) queued.first = &message;
  });
  return queued;
}

}  // namespace

bool CellosEndpoint::has_to_make_room() {
  if (collective_receives_ > 0) return cell_.ring().has_waiting();
  return cell_.ring().is_any_waiting([](const Transfer& transfer) {
    const auto& message = static_cast<const Message&>(transfer);
    return message.must_enter || message.is_notice || message.receiver->mailbox(message.space).expects(message.key);
  });
}

// When the thread's own time has come, and it waits: that it has to may turn out then.
void CellosEndpoint::room_is_wanted() {
  Engine& engine = cell_.system().engine();
  const Time soon = later_of(library_thread().clock(), engine.now()) + Time::ps(1);
  ++looks_for_room_;
  engine.at(soon, EventKind::hardware, owner_, *this, looks_for_room);
}

void CellosEndpoint::make_room() {
  const Thread& thread = library_thread();
  const bool waits = thread.state() == Thread::State::waiting;
  if (!waits || unloading_ != Bytes() || !has_to_make_room()) return;
  if (thread.clock() > cell_.system().engine().now()) return room_is_wanted();
  const Queued queued = queued_in(mailbox());
  const std::uint64_t contexts = contexts_told_ * carrier_.context_message_bytes().count();
  if (queued.first != nullptr && Bytes(queued.bytes + contexts) == cell_.ring().used()) unload(*queued.first);
}

void CellosEndpoint::unload(Message& message) {
  Thread& thread = library_thread();
  cellos::CostOfSteps cost;
  carrier_.spend_receive(cost, message, message.payload_bytes);
  const Time start = thread.interrupt(cost.sum());
  cellos::ServedSteps steps(thread, start);
  carrier_.spend_receive(steps, message, message.payload_bytes);
  unloading_ = std::exchange(message.bytes, Bytes());
  cell_.system().engine().at(steps.at(), EventKind::hardware, owner_, *this, is_unloaded);
}

void CellosEndpoint::fire_of_room(std::uint64_t what) {
  if (what == is_unloaded)
    cell_.ring().release(std::exchange(unloading_, Bytes()));
  else
    --looks_for_room_;
  make_room();
}

}  // namespace hindcast::mpi
