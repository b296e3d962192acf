// A socket of a host: fresh, listening, or one side of a connection.
#pragma once

#include <deque>
#include <memory>

#include "mpi_impl/libraries/tcp/native/stream.hpp"

namespace hindcast::tcp {

// For a library that does not wait in calls of its own for each socket. In handlers.
class SocketWatcher {
 public:
  // Something can be received, or accepted: it was not so before, or there is more.
  virtual void has_come(Socket& socket) = 0;
  // One of its directions has: the way has failed, and the system has given up.
  virtual void has_broken(Socket& socket) = 0;

 protected:
  ~SocketWatcher() = default;
};

class Socket {
 public:
  Socket(Host& host, int number, Bytes buffer) : host_(host), number_(number), buffer_(buffer) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  Host& host() { return host_; }
  int number() const { return number_; }
  Bytes buffer() const { return buffer_; }
  void set_buffer(Bytes buffer) { buffer_ = buffer; }
  // Of the socket that answers when this one connects; none: that of the one which listens.
  void ask_of_peer(Bytes buffer) { asked_of_peer_ = buffer; }
  Bytes asked_of_peer() const { return asked_of_peer_; }
  // Accepted sockets have that of the one which listens.
  void set_watcher(SocketWatcher* watcher) { watcher_ = watcher; }
  SocketWatcher* watcher() const { return watcher_; }

  bool is_fresh() const { return port_ < 0 && peer_ == nullptr; }
  bool is_listening() const { return port_ >= 0; }
  bool is_connected() const { return peer_ != nullptr; }
  int port() const { return port_; }
  Socket* peer() { return peer_; }
  Stream& outgoing() { return *outgoing_; }
  Stream& incoming() { return *peer_->outgoing_; }

  // Whether a receive or an accept would find something, and since when.
  bool is_ready() { return is_listening() ? !backlog_.empty() : is_connected() && incoming().has_something(); }
  Time ready_since() { return is_listening() ? backlog_.front().since : incoming().ready_since(); }
  bool is_broken() { return is_connected() && (outgoing().is_broken() || incoming().is_broken()); }
  void has_broken() {
    if (watcher_ != nullptr) watcher_->has_broken(*this);
    tell_host();
  }
  void has_come() {
    if (watcher_ != nullptr) watcher_->has_come(*this);
    tell_host();
  }

 private:
  friend class Host;
  struct Waiting {
    Socket* socket;
    Time since;
  };
  void tell_host();

  Host& host_;
  const int number_;
  Bytes buffer_;
  Bytes asked_of_peer_;
  SocketWatcher* watcher_ = nullptr;
  int port_ = -1;  // where it listens
  bool is_closed_ = false;
  Socket* peer_ = nullptr;
  std::unique_ptr<Stream> outgoing_;
  std::deque<Waiting> backlog_;  // connections that nobody has accepted
};

}  // namespace hindcast::tcp
