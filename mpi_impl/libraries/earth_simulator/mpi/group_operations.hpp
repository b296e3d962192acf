// Barriers of MPI_COMM_WORLD by the global barrier counter. Other communicators meet by messages.
#pragma once

#include "mpi_impl/libraries/earth_simulator/native/global_barrier.hpp"
#include "mpi_impl/transport/group_operations.hpp"

namespace hindcast::mpi {

class EsGroupOperations final : public GroupOperations, private EventSink {
 public:
  // `world` are the ranks that the run begins with, as rank 0 sees them.
  EsGroupOperations(earth_simulator::GlobalBarrier& barrier, int node, const FixedStep& call, const Members& world)
      : barrier_(barrier), node_(node), call_(call), world_(world) {}

  Offers offers(const Members& members, bool is_blocking) const override;
  bool reduces(ElementKind, ElementOperation) const override { return false; }
  void broadcast(SendOperation&, const Members&) override;
  void meet(const Members& members, Operation& over, std::int32_t* status) override;
  void reduce(const Members&, const ElementReduction&, Operation&) override;

 private:
  void fire(const Event&) override { barrier_.arrive(node_, *over_); }

  earth_simulator::GlobalBarrier& barrier_;
  const int node_;
  const FixedStep& call_;
  const Members world_;
  Operation* over_ = nullptr;
};

}  // namespace hindcast::mpi
