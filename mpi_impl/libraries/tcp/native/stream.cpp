#include "mpi_impl/libraries/tcp/native/stream.hpp"

#include <algorithm>
#include <cassert>

#include "mpi_impl/libraries/tcp/native/host.hpp"

namespace hindcast::tcp {

namespace {

// What an event of a stream tells, in the lowest bits; the rest is a number of bytes.
enum class News : std::uint64_t { accepted, room, acknowledged, ending, no_answer };
constexpr int news_bits = 3;

std::uint64_t packed(News news, std::size_t bytes) { return bytes << news_bits | static_cast<std::uint64_t>(news); }

}  // namespace

Stream::Stream(System& system, Socket& sender, Socket& receiver, Bytes sender_buffer, Bytes receiver_buffer)
    : system_(system),
      sender_(sender),
      receiver_(receiver),
      sender_buffer_(sender_buffer.count()),
      receiver_buffer_(receiver_buffer.count()),
      segment_(std::min(system.costs().segment.count(), receiver_buffer.count())),
      limit_(receiver_buffer.count()) {}

Host& Stream::from() { return sender_.host(); }
Host& Stream::to() { return receiver_.host(); }

// --- on threads ---

void Stream::reserve(const void* data, std::size_t bytes, MessageId message) {
  assert(bytes <= room());
  const auto* first = static_cast<const std::byte*>(data);
  if (first != nullptr)
    bytes_.insert(bytes_.end(), first, first + bytes);
  else
    bytes_.resize(bytes_.size() + bytes);
  reserved_ += bytes;
  message_ = message;
}

void Stream::begin(Thread& thread, std::size_t bytes) { thread.act(*this, packed(News::accepted, bytes)); }
void Stream::begin_end(Thread& thread) { thread.act(*this, packed(News::ending, 0)); }

// What is left counts as come now: who takes the earliest of several streams takes from each in turn, however much
// comes by one of them.
void Stream::read(void* data, std::size_t bytes) {
  assert(bytes <= ready());
  const auto end = bytes_.begin() + static_cast<std::ptrdiff_t>(bytes);
  if (data != nullptr) std::copy(bytes_.begin(), end, static_cast<std::byte*>(data));
  bytes_.erase(bytes_.begin(), end);
  read_ += bytes;
  ready_since_ = system_.engine().now();
}

void Stream::tell_of_room(Thread& thread, std::size_t bytes) {
  if (bytes > 0) thread.act(*this, packed(News::room, bytes));
}

// --- in handlers ---

void Stream::fire(const Event& event) {
  const auto news = static_cast<News>(event.data & ((1U << news_bits) - 1));
  const std::size_t bytes = event.data >> news_bits;
  const bool is_from_receiver = event.kind() == EventKind::act && news == News::room;
  if (is_from_receiver) return tell_sender(event.data);  // it travels
  switch (news) {
    case News::accepted:
      accepted_ += bytes;
      break;
    case News::room:
      limit_ += bytes;
      break;
    case News::acknowledged:
      acknowledged_ += bytes;
      from().changed();
      break;
    case News::ending:
      is_ending_ = true;
      break;
    case News::no_answer:
      return break_off();
  }
  go_on();
}

// A segment is as long as it may be, unless it has all there is: a sender that is told of a little room waits for more.
void Stream::go_on() {
  for (;;) {
    const std::size_t unsent = accepted_ - sent_;
    const std::size_t piece = std::min(unsent, segment_);
    if (piece == 0 || sent_ + piece > limit_) break;
    sent_ += piece;
    let_host_send(piece, false);
  }
  if (!is_ending_ || end_is_sent_ || sent_ < accepted_) return;
  end_is_sent_ = true;
  let_host_send(0, true);
}

void Stream::let_host_send(std::size_t bytes, bool is_last) {
  Segment& segment = system_.new_segment();
  segment.stream = this;
  segment.payload = bytes;
  segment.is_last = is_last;
  segment.message = message_;
  from().send(segment, to());
}

void Stream::delivered(const Segment& segment) {
  if (!has_something()) ready_since_ = system_.engine().now();
  delivered_ += segment.payload;
  has_ended_ = has_ended_ || segment.is_last;
  if (segment.payload > 0) tell_sender(packed(News::acknowledged, segment.payload));
  receiver_.has_come();
}

void Stream::tell_sender(std::uint64_t news) {
  if (!to().tell_later(from(), *this, news)) lost();
}

// What is sent again is lost again.
void Stream::lost() {
  if (is_losing_) return;
  is_losing_ = true;
  system_.engine().at(system_.end_of_patience(), EventKind::hardware, from().owner(), *this,
                      packed(News::no_answer, 0));
}

void Stream::break_off() {
  if (!has_something()) ready_since_ = system_.engine().now();
  is_broken_ = true;
  sender_.has_broken();
  receiver_.has_broken();
}

}  // namespace hindcast::tcp
