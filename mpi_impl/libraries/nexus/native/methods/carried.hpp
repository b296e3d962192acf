// What methods have in common that hand each request to a network in one piece, and whose receivers' systems lay it
// into a queue.
#pragma once

#include <deque>
#include <vector>

#include "mpi_impl/libraries/common/link_failures.hpp"
#include "mpi_impl/libraries/nexus/native/methods/queue.hpp"
#include "simulator/hardware/network/network.hpp"

namespace hindcast::nexus {

// One for all contexts.
class Carrier final : public TransferSink, public EventSink {
 public:
  // Transfers come, or are lost without anybody being told.
  Carrier(Engine& engine, const Machine& machine) : engine_(engine), failures_(machine) {}

  struct Parcel : Transfer {
    Message* request = nullptr;
    QueueMethod* target = nullptr;
    Network* network = nullptr;
  };
  Parcel& new_parcel() {
    if (unused_.empty()) unused_.push_back(&parcels_.emplace_back());
    Parcel& parcel = *unused_.back();
    unused_.pop_back();
    parcel.sink = this;
    return parcel;
  }
  // By an act of the sender's.
  void fire(const Event& event) override {
    auto& parcel = *reinterpret_cast<Parcel*>(event.data);
    parcel.network->submit(parcel);
  }

 private:
  void entered(Transfer&) override {}
  void arrived(Transfer& transfer) override {
    auto& parcel = static_cast<Parcel&>(transfer);
    if (!failures_.lose(parcel.from, parcel.to, engine_.now())) parcel.target->land(*parcel.request, engine_.now());
    unused_.push_back(&parcel);
  }

  Engine& engine_;
  const LinkFailures failures_;
  std::deque<Parcel> parcels_;
  std::vector<Parcel*> unused_;
};

class CarriedMethod : public QueueMethod {
 public:
  CarriedMethod(const MethodStart& start, std::string name, const Costs& costs, Carrier& carrier, Network* network)
      : QueueMethod(start, std::move(name), costs), carrier_(carrier), network_(network), node_(start.node) {}

  Message* take(const Wait&) override {
    Message& message = first();
    Thread::current()->spend(costs().receive, message.number);
    return &message;
  }

  int node() const { return node_; }

 protected:
  // With so many bytes in all.
  void hand_over(Message& message, Bytes bytes) {
    Carrier::Parcel& parcel = carrier_.new_parcel();
    auto& target = static_cast<CarriedMethod&>(at(*message.to));
    parcel.request = &message;
    parcel.message = message.number;
    parcel.target = &target;
    parcel.network = network_;
    parcel.from = node_;
    parcel.to = target.node_;
    parcel.bytes = bytes;
    Thread::current()->act(carrier_, reinterpret_cast<std::uint64_t>(&parcel));
  }

 private:
  Carrier& carrier_;
  Network* const network_;
  const int node_;
};

}  // namespace hindcast::nexus
