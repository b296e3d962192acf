#include "mpi_impl/libraries/tcp/native/host.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/engine/thread/wait_for_room.hpp"

namespace hindcast::tcp {

// A connection that is being made, as its first segment asks for it. It lies in the call that waits for the answer.
class Host::Question final : public SegmentSink, public EventSink {
 public:
  Question(Socket& socket, Host& to, int port) : socket_(socket), to_(to), port_(port) {}

  bool is_over() const { return is_over_; }
  bool is_accepted() const { return is_accepted_; }

  // An act, and later the answer that is back.
  void fire(const Event& event) override {
    if (event.kind() == EventKind::act) {
      Segment& segment = socket_.host().system().new_segment();
      segment.stream = this;
      return socket_.host().send(segment, to_);
    }
    is_over_ = true;
    socket_.host().changed();
  }
  void delivered(const Segment&) override {
    is_accepted_ = to_.is_answered(socket_, port_);
    if (!to_.tell_later(socket_.host(), *this, 0)) lost();
  }
  // Nobody answers, or nobody hears the answer.
  void lost() override {
    is_accepted_ = false;
    System& system = socket_.host().system();
    system.engine().at(system.end_of_patience(), EventKind::hardware, socket_.host().owner(), *this, 0);
  }

 private:
  Socket& socket_;
  Host& to_;
  const int port_;
  bool is_over_ = false, is_accepted_ = false;
};

Host::Host(System& system, Rank& rank, int node, const CopyCosts& copy)
    : system_(system), rank_(rank), node_(node), copy_(copy), owner_(system.engine().new_owner()) {
  attach(rank, *this);
  system.add(*this);
}

Socket& Host::new_socket() {
  const int number = next_number_++;
  return *(sockets_[number] = std::make_unique<Socket>(*this, number, costs().buffer));
}

Socket* Host::find(int number) {
  const auto found = sockets_.find(number);
  return found != sockets_.end() && !found->second->is_closed_ ? found->second.get() : nullptr;
}

bool Host::listen(Socket& socket, int port) {
  if (!listening_.try_emplace(port, &socket).second) return false;
  socket.port_ = port;
  return true;
}

// --- on threads ---

void Host::enter(const FixedStep& step, const Wait& why) {
  Thread& thread = *Thread::current();
  thread.spend(step);
  thread.settle(&why);
}

void Host::wait(const Wait& why) { wait_until(Time::never(), why); }

void Host::wait_until(Time until, const Wait& why) {
  Thread& thread = *Thread::current();
  waiting_.push_back(&thread);
  if (until < Time::never())
    thread.wait_without_polling_until(until, why);
  else
    thread.wait_without_polling(why);
  std::erase(waiting_, &thread);
}

bool Host::connect(Socket& socket, Host& to, int port, const Wait& why) {
  enter(costs().connect, why);
  Question question(socket, to, port);
  Thread::current()->act(question, 0);
  while (!question.is_over()) wait(why);
  return question.is_accepted();
}

Socket& Host::accept(Socket& socket, const Wait& why) {
  Thread& thread = *Thread::current();
  thread.settle(&why);
  while (socket.backlog_.empty()) wait(why);
  Socket& accepted = *socket.backlog_.front().socket;
  socket.backlog_.pop_front();
  thread.spend(costs().receive);
  return accepted;
}

bool Host::send(Socket& socket, const void* data, std::size_t bytes, const Wait& why) {
  Thread& thread = *Thread::current();
  thread.spend(costs().send);
  const auto* left = static_cast<const std::byte*>(data);
  for (const std::byte* const end = left + bytes; left != end;) {
    thread.settle(&why);
    const auto has_other_closed = [&] { return socket.is_broken() || socket.incoming().is_closed_by_sender(); };
    while (socket.outgoing().room() == 0 && !has_other_closed()) wait(WaitForRoom(why));
    if (has_other_closed()) return false;
    left += send_some(socket, left, static_cast<std::size_t>(end - left));
  }
  return true;
}

std::size_t Host::send_some(Socket& socket, const void* data, std::size_t bytes, MessageId message) {
  Thread& thread = *Thread::current();
  Stream& stream = socket.outgoing();
  const std::size_t piece = std::min({bytes, stream.room(), costs().segment.count()});
  if (piece == 0) return 0;
  stream.reserve(data, piece, message);
  thread.spend(copy_.in, piece, message);
  stream.begin(thread, piece);
  return piece;
}

std::size_t Host::receive(Socket& socket, void* data, std::size_t room, const Wait& why) {
  Thread& thread = *Thread::current();
  Stream& stream = socket.incoming();
  thread.settle(&why);
  while (!stream.has_something() && room > 0) wait(why);
  const std::size_t bytes = std::min(room, stream.ready());
  const MessageId message = stream.message();
  stream.read(data, bytes);
  thread.spend(costs().receive, message);
  thread.spend(copy_.out, bytes, message);
  stream.tell_of_room(thread, bytes);
  return bytes;
}

// The system looks at all sockets, and does so again when it has been woken for one.
bool Host::select(const std::vector<Socket*>& sockets, Time until, const Wait& why) {
  Thread& thread = *Thread::current();
  for (;;) {
    enter(costs().select, why);
    if (std::any_of(sockets.begin(), sockets.end(), [](Socket* socket) { return socket->is_ready(); })) return true;
    if (thread.clock() >= until) return false;
    wait_until(until, why);
  }
}

void Host::close(Socket& socket) {
  Thread& thread = *Thread::current();
  thread.spend(costs().send);
  if (socket.is_listening()) listening_.erase(socket.port_);
  if (socket.is_connected()) socket.outgoing().begin_end(thread);
  socket.is_closed_ = true;
}

// --- in handlers ---

Network& Host::way_to(const Host& other) const {
  Network* way = system_.way(node_, other.node_);
  if (way == nullptr)
    system_.end_run(fmt::format("rank {}: no network carries TCP from here to rank {}; place them where one does",
                                rank_.id, other.rank_.id));
  return *way;
}

// The host's protocol work is one server for all its connections.
void Host::send(Segment& segment, Host& to) {
  segment.from = node_;
  segment.to = to.node_;
  segment.receiver = &to;
  segment.network = &way_to(to);
  segment.bytes = costs().header + Bytes(segment.payload);
  const Time now = system_.engine().now();
  const Time begin = later_of(now, protocol_free_);
  protocol_free_ = begin + costs().protocol.rate.time_for(segment.payload);
  system_.record(node_, costs().protocol.kind, begin, protocol_free_, segment);
  if (protocol_free_ <= now) return segment.network->submit(segment);
  system_.engine().at(protocol_free_, EventKind::hardware, owner_, *this, reinterpret_cast<std::uint64_t>(&segment));
}

void Host::fire(const Event& event) {
  auto& segment = *reinterpret_cast<Segment*>(event.data);
  segment.network->submit(segment);
}

bool Host::tell_later(Host& other, EventSink& sink, std::uint64_t data) {
  const Time told = system_.engine().now() + way_to(other).latency(node_, other.node_);
  if (system_.loses(node_, other.node_, told)) return false;
  system_.engine().at(told, EventKind::hardware, owner_, sink, data);
  return true;
}

void Host::changed() {
  for (Thread* thread : waiting_) thread->wake();
}

bool Host::is_answered(Socket& other, int port) {
  const auto found = listening_.find(port);
  if (found == listening_.end()) return false;
  Socket& listening = *found->second;
  Socket& own = new_socket();
  own.set_buffer(other.asked_of_peer() > Bytes() ? other.asked_of_peer() : listening.buffer());
  own.set_watcher(listening.watcher());
  own.peer_ = &other;
  other.peer_ = &own;
  own.outgoing_ = std::make_unique<Stream>(system_, own, other, own.buffer(), other.buffer());
  other.outgoing_ = std::make_unique<Stream>(system_, other, own, other.buffer(), own.buffer());
  listening.backlog_.push_back({&own, system_.engine().now()});
  listening.has_come();
  return true;
}

void Socket::tell_host() { host_.changed(); }

}  // namespace hindcast::tcp
