#include "mpi_impl/libraries/common/tests/random_programs/site.hpp"

#include <vector>

#include "simulator/hardware/network/room.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast::mpi::random_programs {
namespace {

// A latency, a time per byte, one transfer at a time into each node: enough that the order of arrivals matters.
class TestNetwork final : public Network, public EventSink, private Entrance {
 public:
  TestNetwork(Engine& engine, int nodes) : engine_(engine), owner_(engine.new_owner()), free_(nodes) {}
  void submit(Transfer& transfer) override {
    if (transfer.room == nullptr || transfer.room->take(transfer, *this)) admit(transfer);
  }
  void admit(Transfer& transfer) override {
    const Time start = engine_.now();
    transfer.since = start;
    transfer.injected = start + Time::ns(static_cast<std::int64_t>(transfer.bytes.count()));
    Time& port = free_[static_cast<std::size_t>(transfer.to)];
    const Time arrival = later_of(transfer.injected + Time::ns(500), port + Time::ns(50));
    port = arrival;
    transfer.sink->entered(transfer);
    engine_.at(arrival, EventKind::hardware, owner_, *this, reinterpret_cast<std::uint64_t>(&transfer));
  }
  Time latency(int, int) override { return Time::ns(500); }
  void fire(const Event& event) override {
    auto& transfer = *reinterpret_cast<Transfer*>(event.data);
    transfer.sink->arrived(transfer);
  }

 private:
  Engine& engine_;
  EventOwner owner_;
  std::vector<Time> free_;
};

}  // namespace

Site::Site(Engine& engine, NetworkKind kind, int nodes) {
  if (kind == NetworkKind::test) {
    test::make_nodes(nodes);
    own_ = std::make_unique<TestNetwork>(engine, nodes);
    network_ = own_.get();
  } else {
    file_.set("network=fluid");
    machine_ = Machine::build(engine, file_, nodes);
    network_ = &machine_->network();
  }
}

std::string Site::node_name(int node) const {
  return machine_ ? machine_->node_name(node) : "h" + std::to_string(node);
}

}  // namespace hindcast::mpi::random_programs
