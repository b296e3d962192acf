// The daemons, one a host. What they carry from host to host goes in fragments, each through the sending host's daemon,
// the network, and the receiving host's daemon. A daemon works on one fragment at a time.
#pragma once

#include <optional>
#include <vector>

#include "mpi_impl/libraries/pvm/native/agenda.hpp"
#include "mpi_impl/libraries/pvm/native/costs.hpp"
#include "simulator/hardware/network/network.hpp"

namespace hindcast::pvm {

class Daemons final : private TransferSink {
 public:
  Daemons(Engine& engine, Agenda& agenda, Network& network, const Costs& costs)
      : engine_(engine), agenda_(agenda), network_(network), costs_(costs) {}

  // In the order of the hosts' numbers.
  void add(int node) { daemons_.push_back({node, Time()}); }

  // In a handler: `done` is called when the daemon of the other host, or the only one if it is the same, is done with
  // the last fragment. A task may say how much a fragment has at most.
  void carry(int from, int to, Bytes bytes, Deed done, std::optional<Bytes> fragment_max = {});

 private:
  struct Daemon {
    int node;
    Time free_at;
  };
  struct Shipment {
    int from;
    int to;
    std::uint64_t fragments_left;
    Deed done;
  };
  struct Fragment : Transfer {
    Shipment* shipment;
  };

  // When it is done with it.
  Time work(int host, Bytes bytes);
  void send_on(Fragment& fragment);
  void finish(Fragment& fragment);
  void entered(Transfer&) override {}
  void arrived(Transfer& transfer) override;

  Engine& engine_;
  Agenda& agenda_;
  Network& network_;
  const Costs& costs_;
  std::vector<Daemon> daemons_;  // by host
};

}  // namespace hindcast::pvm
