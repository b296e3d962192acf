// The functions of tcp.h: arguments are checked here, and what is wrong is told in one line.
#include <fmt/format.h>

#include "mpi_impl/libraries/tcp/include/tcp.h"
#include "mpi_impl/libraries/tcp/native/host.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/library_call.hpp"

namespace hindcast::tcp {

namespace {

constexpr int port_max = 65535;

// The calling rank's host.
Host& caller(const programs::LibraryCall& call) {
  programs::RunningProgram& program = call.program();
  Host* host = Host::of(program.rank());
  if (host == nullptr)
    program.launch().abort_run(1, fmt::format("rank {}: {}: this machine's file says nothing of TCP (table [tcp]); run "
                                              "the program on one that has it",
                                              program.rank().id, call.function()));
  return *host;
}

[[noreturn]] void refuse(Host& self, const char* function, const std::string& what) {
  self.system().end_run(fmt::format("rank {}: {}: {}", self.number(), function, what));
}

Socket& socket_of(Host& self, const char* function, int number) {
  if (Socket* socket = self.find(number)) return *socket;
  refuse(self, function,
         fmt::format("socket is {}, but there is none of this number, or it has been closed; give what tcp_socket or "
                     "tcp_accept has returned",
                     number));
}

Socket& connected_socket(Host& self, const char* function, int number) {
  Socket& socket = socket_of(self, function, number);
  if (!socket.is_connected()) refuse(self, function, fmt::format("socket {} is not connected", number));
  return socket;
}

Socket& fresh_socket(Host& self, const char* function, int number) {
  Socket& socket = socket_of(self, function, number);
  if (!socket.is_fresh())
    refuse(self, function, fmt::format("socket {} is in use: it listens or is connected", number));
  return socket;
}

void check_port(Host& self, const char* function, int port) {
  if (port < 0 || port > port_max) refuse(self, function, fmt::format("port is {}; a port is 0 to {}", port, port_max));
}

std::size_t check_buffer(Host& self, const char* function, const void* data, long bytes) {
  if (bytes < 0) refuse(self, function, fmt::format("the number of bytes is {}; it must not be negative", bytes));
  if (data == nullptr && bytes > 0)
    refuse(self, function, fmt::format("data is a null pointer, but has {} bytes; give its address", bytes));
  return static_cast<std::size_t>(bytes);
}

class CallWait final : public Wait {
 public:
  CallWait(const char* function, std::string detail, std::vector<int> ranks = {})
      : function_(function), detail_(std::move(detail)), ranks_(std::move(ranks)) {}
  BlockedOn describe() const override { return {function_, detail_, ranks_}; }

 private:
  const char* function_;
  const std::string detail_;
  const std::vector<int> ranks_;
};

CallWait with_other(const char* function, const char* what, Socket& socket) {
  const int other = socket.peer()->host().number();
  return {function, fmt::format("{} rank {}, socket {}", what, other, socket.number()), {other}};
}

Time time_of(Host& self, const char* function, double seconds) {
  if (seconds == TCP_FOREVER) return Time::never();
  if (!(seconds >= 0)) refuse(self, function, fmt::format("seconds is {}; give 0 or more, or TCP_FOREVER", seconds));
  return Thread::current()->clock() + Time::from_seconds(seconds);
}

}  // namespace

}  // namespace hindcast::tcp

using namespace hindcast;

extern "C" {

int tcp_host(void) { return tcp::caller(programs::LibraryCall("tcp_host")).number(); }
int tcp_hosts(void) { return tcp::caller(programs::LibraryCall("tcp_hosts")).system().hosts(); }

int tcp_socket(void) { return tcp::caller(programs::LibraryCall("tcp_socket")).new_socket().number(); }

void tcp_set_buffer(int socket, long bytes) {
  const programs::LibraryCall library_call("tcp_set_buffer");
  tcp::Host& self = tcp::caller(library_call);
  tcp::Socket& own = tcp::socket_of(self, "tcp_set_buffer", socket);
  if (bytes <= 0) tcp::refuse(self, "tcp_set_buffer", fmt::format("bytes is {}; it must be more than 0", bytes));
  if (own.is_connected())
    tcp::refuse(self, "tcp_set_buffer", fmt::format("socket {} is connected: its buffers cannot change", socket));
  own.set_buffer(Bytes(static_cast<std::uint64_t>(bytes)));
}

long tcp_buffer(int socket) {
  const programs::LibraryCall library_call("tcp_buffer");
  tcp::Host& self = tcp::caller(library_call);
  return static_cast<long>(tcp::socket_of(self, "tcp_buffer", socket).buffer().count());
}

int tcp_listen(int socket, int port) {
  const programs::LibraryCall library_call("tcp_listen");
  tcp::Host& self = tcp::caller(library_call);
  tcp::Socket& own = tcp::fresh_socket(self, "tcp_listen", socket);
  tcp::check_port(self, "tcp_listen", port);
  self.enter(self.costs().send, tcp::CallWait("tcp_listen", "inside the system"));
  return self.listen(own, port) ? 0 : TCP_FAILED;
}

int tcp_connect(int socket, int host, int port) {
  const programs::LibraryCall library_call("tcp_connect");
  tcp::Host& self = tcp::caller(library_call);
  tcp::Socket& own = tcp::fresh_socket(self, "tcp_connect", socket);
  tcp::check_port(self, "tcp_connect", port);
  if (host < 0 || host >= self.system().hosts())
    tcp::refuse(self, "tcp_connect",
                fmt::format("host is {}, but there are hosts 0 to {}", host, self.system().hosts() - 1));
  const tcp::CallWait why("tcp_connect", fmt::format("to port {} of rank {}", port, host), {host});
  return self.connect(own, self.system().host(host), port, why) ? 0 : TCP_FAILED;
}

int tcp_accept(int socket, int* host) {
  const programs::LibraryCall library_call("tcp_accept");
  tcp::Host& self = tcp::caller(library_call);
  tcp::Socket& own = tcp::socket_of(self, "tcp_accept", socket);
  if (!own.is_listening())
    tcp::refuse(self, "tcp_accept", fmt::format("socket {} does not listen; call tcp_listen first", socket));
  const tcp::CallWait why("tcp_accept", fmt::format("for a connection at port {}", own.port()));
  tcp::Socket& accepted = self.accept(own, why);
  if (host != nullptr) *host = accepted.peer()->host().number();
  return accepted.number();
}

long tcp_send(int socket, const void* data, long bytes) {
  const programs::LibraryCall library_call("tcp_send");
  tcp::Host& self = tcp::caller(library_call);
  tcp::Socket& own = tcp::connected_socket(self, "tcp_send", socket);
  const std::size_t size = tcp::check_buffer(self, "tcp_send", data, bytes);
  const tcp::CallWait why = tcp::with_other("tcp_send", "until there is room for bytes to", own);
  return self.send(own, data, size, why) ? bytes : TCP_FAILED;
}

long tcp_recv(int socket, void* data, long room) {
  const programs::LibraryCall library_call("tcp_recv");
  tcp::Host& self = tcp::caller(library_call);
  tcp::Socket& own = tcp::connected_socket(self, "tcp_recv", socket);
  const std::size_t size = tcp::check_buffer(self, "tcp_recv", data, room);
  const std::size_t received = self.receive(own, data, size, tcp::with_other("tcp_recv", "for bytes from", own));
  return received == 0 && own.is_broken() ? TCP_FAILED : static_cast<long>(received);
}

int tcp_select(int count, const int* sockets, int* is_ready, double seconds) {
  const programs::LibraryCall library_call("tcp_select");
  tcp::Host& self = tcp::caller(library_call);
  if (count < 0) tcp::refuse(self, "tcp_select", fmt::format("count is {}; it must not be negative", count));
  if (count > 0 && (sockets == nullptr || is_ready == nullptr))
    tcp::refuse(self, "tcp_select", "sockets or is_ready is a null pointer; give the addresses of two arrays");
  std::vector<tcp::Socket*> own;
  for (int i = 0; i < count; ++i) own.push_back(&tcp::socket_of(self, "tcp_select", sockets[i]));
  const Time until = tcp::time_of(self, "tcp_select", seconds);
  self.select(own, until, tcp::CallWait("tcp_select", fmt::format("for one of {} sockets", count)));
  int ready = 0;
  for (int i = 0; i < count; ++i) ready += is_ready[i] = own[static_cast<std::size_t>(i)]->is_ready() ? 1 : 0;
  return ready;
}

void tcp_close(int socket) {
  const programs::LibraryCall library_call("tcp_close");
  tcp::Host& self = tcp::caller(library_call);
  self.close(tcp::socket_of(self, "tcp_close", socket));
}
}  // extern "C"
