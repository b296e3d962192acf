// The T3E's barrier network for MPI: over communicators of all ranks, if the machine's barrier can be polled. While a
// rank is in it, its library goes on working on messages.
#pragma once

#include <optional>

#include "mpi_impl/libraries/cray/native/pe.hpp"
#include "mpi_impl/transport/group_operations.hpp"

namespace hindcast::mpi {

class T3eGroupOperations final : public GroupOperations {
 public:
  // Without a call's cost it has no barrier.
  T3eGroupOperations(shmem::Pe& pe, const std::optional<FixedStep>& barrier_call)
      : pe_(pe), barrier_call_(barrier_call) {}

  // The barrier is not the library's own work: a handler says that it is over.
  bool is_in_barrier() const { return barrier_ != nullptr; }
  void forget_if_over() {
    if (barrier_ != nullptr && barrier_->is_known()) barrier_ = nullptr;
  }

  Offers offers(const Members& members, bool is_blocking) const override;
  bool reduces(ElementKind, ElementOperation) const override { return false; }
  void broadcast(SendOperation&, const Members&) override;
  void meet(const Members& members, Operation& over, std::int32_t* status) override;
  void reduce(const Members&, const ElementReduction&, Operation&) override;

 private:
  Operation* barrier_ = nullptr;
  shmem::Pe& pe_;
  const std::optional<FixedStep> barrier_call_;
};

}  // namespace hindcast::mpi
