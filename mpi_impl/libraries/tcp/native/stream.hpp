// One direction of a connection: bytes from a socket of one host to one of another.
//
// The sender's system keeps bytes in its buffer until they are acknowledged, and has so many under way at most as the
// receiver's buffer has room for: so a connection moves no more than the lesser buffer in a round trip. Bytes go in
// segments. The host's protocol work serves one segment after the other, then the network has it. An acknowledgement
// takes the latency of the way back, and no bandwidth.
#pragma once

#include <deque>

#include "mpi_impl/libraries/tcp/native/system.hpp"

namespace hindcast::tcp {

class Socket;

class Stream final : public SegmentSink, private EventSink {
 public:
  Stream(System& system, Socket& sender, Socket& receiver, Bytes sender_buffer, Bytes receiver_buffer);

  Socket& sender() { return sender_; }
  Socket& receiver() { return receiver_; }

  // --- on the sender's threads, settled ---
  std::size_t room() const { return sender_buffer_ - (reserved_ - acknowledged_); }
  // Takes no more than there is room for, and looks at `data` now.
  void reserve(const void* data, std::size_t bytes, MessageId message);
  // By an act, in the order of the reservations: the bytes are in the buffer.
  void begin(Thread& thread, std::size_t bytes);
  void begin_end(Thread& thread);

  // --- on the receiver's threads, settled ---
  std::size_t ready() const { return delivered_ - read_; }
  bool is_closed_by_sender() const { return has_ended_; }
  bool has_something() const { return ready() > 0 || has_ended_ || is_broken_; }
  // Its way has failed, and the system has given up.
  bool is_broken() const { return is_broken_; }
  // Since when, if it has; or since it was read from, if something has been left.
  Time ready_since() const { return ready_since_; }
  // Of what is first among the bytes that are ready.
  MessageId message() const { return message_; }
  // No more than are ready.
  void read(void* data, std::size_t bytes);
  // By an act, when they have been read: there is room for others.
  void tell_of_room(Thread& thread, std::size_t bytes);

  // --- in handlers ---
  void delivered(const Segment& segment) override;
  void lost() override;

 private:
  void fire(const Event& event) override;
  void go_on();
  void tell_sender(std::uint64_t news);
  void break_off();
  void let_host_send(std::size_t bytes, bool is_last);
  Host& from();
  Host& to();

  System& system_;
  Socket& sender_;
  Socket& receiver_;
  const std::size_t sender_buffer_, receiver_buffer_, segment_;
  std::deque<std::byte> bytes_;  // from those that are to be read next to those that were reserved last
  MessageId message_ = 0;
  Time ready_since_;
  // Counts of all bytes so far, each at most the one before.
  std::size_t reserved_ = 0, accepted_ = 0, sent_ = 0, delivered_ = 0, acknowledged_ = 0, read_ = 0;
  std::size_t limit_;  // so many may be sent, as the sender has been told
  bool is_ending_ = false, end_is_sent_ = false, has_ended_ = false;
  bool is_losing_ = false, is_broken_ = false;
};

}  // namespace hindcast::tcp
