// What a synchronous send, or one by put, waits for. The receiver's endpoint knows it by its address, which the message
// carries, as long as one of the two uses it.
#pragma once

#include <optional>
#include <utility>

#include "mpi_impl/libraries/cellos/mpi/put_send.hpp"

namespace hindcast::mpi {

struct Acknowledgement final : DoneSink {
  static Acknowledgement& make(cellos::System& system, SendOperation& send) {
    return *new (system.pool().take(sizeof(Acknowledgement))) Acknowledgement(system, send);
  }

  // The send is over.
  void end(Time at) {
    if (SendOperation* ended = std::exchange(send, nullptr)) {
      ended->endpoint_state = nullptr;
      ended->complete(at);
    }
    give_up();
  }
  void give_up() {
    if (--uses > 0) return;
    BufferPool& pool = system.pool();
    this->~Acknowledgement();
    pool.give_back(this, sizeof(Acknowledgement));
  }

  SendOperation* send;                // null once its buffer has been released
  cellos::Message* queued = nullptr;  // the message, while it is in the receiver's queue
  bool is_discarded = false;          // nobody will receive it
  int uses = 1;                       // one for the acknowledgement to come, one for each question under way
  std::optional<PutSend> put;         // of a send by put, whose message is a request

 private:
  Acknowledgement(cellos::System& system, SendOperation& send) : send(&send), system(system) {}
  void done() override { end(system.engine().now()); }  // it has been put

  cellos::System& system;
};

inline PutSend* put_of(const cellos::Message& message) {
  auto* awaited = static_cast<Acknowledgement*>(message.note);
  return awaited != nullptr && awaited->put ? &*awaited->put : nullptr;
}

inline Envelope envelope_of(const cellos::Message& message) {
  return {message.key.context, message.key.source, message.key.tag};
}

// What an announcement says.
Bytes announced_bytes(const cellos::Message& message);

// Of what a receive of the message gets.
inline Bytes length_of(const cellos::Message& message) {
  if (message.announces) [[unlikely]]
    return announced_bytes(message);
  const PutSend* put = put_of(message);
  return put != nullptr ? put->bytes() : message.payload_bytes;
}

}  // namespace hindcast::mpi
