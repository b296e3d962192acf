#include "mpi_impl/collectives/framework/combined_landing.hpp"

#include <algorithm>
#include <cfenv>
#include <cstring>

namespace hindcast::mpi {

namespace {

// As much of two operands and two sums as stays in the nearest cache.
constexpr std::size_t bytes_at_a_time = 4096;

// How a program has set its arithmetic, but for the flags that it has raised.
struct Rounding {
  unsigned control;
  unsigned mxcsr;

  static Rounding now() {
    constexpr unsigned flags = 0x3f;
    std::fenv_t environment;
    std::fegetenv(&environment);
    return {environment.__control_word, environment.__mxcsr & ~flags};
  }
  bool operator==(const Rounding&) const = default;
};

Rounding rounding_of(Thread& thread) {
  const ProgramsArithmetic arithmetic(thread);
  return Rounding::now();
}

}  // namespace

// A shorter message than the receiver expects leaves the rest of the block as it is.
void CombinedLanding::land(const void* payload, Bytes bytes, Landing* opposite) {
  if (has_landed_) return;
  has_landed_ = true;
  if (opposite != nullptr && land_both(payload, bytes, static_cast<CombinedLanding&>(*opposite))) return;
  const std::size_t count = bytes.count() / into_.type->size;
  const void *first = with_.theirs_first ? payload : with_.own, *second = with_.theirs_first ? with_.own : payload;
  const ProgramsArithmetic arithmetic(thread_);
  op_->combine(first, second, into_.data, count, *into_.type);
}

// Whether this was a swap of the same operands on both sides, and is done.
bool CombinedLanding::land_both(const void* payload, Bytes bytes, CombinedLanding& other) {
  const Datatype& type = *into_.type;
  const bool is_same = is_swap_ && other.is_swap_ && !other.has_landed_ && payload == other.with_.own &&
                       with_.theirs_first != other.with_.theirs_first && op_->predefined == other.op_->predefined &&
                       type.reductions == other.into_.type->reductions && into_.count == other.into_.count &&
                       bytes == Bytes(into_.bytes()) && static_cast<std::size_t>(type.extent) == type.size;
  if (!is_same || rounding_of(thread_) != rounding_of(other.thread_)) return false;
  other.has_landed_ = true;
  combine_both(other);
  return true;
}

std::byte* CombinedLanding::place_of_sum() {
  if (with_.stays_in_place != nullptr) *with_.stays_in_place = true;
  return static_cast<std::byte*>(with_.stays_in_place != nullptr ? with_.own : into_.data);
}

void CombinedLanding::combine_both(CombinedLanding& other) {
  const auto* own = static_cast<const std::byte*>(with_.own);
  const auto* theirs = static_cast<const std::byte*>(other.with_.own);
  std::byte *const sum = place_of_sum(), *const their_sum = other.place_of_sum();
  const std::size_t element = into_.type->size, bytes = into_.bytes();
  const std::size_t elements_at_a_time = std::max<std::size_t>(bytes_at_a_time / element, 1);
  int raised = 0;
  {
    const ProgramsArithmetic arithmetic(thread_);
    const int before = std::fetestexcept(FE_ALL_EXCEPT);
    std::feclearexcept(FE_ALL_EXCEPT);
    for (std::size_t at = 0; at < bytes; at += elements_at_a_time * element) {
      const std::size_t part = std::min(elements_at_a_time * element, bytes - at);
      op_->combine((with_.theirs_first ? theirs : own) + at, (with_.theirs_first ? own : theirs) + at, sum + at,
                   part / element, *into_.type);
      std::memcpy(their_sum + at, sum + at, part);
    }
    raised = std::fetestexcept(FE_ALL_EXCEPT);
    std::feraiseexcept(before);
  }
  const ProgramsArithmetic arithmetic(other.thread_);
  std::feraiseexcept(raised);
}

}  // namespace hindcast::mpi
