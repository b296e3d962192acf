// A message that is too long for the system's buffers in parts: an announcement goes by its context and tag, and behind
// it the data in messages as long as the buffers allow, by a number of their own. MPI matches the announcement, and
// expects the parts from then on. Whoever receives it receives them too, as if he had posted a receive for each. So one
// that comes first finds its message, wildcards and probes see one message of the whole length, and what lies between
// two parts is no matter.
//
// The parts do not wait for the receive: their sender (endpoint_of_parts.hpp) is over with each when it lies in the
// send buffer. So they have to come in (relief.cpp), or it could not go on.
#include <algorithm>
#include <cstring>

#include "mpi_impl/libraries/cellos/mpi/acknowledgement.hpp"
#include "mpi_impl/libraries/cellos/mpi/endpoint.hpp"
#include "mpi_impl/libraries/cellos/mpi/keys.hpp"
#include "mpi_impl/libraries/cellos/mpi/pending.hpp"

namespace hindcast::mpi {

using cellos::Message;

namespace {

Announcement announcement_of(const Message& message) {
  Announcement announcement;
  std::memcpy(&announcement, message.data(), sizeof announcement);
  return announcement;
}

ReceiveOperation& taker_of(const Message& message) { return *static_cast<ReceiveOperation*>(message.taken_by); }

}  // namespace

Bytes announced_bytes(const Message& message) { return Bytes(announcement_of(message).bytes); }

// --- on the rank's threads ---

// Which parts are there is known at the thread's time. Those that come later are expected.
void CellosEndpoint::receive_announced(Message& message, ReceiveOperation& receive) {
  Thread::current()->settle();
  std::vector<Message*> there;
  receive_now(message, expect_parts(message, &receive, there));
  for (Message* part : there) receive_now(*part, taker_of(*part));
}

// --- in handlers ---

// A receive in the thread's future looks for the parts then. One that a call waits for, when the call goes on.
void CellosEndpoint::take_announced(Message& message, ReceiveOperation& receive, Time at, EventOrder order) {
  message.taken_by = &receive;
  if (&receive == direct_) {
    direct_ = nullptr;
    return first_taken_directly(message);
  }
  if (at > cell_.system().engine().now())
    return library_thread().insert_work(at, order, *this, reinterpret_cast<std::uint64_t>(&message));
  std::vector<Message*> there;
  message.taken_by = &expect_parts(message, &receive, there);
  arrived({&message, nullptr, carrier_.looks(receive.pattern, nullptr)});
  to_do_ += static_cast<int>(there.size());
  for (Message* part : there) arrived({part, nullptr});
}

// The time of a receive whose announcement had come before it.
void CellosEndpoint::receive_announced_at(Message& message, const Event& event) {
  std::vector<Message*> there;
  if ((event.data & is_received) != 0) {
    there = begin_parts(message);
    to_do_ += static_cast<int>(there.size());
  } else {
    there.push_back(&message);
    message.taken_by = &expect_parts(message, &taker_of(message), there);
    to_do_ += static_cast<int>(there.size()) - 1;
  }
  serve_all_at(there, event);
}

void CellosEndpoint::serve_all_at(const std::vector<Message*>& messages, const Event& event) {
  Thread& thread = library_thread();
  Time sum;
  for (Message* message : messages) sum += cost_of({message, nullptr, 0});
  thread.serve_now(event.order, sum);
  Time at = event.at;
  for (Message* message : messages) {
    const Time end = at + cost_of({message, nullptr, 0});
    complete_receive(*message, cellos::ServedSteps(thread, at, event.order), end, event.order + 1);
    at = end;
  }
}

// Nobody will receive it: neither what has come of it nor the rest.
void CellosEndpoint::throw_parts_away(Message& announcement) {
  std::vector<Message*> there;
  ReceiveOperation& announced = expect_parts(announcement, nullptr, there);
  const Time now = cell_.system().engine().now();
  data_is_there(announcement, announced, now);
  for (Message* part : there) {
    throw_away(*part, taker_of(*part), now);
  }
}

void CellosEndpoint::throw_away(Message& part, ReceiveOperation& piece, Time now) {
  data_is_there(part, piece, now);
  cell_.ring().release(part.bytes);
  cell_.system().free_message(part);
}

// In the kernel, as whoever has asked for that does not wait for the rank.
void CellosEndpoint::PartsThrownAway::take(cellos::Expected& expected, Message& part) {
  auto& pending = static_cast<Pending&>(expected);
  ReceiveOperation& piece = *pending.operation;
  pending.~Pending();
  part.bytes = part.bytes + in_.take_what_told_context();
  in_.throw_away(part, piece, in_.cell_.system().engine().now());
}

// --- either ---

// Adds those that have come to `there`, and returns the receive of the announcement itself.
ReceiveOperation& CellosEndpoint::expect_parts(Message& message, ReceiveOperation* receive,
                                               std::vector<Message*>& there) {
  const Announcement announcement = announcement_of(message);
  const Pattern pattern = parts_of(envelope_of(message), announcement.number);
  LongReceive& whole =
      *long_receives_.emplace_back(std::make_unique<LongReceive>(announcement, pattern, message.message, receive));
  if (receive != nullptr) {
    receive->message = message.message;
    receive->envelope = envelope_of(message);
    receive->bytes = Bytes(announcement.bytes);
  }
  for (ReceiveOperation& part : whole.parts()) {
    Message* found = take_from_queue(pattern);
    if (found == nullptr) {
      expect_part(part);
      continue;
    }
    match(*found, part);
    found->taken_by = &part;
    there.push_back(found);
  }
  return whole.announced();
}

void CellosEndpoint::expect_part(ReceiveOperation& part) {
  auto& pending = *new (part.endpoint_room) Pending();
  pending.key = cellos_key(part.pattern);
  pending.operation = &part;
  if (static_cast<LongReceive::Piece&>(part).whole->is_thrown_away()) {
    pending.taker = &parts_thrown_away_;
  } else {
    pending.taker = this;
    ++to_do_;
  }
  mailbox().expect(pending);
}

void CellosEndpoint::piece_is_there(ReceiveOperation& piece, Time at) {
  LongReceive* whole = static_cast<LongReceive::Piece&>(piece).whole;
  if (!whole->is_there(at)) return;
  std::erase_if(long_receives_, [&](const auto& one) { return one.get() == whole; });
}

}  // namespace hindcast::mpi
