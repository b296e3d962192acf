// What every network offers: a transfer is submitted at a node and arrives at another. How long it takes, and what it
// waits for, is the network's affair.
#pragma once

#include <cstdint>

#include "simulator/engine/fetching.hpp"
#include "simulator/engine/recorder.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast {

class Room;
struct Transfer;

// Told, in handlers, how a transfer gets on.
class TransferSink {
 public:
  // It has entered the network, and transfer.injected (when the sender's memory has been read) is known from now on:
  // at its entry if the network can foresee that, else when it is over. Before it has arrived. Who does not look at it
  // need not be told.
  virtual void entered(Transfer& transfer) = 0;
  virtual bool looks_at_entry(const Transfer&) const { return true; }
  // Its last byte is at the receiver, now.
  virtual void arrived(Transfer& transfer) = 0;
  // It arrives soon (simulator/engine/fetching.hpp).
  virtual void fetch(const Transfer&, FetchLevel) const {}

 protected:
  ~TransferSink() = default;
};

// Owned by whoever submits it, and kept until it has arrived.
struct Transfer {
  int from = 0;  // nodes
  int to = 0;
  Bytes bytes;  // headers included, so never 0
  TransferSink* sink = nullptr;
  Room* room = nullptr;             // at the receiver, taken at entry; null: it needs none that could be short
  const RatedStep* pace = nullptr;  // of whoever feeds it, if that is what may be slower than the path
  MessageId message = 0;            // for a recorder
  Time since;                       // when it entered the network; until then, when it was submitted
  Time injected;
  Transfer* next = nullptr;  // the network's own, while it waits
};

class Network {
 public:
  virtual ~Network() = default;
  // In a handler, at the engine's now. Transfers of one sender enter in the order of their submission.
  virtual void submit(Transfer& transfer) = 0;
  // The transfer will be submitted soon: what its way looks at is fetched in up to two levels
  // (simulator/engine/fetching.hpp).
  virtual void fetch(const Transfer&, FetchLevel) const {}
  // In a handler: what a signal takes from node to node that nothing is in the way of.
  virtual Time latency(int from, int to) = 0;
  // Whether transfers from one node to another always arrive in the order of their submission.
  virtual bool keeps_pairs_in_order() const { return false; }
};

}  // namespace hindcast
