// Requests by TCP: a connection for each pair of contexts and direction, which is made when the first request goes that
// way. The poll is a select; what it finds is read, and is a request when the last byte has been.
#include <fmt/format.h>

#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "mpi_impl/libraries/nexus/native/context.hpp"
#include "mpi_impl/libraries/nexus/native/method_kinds.hpp"
#include "mpi_impl/libraries/tcp/native/host.hpp"
#include "simulator/engine/thread/wait_for_room.hpp"

namespace hindcast::nexus {

namespace {

constexpr int port_of_contexts = 1995;

class TcpMethod final : public Method, private tcp::SocketWatcher {
 public:
  TcpMethod(const MethodStart& start, tcp::Host& host)
      : Method(start, "tcp"), host_(host), listening_(host.new_socket()) {
    host_.listen(listening_, port_of_contexts);
    listening_.set_watcher(this);
  }

  std::string descriptor() const override { return fmt::format("{} port {}", Method::descriptor(), port_of_contexts); }
  bool reaches(const Context& other) const override { return tcp::Host::of(other.rank()) != nullptr; }

  // Both ends' buffers: those of connections that are made from now on.
  void set_buffer(Bytes bytes) override {
    buffer_ = bytes;
    listening_.set_buffer(bytes);
  }

  void send(Message& message, const Wait& why) override {
    tcp::Socket& socket = socket_to(*message.to, message.buffer > Bytes() ? message.buffer : buffer_, why);
    Thread& thread = *Thread::current();
    thread.spend(host_.costs().send, message.number);
    under_way(*message.to, socket).push_back(&message);
    for (std::size_t left = message.on_wire.count(); left > 0;) {
      thread.settle(&why);
      const std::size_t sent = host_.send_some(socket, nullptr, left, message.number);
      left -= sent;
      if (sent == 0) make_room(why);
    }
  }

  const FixedStep& look() const override { return host_.costs().select; }

  Time waits_since() const override {
    Time first = Time::never();
    for (tcp::Socket* socket : sockets_)
      if (socket->is_ready()) first = std::min(first, socket->ready_since());
    return listening_.is_ready() ? std::min(first, listening_.ready_since()) : first;
  }

  Message* take(const Wait& why) override {
    accept_all(why);
    tcp::Socket* const socket = first_ready();
    return socket != nullptr ? read(*socket, why) : nullptr;
  }

  Message* receive(const Wait&) override { return nullptr; }  // it does not block

 private:
  struct Coming {
    std::deque<Message*> requests;  // in the order of their bytes
    std::size_t read = 0;           // of the first
  };

  void has_come(tcp::Socket&) override { context_.has_come(); }
  void has_broken(tcp::Socket& socket) override { end_without(socket.peer()->host()); }
  [[noreturn]] void end_without(const tcp::Host& other) {
    context_.system().end_run(
        fmt::format("rank {}: the connection to rank {} by TCP has broken: nothing has been "
                    "acknowledged for so long that the system has given up; a link has failed",
                    context_.number(), other.number()));
  }

  // As the other context's method keeps it for this one: the bytes are in the sockets, and what they mean is here.
  std::deque<Message*>& under_way(Context& to, tcp::Socket& socket) {
    return static_cast<TcpMethod*>(to.method("tcp"))->coming_[&socket].requests;
  }

  // One for each size of buffers that has been asked for.
  tcp::Socket& socket_to(Context& other, Bytes buffer, const Wait& why) {
    tcp::Socket*& socket = outgoing_[{other.number(), buffer.count()}];
    if (socket != nullptr) return *socket;
    socket = &host_.new_socket();
    if (buffer > Bytes()) {
      socket->set_buffer(buffer);
      socket->ask_of_peer(buffer);
    }
    socket->set_watcher(this);
    tcp::Host& there = *tcp::Host::of(other.rank());
    if (!host_.connect(*socket, there, port_of_contexts, why)) end_without(there);
    return *socket;
  }

  // The other side may be about to send as well, and have no room either: what has come is read, to be handled later.
  void make_room(const Wait& why) {
    if (waits_since() > Thread::current()->clock()) return host_.wait(WaitForRoom(why));
    if (Message* message = take(why)) context_.keep(*message);
  }

  void accept_all(const Wait& why) {
    while (listening_.is_ready()) {
      sockets_.push_back(&host_.accept(listening_, why));
      Thread::current()->settle(&why);
    }
  }

  tcp::Socket* first_ready() {
    tcp::Socket* first = nullptr;
    for (tcp::Socket* socket : sockets_)
      if (socket->is_ready() && (first == nullptr || socket->ready_since() < first->ready_since())) first = socket;
    return first;
  }

  // No more than a request at a time.
  Message* read(tcp::Socket& socket, const Wait& why) {
    Coming& coming = coming_[socket.peer()];
    Message& request = *coming.requests.front();
    coming.read += host_.receive(socket, nullptr, request.on_wire.count() - coming.read, why);
    if (coming.read < request.on_wire.count()) return nullptr;
    coming.read = 0;
    coming.requests.pop_front();
    return &request;
  }

  tcp::Host& host_;
  tcp::Socket& listening_;
  Bytes buffer_;                                                    // none: the system's usual ones
  std::vector<tcp::Socket*> sockets_;                               // that it has accepted
  std::map<std::pair<int, std::uint64_t>, tcp::Socket*> outgoing_;  // by context and buffer
  std::unordered_map<tcp::Socket*, Coming> coming_;                 // by the other end, which has connected
};

class TcpKind final : public MethodKind {
 public:
  std::unique_ptr<Method> open(const MethodStart& start) override {
    tcp::Host* const host = tcp::Host::of(start.rank);
    return host != nullptr ? std::make_unique<TcpMethod>(start, *host) : nullptr;
  }
};

std::unique_ptr<MethodKind> make_tcp(const KindStart&) { return std::make_unique<TcpKind>(); }
const Row<MethodRow> methods_tcp_row{{.name = "tcp", .make = make_tcp}};

}  // namespace

}  // namespace hindcast::nexus
