// MPI where what is too long for the system's buffers goes in parts (parts.cpp), and how these leave their sender. A
// send that may wait for its receiver, such as MPI_Send, is in its call until the last part is in the send buffer. All
// others return once the announcement is, and their parts follow as they find room there, in that call and in all later
// ones that make progress. Other messages of the rank may lie between.
//
// Whether there is room is known only at the thread's time, and a part may take what a message that the program sends
// later would have had. So a rank that has sent in this way does not run ahead from then on.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "mpi_impl/libraries/cellos/mpi/endpoint.hpp"

namespace hindcast::mpi {

class CellosEndpointOfParts final : public CellosEndpoint {
 public:
  CellosEndpointOfParts(cellos::Cell& cell, const Settings& settings);
  ~CellosEndpointOfParts();

  void send(SendOperation& send) override;
  void receive(ReceiveOperation& receive) override;
  void wait(Gate& gate, const Wait& why) override;
  void poll(const Wait& why) override;
  void cancel(SendOperation& send) override;
  void release_buffer(SendOperation& send) override;
  void wait_for_freed_sends() override;

 private:
  // What is left of one to send.
  class Parts;
  // A send whose call has returned.
  struct Unfinished;
  // Wakes who waits for room at the time when there may be some.
  class Alarm final : public ::hindcast::EventSink {
   public:
    explicit Alarm(cellos::Cell& cell) : cell_(cell), owner_(cell.system().engine().new_owner()) {}
    void set(Time at);

   private:
    void fire(const Event& event) override;
    cellos::Cell& cell_;
    EventOwner owner_;
    Time at_;
  };

  void take_arrivals() override;
  void go_on_later(SendOperation& send, const Parts& parts, Acknowledgement* awaited);
  void send_parts();
  void send_what_has_room(Unfinished& one);
  bool has_room_for_next(const Unfinished& one);
  void set_alarm_for_next(const Unfinished& one);
  cellos::SendBuffer& buffer_of(const Unfinished& one);
  void end(Unfinished& one);
  void part_from(SendOperation& send, Unfinished& one);
  Unfinished* unfinished(const SendOperation& send);

  std::uint32_t long_messages_sent_ = 0;
  std::list<Unfinished> unfinished_;
  bool is_sending_ = false;  // a part
  std::vector<Thread*> woken_for_room_;
  Completion* none_left_ = nullptr;
  Alarm alarm_;
};

}  // namespace hindcast::mpi
