// What is done about a ring buffer that is full of messages which come too early, while the rank waits in a call, or
// looks for something in one, and a message finds no room that has to come in all the same: in a collective any; else
// one that a receive waits for, or whose sender may not be held up by it. The rank copies the first message to its own
// memory, where it is found when it is asked for; and when none is left, what has told the contexts of those to come,
// which may leave too little room for the longest. Ranks that wait for each other in this way would wait for ever,
// though the program is right. One that counts on room for messages which MPI lets wait in their senders still does.
#include <utility>

#include "mpi_impl/libraries/cellos/mpi/endpoint.hpp"
#include "mpi_impl/libraries/cellos/mpi/keys.hpp"

namespace hindcast::mpi {

using cellos::Message;

bool CellosEndpoint::has_to_make_room() {
  if (collective_receives_ > 0) return cell_.ring().has_waiting();
  return cell_.ring().is_any_waiting([](const Transfer& transfer) {
    const auto& message = static_cast<const Message&>(transfer);
    return message.must_enter || message.is_notice || message.receiver->mailbox(message.space).expects(message.key);
  });
}

// When the thread's own time has come, and it waits: that it has to may turn out then. Who looks already at that time
// does so for all. Each message that comes asks for it, and while the thread works on what has come its time moves on:
// thousands would look in vain each time, and again later.
void CellosEndpoint::room_is_wanted() {
  Engine& engine = cell_.system().engine();
  const Time soon = later_of(library_thread().clock(), engine.now()) + Time::ps(1);
  if (soon == looks_for_room_at_) return;
  looks_for_room_at_ = soon;
  ++looks_for_room_;
  engine.at(soon, EventKind::hardware, owner_, *this, looks_for_room);
}

// With the contexts of those to come, the messages in the queue are all that the ring buffer has if nothing else is
// about to leave it. Nothing if it has something else.
CellosEndpoint::InTheWay CellosEndpoint::what_is_in_the_way() {
  const cellos::InRingBuffer& queued = mailbox().in_ring_buffer();
  const std::uint64_t contexts = contexts_told_ - contexts_kept_;
  const Bytes of_contexts(contexts * carrier_.context_message_bytes().count());
  if (queued.bytes() + of_contexts != cell_.ring().used()) return {};
  if (queued.first() != nullptr) return {queued.first(), 0};
  return {nullptr, contexts > 1 ? contexts : 0};
}

template <typename Spender>
void CellosEndpoint::spend_unloading(Spender& by, const InTheWay& what) const {
  if (what.message != nullptr) carrier_.spend_receive(by, *what.message, what.message->payload_bytes);
  for (std::uint64_t i = 0; i < what.contexts; ++i) carrier_.spend_receive_of_context(by);
}

void CellosEndpoint::unload(const InTheWay& what) {
  unloading_ = what.message != nullptr ? mailbox().unload(*what.message)
                                       : Bytes(what.contexts * carrier_.context_message_bytes().count());
  contexts_kept_ += what.contexts;
}

void CellosEndpoint::make_room() {
  Thread& thread = library_thread();
  if (thread.state() != Thread::State::waiting || unloading_ != Bytes() || !has_to_make_room()) return;
  if (thread.clock() > cell_.system().engine().now()) return room_is_wanted();
  const InTheWay what = what_is_in_the_way();
  if (what.is_nothing()) return;
  cellos::CostOfSteps cost;
  spend_unloading(cost, what);
  cellos::ServedSteps steps(thread, thread.interrupt(cost.sum()));
  spend_unloading(steps, what);
  unload(what);
  cell_.system().engine().at(steps.at(), EventKind::hardware, owner_, *this, is_unloaded);
}

// Who only looks again and again never waits, and what it looks for may be behind what has no room. Whether there is
// any is known at the thread's time.
void CellosEndpoint::make_room_in_poll(Thread& thread, const Wait& why) {
  thread.settle(&why);
  if (unloading_ != Bytes() || !has_to_make_room()) return;
  const InTheWay what = what_is_in_the_way();
  if (what.is_nothing()) return;
  spend_unloading(thread, what);
  unload(what);
  thread.settle(&why);
  Engine& engine = cell_.system().engine();
  engine.at(engine.now(), EventKind::hardware, owner_, *this, is_unloaded);
}

void CellosEndpoint::fire_of_room(std::uint64_t what) {
  if (what == is_unloaded)
    cell_.ring().release(std::exchange(unloading_, Bytes()));
  else
    --looks_for_room_;
  make_room();
}

}  // namespace hindcast::mpi
