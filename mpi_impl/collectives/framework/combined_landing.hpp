// An operand that comes in is combined with the rank's own as it lands, so that it need not be read again.
//
// Where two ranks swap their operands and both combine them, both sums are the same: the first of the two messages to
// land makes both at once, from operands that are in the nearer caches then. Each may take its operand's place, as
// nobody needs that any more. What this takes in simulated time is not affected: each rank's round ends as it would
// have.
#pragma once

#include "mpi_impl/collectives/framework/block.hpp"
#include "mpi_impl/core/reduction.hpp"
#include "mpi_impl/transport/endpoint.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast::mpi {

// What a received operand is combined with: to `theirs op own`, or to `own op theirs`.
struct Combination {
  void* own = nullptr;  // nothing: it is not combined
  bool theirs_first = false;
  // If own may be overwritten in a swap, becomes true where that has the result, and not the block it comes into.
  bool* stays_in_place = nullptr;
};

class CombinedLanding final : public Landing {
 public:
  CombinedLanding(const Op* op, const Combination& with, const Block& into) : op_(op), with_(with), into_(into) {}
  const Combination& with() const { return with_; }
  const Block& into() const { return into_; }
  // What the sender gets meanwhile is the rank's own operand, all of it.
  void declare_swap() { is_swap_ = true; }
  void land(const void* payload, Bytes bytes, Landing* opposite) override;

 private:
  bool land_both(const void* payload, Bytes bytes, CombinedLanding& other);
  void combine_both(CombinedLanding& other);
  std::byte* place_of_sum();

  const Op* op_;
  Combination with_;
  Block into_;
  bool is_swap_ = false;
  bool has_landed_ = false;
  Thread& thread_ = *Thread::current();
};

// Around arithmetic for a program: with the rounding and the flags that it has, wherever this runs.
class ProgramsArithmetic {
 public:
  explicit ProgramsArithmetic(Thread& thread)
      : thread_(Thread::current() == &thread && !thread.is_off_stack() ? nullptr : &thread) {
    if (thread_ != nullptr) thread_->take_up_arithmetic();
  }
  ~ProgramsArithmetic() {
    if (thread_ != nullptr) thread_->put_down_arithmetic();
  }
  ProgramsArithmetic(const ProgramsArithmetic&) = delete;
  ProgramsArithmetic& operator=(const ProgramsArithmetic&) = delete;

 private:
  Thread* thread_;
};

}  // namespace hindcast::mpi
