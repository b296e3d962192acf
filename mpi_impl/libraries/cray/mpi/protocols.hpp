// How the T3E's MPI moves the data of a message: a protocol for each way. A send's first protocol message is matched by
// its receiver; what each side does then is the protocol's. One object of each serves all ranks: it has no state.
#pragma once

#include "mpi_impl/libraries/cray/mpi/message.hpp"

namespace hindcast::mpi {

class T3eProtocol {
 public:
  // On the sender's thread: all up to its first protocol message.
  virtual void send(T3eDevice& sender, SendOperation& send) const = 0;
  // On the receiver's thread: a receive has been found for that.
  virtual void receive(T3eDevice& receiver, T3eMessage& message, ReceiveOperation& receive,
                       bool was_unexpected) const = 0;
  // On the sender's thread: the receiver's answer has come.
  virtual void answered(T3eDevice& sender, T3eOutgoing& outgoing, const T3eMessage& answer) const = 0;

 protected:
  ~T3eProtocol() = default;
};

namespace t3e_protocols {

extern const T3eProtocol& t;    // t3e_short.cpp: the data is in the protocol message
extern const T3eProtocol& tn;   // t3e_slots.cpp: the data is in several slots of the queue, one behind the other
extern const T3eProtocol& rta;  // t3e_request_get.cpp: request; the receiver gets the data; acknowledge
extern const T3eProtocol& rat;  // t3e_request_put.cpp: request; acknowledge with an address; the sender puts the data

}  // namespace t3e_protocols

}  // namespace hindcast::mpi
