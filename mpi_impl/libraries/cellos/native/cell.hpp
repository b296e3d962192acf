// One cell, or one of the processes on it, or the host: its message controller, the kernel's queue of what has arrived,
// and the calls of its rank's threads.
//
// Sending: the call's overhead, a copy to the system's send buffer (waiting for room there), and the controller's DMA
// goes on without the processor. With line sending there is no copy, and the call returns when the message is on the
// net. Receiving: the message lands in the ring buffer without the processor, which is not told; the call that asks for
// it pays its overhead and copies it out. Broadcasts are received in the same way (group/broadcasts.hpp).
#pragma once

#include <algorithm>

#include "mpi_impl/libraries/cellos/native/domains.hpp"
#include "mpi_impl/libraries/cellos/native/group/broadcasts.hpp"
#include "mpi_impl/libraries/cellos/native/group/reductions.hpp"
#include "mpi_impl/libraries/cellos/native/mailbox.hpp"
#include "mpi_impl/libraries/cellos/native/node.hpp"
#include "mpi_impl/libraries/cellos/native/system.hpp"
#include "mpi_impl/libraries/common/native.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/engine/thread/waiting_threads.hpp"
#include "simulator/hardware/node/remote_memory_agents.hpp"

namespace hindcast::cellos {

// What a send is told.
struct Outgoing {
  const char* call;  // as the deadlock report names it
  int cell;
  Space space;
  matching::Key key;
  const void* data = nullptr;
  Bytes bytes;
  void* note = nullptr;
  Bytes lead = {};           // before the data, of the library above: received with it, but not delivered
  std::uint8_t purpose = 0;  // the same: not 0 makes it a notice
  // While it waits for room the library works on what comes: else ranks that send to each other could wait for ever.
  bool takes_arrivals = false;
  bool must_enter = false;     // as a Message's
  bool announces = false;      // the same
  MessageId on_behalf_of = 0;  // the message that it is a part of, whose number it has then
  // If the data stay as they are until the message is captured: here it is noted, as long as it needs them.
  void** lent_at = nullptr;
};
constexpr int to_all_cells = -1;

class alignas(cache_line) Cell : public NativePart<Cell>, private TouchedMemory {
 public:
  // The rank's `native` is this cell from now on.
  Cell(System& system, Rank& rank, int node);
  ~Cell();
  Cell(const Cell&) = delete;
  Cell& operator=(const Cell&) = delete;

  static Cell* of(const Rank& rank) { return native_part<Cell>(rank); }

  System& system() { return system_; }
  const System& system() const { return system_; }
  Rank& rank() { return rank_; }
  int number() const { return number_; }
  bool is_host() const { return number_ == host_number; }
  const Costs& costs() const { return costs_; }
  int node() const { return node_number_; }
  // Of the processes on the same cell of the machine.
  bool is_first_on_node() const { return node_.processes().front() == this; }
  bool is_alone_on_node() const { return node_.processes().size() == 1; }
  template <typename Condition>
  bool is_any_on_node(Condition condition) const {
    return std::any_of(node_.processes().begin(), node_.processes().end(), condition);
  }
  Mailbox& mailbox(Space space) { return mailboxes_[static_cast<int>(space)]; }
  Domains& domains() { return domains_; }
  RingBuffer& ring() { return node_.ring; }
  RemoteMemoryUnit& memory_unit() { return memory_unit_; }
  void set_library(LibraryAbove& library) { library_ = &library; }
  // In a handler: the rank has gone, and its threads with it. What is left stays for messages that are under way: those
  // to it are lost.
  void leave();
  bool has_gone() const { return has_gone_; }
  void room_is_wanted() {
    if (library_ != nullptr) library_->room_is_wanted();
  }

  // --- on the rank's threads ---

  // The number that the next send gets.
  MessageId upcoming_message() const { return message_id(rank_.id, messages_sent_ + 1); }
  // Returns when the program may use its memory again. What can never be sent must have been refused before.
  void send(const Outgoing& outgoing);
  // Where a message to another cell waits until it is on the net. Who waits for room there is woken when there may be.
  SendBuffer& send_buffer_to(int cell) { return cell == host_number ? node_.host_buffer : node_.send_buffer; }
  WaitingThreads& waiting_for_send_room() {
    node_.expect_waiting_for_send_room();
    return waiting_for_send_room_;
  }
  // Returns at once: the message controller reads the data from the program's memory, which must not change until
  // `sent`, if given, has been told. The outgoing message's own data is none.
  void send_striding(const Outgoing& outgoing, const Strided& data, DoneSink* sent);
  // The same to all other cells, or to those that have registered the key's domain; the outgoing cell is to_all_cells.
  void broadcast(const Outgoing& outgoing);
  // From now on messages of this domain are received, or no longer. False: in as many as can be already, or not before.
  bool register_domain(std::uint32_t domain, Space space);
  bool deregister_domain(std::uint32_t domain, Space space);
  // The number of a message that is sent otherwise.
  MessageId next_message() { return message_id(rank_.id, ++messages_sent_); }
  // Until a flag, which handlers raise, has reached a number.
  bool has_reached(const int& flag, int wanted, const Wait& why);
  void wait_for_flag(const int& flag, int wanted, const Wait& why);
  // Returns when all cells have called it.
  void sync(const char* call);
  // The same while the thread goes on: `over` completes when all cells have called it.
  void begin_sync(Completion& over);
  // The same with the host.
  void sync_with_host(const char* call);
  void begin_sync_with_host(Completion& over);
  // One of these, where the net's signal tells all the largest of the numbers that all bring.
  void sync_with_status(bool with_host, std::int32_t& status);
  void begin_sync_with_status(bool with_host, std::int32_t& status, Completion& over);
  // Of one number of every cell, in the order of the cells: returns on all of them, with the result in place.
  void reduce(const Reduction& reduction, void* number);
  void begin_reduce(const Reduction& reduction, void* number, Completion& over);
  // The first message in the queue that the pattern takes, or the next one to come; it is not in the queue any more.
  Message& wait_for(Space space, const matching::Key& pattern, const Wait& why);
  // A message that is not in the queue any more is copied to the program's memory as far as there is room, and goes. Of
  // its data what comes from `offset` on, which alone is paid for.
  void copy_out(Message& message, void* to, Bytes room, Bytes offset = Bytes());

  // --- without the thread ---

  // A message without data, for the library above the other cell, on behalf of another one.
  Message& new_notice(Cell& to, std::uint8_t purpose, void* note, MessageId on_behalf_of);
  // Its data goes where it belongs on the host: simulated time plays no part.
  static void deliver(Message& message, void* to, Bytes room, Bytes offset = Bytes());
  static Bytes copied_of(const Message& message, Bytes room, Bytes offset = Bytes());
  // What is wanted of the message has been copied: its place in the ring buffer is free again, and the broadcast net if
  // it held that.
  // By the thread; or by a handler: then, or later if that is put off.
  void release_now(Thread& thread, const Message& message);
  void release_at(Time at, EventOrder order, Thread& thread, const Message& message);
  // The same at the end of a copy to the program's memory, which has gone through the cache.
  void received_now(Thread& thread, const Message& message, void* to, Bytes bytes);
  void received_at(Time at, EventOrder order, Thread& thread, const Message& message, void* to, Bytes bytes);
  // By a handler, at once: the message controller has moved it.
  void release(const Message& message);

  // In handlers.
  void discard_all(Space space, std::uint32_t domain);  // what is in the queue
  void flag_raised();
  // So many bytes of a message have been copied to a send buffer.
  void copied_in(const PlaceInArray& program, Bytes bytes) { node_.copied_in(program, bytes); }
  void arrived(Message& message);
  bool receives(const Broadcast& broadcast) const;
  Message& new_message_of(Broadcast& broadcast);
  void started(const Broadcast& broadcast);
  // The host has its data ready as quickly as its line takes it.
  Bytes bytes_from_memory(const Broadcast& broadcast) {
    return is_host() ? Bytes() : node_.bytes_from_memory(broadcast);
  }
  void wake_if_without_send_room() { waiting_for_send_room_.wake(); }
  // A message of its own starts soon, or one arrives for it (simulator/engine/fetching.hpp).
  void fetch_for_start(FetchLevel level) const;
  void fetch_for_arrival(const Message& message, FetchLevel level) const;
  // The processor is interrupted. Returns when it has dealt with that.
  Time interrupt_for(const FixedStep& step, const Broadcast& broadcast);

 private:
  Message& new_message(const Outgoing& outgoing, const Strided& data);
  template <typename IsOver>
  void wait_in_send(const Outgoing& outgoing, const Wait& why, IsOver is_over);
  void take_send_room(const Outgoing& outgoing, Bytes bytes, SendBuffer& buffer);
  void wait_for_send_room(const Outgoing& outgoing, Bytes bytes, SendBuffer& buffer);
  void wait_until_sent(const Outgoing& outgoing, const LineSending& line);
  void discard(Message& message);
  void lose(Message& message);
  void let_go();
  void give_bus_back_at(Time at, EventOrder order, Thread& thread, const Message& message);
  void address(Message& message, const Address& to, Bytes payload);

  void touched(Thread& thread, const void* address, Bytes bytes) override { node_.touched(thread, address, bytes); }

  // What every message looks at is in the first two lines of this computer's cache.
  System& system_;
  Rank& rank_;
  Node& node_;
  LibraryAbove* library_ = nullptr;
  const Costs& costs_;
  const int number_;
  const int node_number_;
  std::uint64_t messages_sent_ = 0;
  bool has_gone_ = false;
  Domains domains_;
  WaitingThreads waiting_for_send_room_;
  WaitingThreads waiting_for_flag_;
  Mailbox mailboxes_[spaces];
  const RemoteMemoryService memory_service_;
  InterruptedAgent memory_agent_;
  RemoteMemoryUnit memory_unit_;
};

}  // namespace hindcast::cellos
