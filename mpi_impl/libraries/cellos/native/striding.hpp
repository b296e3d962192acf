// Striding send and pre-receive, which another kernel for these cells, sys.anu, had: data goes straight between the
// program's memory and the net, in items of one size at one distance, without a copy by the processor.
//
// The paper on MPI names the two and says what they spare, no more. A striding send is taken to cost what another send
// does up to its copy (cell.hpp). A pre-receive is taken to cost what a receive does up to its copy; then it
// stands among those who wait for a message, in the order in which they came. The message controller puts a message
// that comes for it where it belongs, and the processor is not told. What was there before it is copied out of the ring
// buffer by the call.
//
// A message takes its room in the ring buffer when it enters the net, since only its arrival tells whether a
// pre-receive takes it. Then it gives it back at once.
#pragma once

#include "mpi_impl/libraries/cellos/native/message.hpp"

namespace hindcast::cellos {

class System;
class PreReceiveSink;

// From the call that posts it until its message is there. Its key is what it waits for.
struct PreReceive : Expected {
  Space space = Space::plain;
  Strided to;
  PreReceiveSink* sink = nullptr;
};

// How the data has come to its place.
enum class DeliveredBy : std::uint8_t {
  controller,    // now; in a handler
  calling,       // by the call that posted the pre-receive, which goes on: the thread's clock
  call_in_past,  // the same, but its thread has run ahead: in a handler
};
struct Delivery {
  DeliveredBy by;
  Time at;
  EventOrder order = 0;  // of a call in the past: the place, right after the copy, of what the library starts there
};

class PreReceiveSink {
 public:
  // The message's data is in place, as far as there is room, from then on. The message and the pre-receive, which is in
  // no list any more, are the sink's.
  virtual void received(PreReceive& pre_receive, Message& message, const Delivery& delivery) = 0;
  // Of a call in the past: how long the library works after the copy. Room is made for it.
  virtual Time work_in_call(const Message&) const { return Time(); }

 protected:
  ~PreReceiveSink() = default;
};

class Striding final : public EventSink, private Taker {
 public:
  explicit Striding(System& system);

  // By a thread of the cell; returns at once.
  void pre_receive(Cell& cell, PreReceive& pre_receive);
  // In a handler: the end of a message that has its sender told is known now.
  void entered(Message& message);

 private:
  static constexpr std::uint64_t copying = 1;  // what our events carry beside a message; else whom to tell

  void take(Expected& expected, Message& message) override;
  bool is_waiting(const Expected& expected) const override;
  void fire(const Event& event) override;
  void copy_in_past(Message& message, const Event& event);

  System& system_;
  EventOwner owner_;
};

}  // namespace hindcast::cellos
