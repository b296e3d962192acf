// TCP on one rank: its sockets, and what its calls do on the rank's threads. Calls enter the system: they settle first,
// so that what they look at is as it is now.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "mpi_impl/libraries/common/native.hpp"
#include "mpi_impl/libraries/tcp/native/socket.hpp"
#include "simulator/engine/rank.hpp"

namespace hindcast::tcp {

class Host final : public NativePart<Host>, private EventSink {
 public:
  // `node` is the machine's.
  Host(System& system, Rank& rank, int node, const CopyCosts& copy);
  ~Host() { detach(rank_, *this); }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  static Host* of(const Rank& rank) { return native_part<Host>(rank); }

  System& system() { return system_; }
  const Costs& costs() const { return system_.costs(); }
  Rank& rank() { return rank_; }
  int number() const { return rank_.id; }
  EventOwner& owner() { return owner_; }

  // --- before the run, or on threads ---

  Socket& new_socket();
  Socket* find(int number);
  // Whether nobody did so far.
  bool listen(Socket& socket, int port);

  // --- on the rank's threads ---

  void enter(const FixedStep& step, const Wait& why);
  // Whether somebody listens there.
  bool connect(Socket& socket, Host& to, int port, const Wait& why);
  Socket& accept(Socket& socket, const Wait& why);
  // False: the other side has closed.
  bool send(Socket& socket, const void* data, std::size_t bytes, const Wait& why);
  // What there is room for, and no more than a segment; the thread has settled. Null data are bytes that nobody looks
  // at.
  std::size_t send_some(Socket& socket, const void* data, std::size_t bytes, MessageId message = 0);
  // At least a byte, if there is room for one, unless it is the end.
  std::size_t receive(Socket& socket, void* data, std::size_t room, const Wait& why);
  // Until one of them is ready, or that time; whether one is.
  bool select(const std::vector<Socket*>& sockets, Time until, const Wait& why);
  void close(Socket& socket);
  // Until something changes at this host.
  void wait(const Wait& why);

  // --- in handlers ---

  void send(Segment& segment, Host& to);
  // What an event of `sink` with this data tells, at the other host: a latency later. False: the way has failed by
  // then.
  bool tell_later(Host& other, EventSink& sink, std::uint64_t data);
  // Whoever waits looks again.
  void changed();

 private:
  class Question;

  void fire(const Event& event) override;
  Network& way_to(const Host& other) const;
  // Whether the port is one that is listened at, to which the other's socket is connected then.
  bool is_answered(Socket& other, int port);
  void wait_until(Time until, const Wait& why);

  System& system_;
  Rank& rank_;
  const int node_;
  const CopyCosts copy_;
  EventOwner owner_;
  Time protocol_free_;  // the system has worked on all that was handed to it
  int next_number_ = 0;
  std::map<int, std::unique_ptr<Socket>> sockets_;
  std::map<int, Socket*> listening_;  // by port
  std::vector<Thread*> waiting_;
};

}  // namespace hindcast::tcp
