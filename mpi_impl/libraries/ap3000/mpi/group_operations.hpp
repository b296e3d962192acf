// What MPI/AP's own algorithms know of it: what its layer takes when a collective operation calls it once more, and how
// a result is copied. The machine does nothing for a group by itself.
#pragma once

#include "mpi_impl/transport/group_operations.hpp"

namespace hindcast::mpi {

inline constexpr OwnOffer calls_of_mpi_ap{"ap3000", 1};

class Ap3000GroupOperations final : public GroupOperations {
 public:
  struct Costs {
    FixedStep passing_on;   // of what a rank has received and combined
    RatedStep result_copy;  // to where the program wants it
  };
  explicit Ap3000GroupOperations(const Costs& costs) : costs_(costs) {}

  // By the calling thread.
  void pass_on() const { Thread::current()->spend(costs_.passing_on); }
  void copy_result(Bytes bytes) const {
    if (bytes > Bytes()) Thread::current()->spend(costs_.result_copy, bytes.count());
  }

  Offers offers(const Members&, bool) const override { return {.own = calls_of_mpi_ap}; }
  bool reduces(ElementKind, ElementOperation) const override { return false; }
  void broadcast(SendOperation&, const Members&) override;
  void meet(const Members&, Operation&, std::int32_t*) override;
  void reduce(const Members&, const ElementReduction&, Operation&) override;

 private:
  const Costs costs_;
};

}  // namespace hindcast::mpi
