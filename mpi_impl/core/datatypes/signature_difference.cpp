#include "mpi_impl/core/datatypes/signature_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace hindcast::mpi {

namespace {

NumberKind kind_of(const BasicElement& element) {
  const bool is_integer = element.form == Form::signed_integer || element.form == Form::unsigned_integer;
  const bool is_extended = element.form == Form::extended;
  return {is_integer    ? NumberKind::Sort::integer
          : is_extended ? NumberKind::Sort::extended
                        : NumberKind::Sort::floating,
          static_cast<std::size_t>(element.bytes) / element.numbers};
}

constexpr std::size_t without_end = std::numeric_limits<std::size_t>::max();

// Goes along data of a signature, again and again, by runs of numbers alike. The signature has some elements.
class NumberRuns {
 public:
  explicit NumberRuns(const Signature& signature) : whole_(signature) {
    find_next();
    if (signature.parts.empty()) bytes_ = without_end;
  }

  const NumberKind& kind() const { return kind_; }
  std::size_t bytes() const { return bytes_; }
  void skip(std::size_t bytes) {
    bytes_ -= bytes;
    if (bytes_ == 0) find_next();
  }

 private:
  struct Level {
    const Signature* signature;
    std::size_t times_left;
    std::size_t part;  // the next one
  };

  void find_next() {
    for (;;) {
      if (levels_.empty()) enter(whole_);
      Level& level = levels_.back();
      const Signature& signature = *level.signature;
      if (signature.parts.empty()) {
        kind_ = kind_of(signature.basic);
        bytes_ = signature.bytes;
        levels_.pop_back();
        return;
      }
      if (level.part < signature.parts.size()) {
        enter(*signature.parts[level.part++]);
      } else if (--level.times_left > 0) {
        level.part = 0;
      } else {
        levels_.pop_back();
      }
    }
  }
  void enter(const Signature& signature) { levels_.push_back({&signature, signature.count, 0}); }

  const Signature& whole_;
  std::vector<Level> levels_;
  NumberKind kind_{};
  std::size_t bytes_ = 0;
};

bool may_be_any(const NumberKind& kind) { return kind.bytes == 1; }

// After so many bytes two signatures are side by side again as they were in the beginning.
std::size_t period_of(std::size_t bytes, std::size_t others_bytes) {
  const std::size_t times = others_bytes / std::gcd(bytes, others_bytes);
  return bytes <= without_end / times ? bytes * times : without_end;
}

}  // namespace

std::string describe(const NumberKind& kind) {
  switch (kind.sort) {
    case NumberKind::Sort::integer:
      return fmt::format("an integer of {} bytes", kind.bytes);
    case NumberKind::Sort::floating:
      return fmt::format("a floating-point number of {} bytes", kind.bytes);
    case NumberKind::Sort::extended:
      break;
  }
  return "a floating-point number of 80 bits";
}

std::optional<SignatureDifference> difference(const Signature& first, const Signature& second, std::size_t bytes) {
  if (first.bytes == 0 || second.bytes == 0) return std::nullopt;
  NumberRuns ours(first), theirs(second);
  const std::size_t end = std::min(bytes, period_of(first.bytes, second.bytes));
  for (std::size_t at = 0; at < end;) {
    if (ours.kind() != theirs.kind() && !may_be_any(ours.kind()) && !may_be_any(theirs.kind()))
      return SignatureDifference{at, ours.kind(), theirs.kind()};
    const std::size_t alike = std::min(ours.bytes(), theirs.bytes());
    ours.skip(alike);
    theirs.skip(alike);
    at += alike;
  }
  return std::nullopt;
}

}  // namespace hindcast::mpi
