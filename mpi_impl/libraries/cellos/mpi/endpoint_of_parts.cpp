#include "mpi_impl/libraries/cellos/mpi/endpoint_of_parts.hpp"

#include <algorithm>
#include <utility>

#include "mpi_impl/libraries/cellos/mpi/acknowledgement.hpp"
#include "mpi_impl/libraries/cellos/mpi/keys.hpp"
#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast::mpi {

namespace {

const Row<LongerMessages> parts_row{{"parts", Longer::goes_in_parts}};

struct FreedSendsWait final : Wait {
  BlockedOn describe() const override {
    return {"MPI_Finalize", "for room for what is left of long messages whose requests have been freed", {}};
  }
};

}  // namespace

class CellosEndpointOfParts::Parts {
 public:
  Parts(const SendOperation& send, int cell, Bytes part, std::uint32_t number)
      : announcement_{send.bytes.count(), static_cast<std::uint32_t>(part.count()), number},
        data_(static_cast<const std::byte*>(send.data)),
        key_(cellos_key(parts_of(send.envelope, number))),
        cell_(cell),
        message_(send.message) {}

  int cell() const { return cell_; }
  cellos::Outgoing announcement(const SendOperation& send, Acknowledgement* awaited) const {
    cellos::Outgoing outgoing = message(&announcement_, Bytes(sizeof announcement_));
    outgoing.key = cellos_key(send.envelope);
    outgoing.note = awaited;
    outgoing.announces = true;
    return outgoing;
  }
  bool is_over() const { return begun_ == announcement_.bytes; }
  Bytes bytes_of_next() const {
    return Bytes(std::min(std::uint64_t(announcement_.part), announcement_.bytes - begun_));
  }
  cellos::Outgoing next() {
    cellos::Outgoing outgoing = message(data_ + begun_, bytes_of_next());
    outgoing.key = key_;
    outgoing.on_behalf_of = message_;
    begun_ += outgoing.bytes.count();
    return outgoing;
  }
  // The program gets its memory back.
  void keep_data(std::unique_ptr<std::byte[]>& kept) {
    kept = std::make_unique_for_overwrite<std::byte[]>(announcement_.bytes);
    copy_bytes(kept.get() + begun_, data_ + begun_, announcement_.bytes - begun_);
    data_ = kept.get();
  }

 private:
  cellos::Outgoing message(const void* data, Bytes bytes) const {
    return {.call = nullptr,
            .cell = cell_,
            .space = {},
            .key = {},
            .data = data,
            .bytes = bytes,
            .takes_arrivals = true,
            .must_enter = true};
  }

  Announcement announcement_;
  const std::byte* data_;
  std::uint64_t begun_ = 0;
  matching::Key key_;
  int cell_;
  MessageId message_;
};

struct CellosEndpointOfParts::Unfinished {
  Unfinished(SendOperation& send, const Parts& parts, Acknowledgement* awaited)
      : send(&send), parts(parts), awaited(awaited) {
    if (awaited != nullptr) awaited->send = &receive;
  }
  bool is_received() const { return awaited != nullptr && receive.is_known(); }

  SendOperation* send;  // null once nobody waits here for its end
  Parts parts;
  Acknowledgement* awaited;  // as long as the message is not received
  SendOperation receive;     // stands for the send where its receive is told
  std::unique_ptr<std::byte[]> kept;
};

CellosEndpointOfParts::CellosEndpointOfParts(cellos::Cell& cell, const Settings& settings)
    : CellosEndpoint(cell, settings), alarm_(cell) {}

CellosEndpointOfParts::~CellosEndpointOfParts() = default;

void CellosEndpointOfParts::send(SendOperation& send) {
  send_parts();
  if (!goes_in_parts(send)) [[likely]]
    return CellosEndpoint::send(send);
  make_progress(*Thread::current());
  send.message = carrier().upcoming_message();
  Acknowledgement* awaited = is_answered(send) ? await_answer(send) : nullptr;
  Parts parts(send, cell_of(send), carrier().longest_message(), ++long_messages_sent_);
  carrier().send(parts.announcement(send, awaited));
  if (must_enter(send)) return go_on_later(send, parts, awaited);
  while (!parts.is_over()) carrier().send(parts.next());
  if (awaited == nullptr) send.complete(Thread::current()->clock());
}

void CellosEndpointOfParts::go_on_later(SendOperation& send, const Parts& parts, Acknowledgement* awaited) {
  Thread& thread = *Thread::current();
  thread.settle();
  thread.rank().stop_running_ahead();
  unfinished_.emplace_back(send, parts, awaited);
  add_to_do(1);
  send_parts();
}

void CellosEndpointOfParts::receive(ReceiveOperation& receive) {
  send_parts();
  CellosEndpoint::receive(receive);
}

void CellosEndpointOfParts::wait(Gate& gate, const Wait& why) {
  CellosEndpoint::wait(gate, why, [&] {
    make_progress(*Thread::current());
    send_parts();
    look_for_room();  // which may have been wanted when the thread did not wait, but copied a part
  });
}

void CellosEndpointOfParts::poll(const Wait& why) {
  CellosEndpoint::poll(why);
  send_parts();
}

void CellosEndpointOfParts::take_arrivals() {
  CellosEndpoint::take_arrivals();
  send_parts();
}

// While a part is copied others of the rank's threads may come here, or the thread itself if it has to wait after all,
// because another process of the cell has taken the room.
void CellosEndpointOfParts::send_parts() {
  if (unfinished_.empty() || is_sending_) return;
  Thread& thread = *Thread::current();
  if (std::ranges::find(woken_for_room_, &thread) == woken_for_room_.end()) {
    cell().waiting_for_send_room().add(thread);
    woken_for_room_.push_back(&thread);
  }
  is_sending_ = true;
  thread.settle();
  for (auto one = unfinished_.begin(); one != unfinished_.end();) {
    send_what_has_room(*one);
    if (one->parts.is_over()) {
      end(*one);
      one = unfinished_.erase(one);
    } else {
      set_alarm_for_next(*one++);
    }
  }
  is_sending_ = false;
  if (!unfinished_.empty()) return;
  for (Thread* woken : woken_for_room_) cell().waiting_for_send_room().remove(*woken);
  woken_for_room_.clear();
  if (none_left_ != nullptr) std::exchange(none_left_, nullptr)->complete(thread.clock());
}

void CellosEndpointOfParts::send_what_has_room(Unfinished& one) {
  while (!one.parts.is_over() && has_room_for_next(one)) carrier().send(one.parts.next());
}

bool CellosEndpointOfParts::has_room_for_next(const Unfinished& one) {
  return buffer_of(one).has_room(carrier().room_for(one.parts.bytes_of_next()), Thread::current()->clock());
}

// Of what lies there and is not on the net yet nobody knows until when: then the thread is woken when that is known.
void CellosEndpointOfParts::set_alarm_for_next(const Unfinished& one) {
  const cellos::SendBuffer::Place* first = buffer_of(one).first();
  if (first != nullptr && first->until != Time::never()) alarm_.set(first->until);
}

void CellosEndpointOfParts::Alarm::set(Time at) {
  if (at == at_) return;
  at_ = at;
  cell_.system().engine().at(at, EventKind::hardware, owner_, *this, 0);
}

void CellosEndpointOfParts::Alarm::fire(const Event&) { cell_.waiting_for_send_room().wake(); }

cellos::SendBuffer& CellosEndpointOfParts::buffer_of(const Unfinished& one) {
  return cell().send_buffer_to(one.parts.cell());
}

// Once the last part is in the send buffer. Whether it is received may still have to be told.
void CellosEndpointOfParts::end(Unfinished& one) {
  add_to_do(-1);
  if (one.send == nullptr) return;
  if (one.awaited != nullptr && !one.is_received()) {
    one.awaited->send = one.send;
    return;
  }
  const Time now = Thread::current()->clock();
  one.send->endpoint_state = nullptr;
  one.send->complete(one.is_received() ? later_of(now, one.receive.at()) : now);
}

CellosEndpointOfParts::Unfinished* CellosEndpointOfParts::unfinished(const SendOperation& send) {
  const auto found = std::ranges::find(unfinished_, &send, &Unfinished::send);
  return found == unfinished_.end() ? nullptr : &*found;
}

// The parts go on without it.
void CellosEndpointOfParts::part_from(SendOperation& send, Unfinished& one) {
  one.parts.keep_data(one.kept);
  one.send = nullptr;
  if (one.awaited != nullptr && !one.is_received())
    one.awaited->send = &send;
  else
    send.endpoint_state = nullptr;
}

// A message of CellOS's is not given back. So one that nobody waits for an answer to is as good as sent.
void CellosEndpointOfParts::cancel(SendOperation& send) {
  Unfinished* one = unfinished(send);
  if (one != nullptr) part_from(send, *one);
  if (one == nullptr || send.endpoint_state != nullptr) return CellosEndpoint::cancel(send);
  send.complete(Thread::current()->clock());
}

void CellosEndpointOfParts::release_buffer(SendOperation& send) {
  if (Unfinished* one = unfinished(send)) part_from(send, *one);
  CellosEndpoint::release_buffer(send);
}

void CellosEndpointOfParts::wait_for_freed_sends() {
  if (unfinished_.empty()) return;
  Completion none_left;
  Gate gate(*Thread::current());
  gate.add(none_left);
  none_left_ = &none_left;
  wait(gate, FreedSendsWait());
}

}  // namespace hindcast::mpi
