// Operations that a node's memory performs at once on a word, for any node: what the word was comes back.
#pragma once

#include <cstdint>

namespace hindcast {

enum class AtomicOperation : std::uint8_t { swap, compare_swap, masked_swap, fetch_add, fetch_increment };

struct AtomicRequest {
  AtomicOperation operation = AtomicOperation::swap;
  std::uint64_t operand = 0;            // put there, or added
  std::uint64_t comparand_or_mask = 0;  // what the word must be to be swapped; which of its bits are
};

// A word that is no memory of this computer's: its state follows from something else.
class AtomicTarget {
 public:
  // In a handler, at the engine's now. Returns what the word was.
  virtual std::uint64_t perform(const AtomicRequest& request) = 0;

 protected:
  ~AtomicTarget() = default;
};

// What the word becomes; sums wrap around.
constexpr std::uint64_t result_of(const AtomicRequest& request, std::uint64_t word) {
  switch (request.operation) {
    case AtomicOperation::swap:
      return request.operand;
    case AtomicOperation::compare_swap:
      return word == request.comparand_or_mask ? request.operand : word;
    case AtomicOperation::masked_swap:
      return (word & ~request.comparand_or_mask) | (request.operand & request.comparand_or_mask);
    case AtomicOperation::fetch_add:
      return word + request.operand;
    case AtomicOperation::fetch_increment:
      return word + 1;
  }
  return word;
}

// On a word of 4 or 8 bytes in this computer's memory. Of a shorter one the numbers' lower half counts.
std::uint64_t perform_on_word(void* word, int bytes, const AtomicRequest& request);

}  // namespace hindcast
