// Atomic operations. The memory performs them on words of 4 and 8 bytes. A short is part of such a word: it is swapped
// by a mask, and what cannot be done so by reading the word and swapping it if it is still the same.
#include "mpi_impl/libraries/cray/shmem/bodies.hpp"

namespace hindcast::shmem::bodies {

namespace {

constexpr int word_bytes = 4;
constexpr std::uint64_t short_mask = 0xffff;

// The word that a short is in.
struct HalfWord {
  void* word;
  int shift;
};
HalfWord half_word(void* number) {
  const auto misplaced = reinterpret_cast<std::uintptr_t>(number) % word_bytes;
  return {static_cast<std::byte*>(number) - misplaced, static_cast<int>(8 * misplaced)};
}

}  // namespace

std::uint64_t atomic_on_short(const Call& call, int pe, void* number, const AtomicRequest& request) {
  const HalfWord half = half_word(number);
  const auto on_word = [&](const AtomicRequest& of_word) {
    return call.self().atomic(call.function(), pe, half.word, word_bytes, of_word);
  };
  const auto masked = [&](std::uint64_t mask) {
    return on_word({AtomicOperation::masked_swap, request.operand << half.shift, mask << half.shift}) >> half.shift &
           short_mask;
  };
  if (request.operation == AtomicOperation::swap) return masked(short_mask);
  if (request.operation == AtomicOperation::masked_swap) return masked(request.comparand_or_mask);

  std::uint32_t word = 0;
  call.self().get(call.function(), pe, &word, half.word, Bytes(sizeof word));
  while (true) {
    const std::uint64_t old_value = word >> half.shift & short_mask;
    const std::uint64_t new_value = result_of(request, old_value) & short_mask;
    const std::uint64_t new_word = (word & ~(short_mask << half.shift)) | new_value << half.shift;
    const std::uint64_t found = on_word({AtomicOperation::compare_swap, new_word, word});
    if (found == word) return old_value;
    word = static_cast<std::uint32_t>(found);
  }
}

std::uint64_t atomic(const Call& call, void* target, int bytes, const AtomicRequest& request, int pe, int pe_number) {
  constexpr Argument argument{1, "target"};
  call.check_pe(pe, {pe_number, "pe"});
  void* there = call.there(pe, target, Bytes(static_cast<std::uint64_t>(bytes)), argument);
  if (reinterpret_cast<std::uintptr_t>(target) % static_cast<unsigned>(bytes) != 0)
    call.refuse(argument, "is not aligned: atomic operations are on whole numbers in their places");
  const AnswerMarks marks(call, Bytes(static_cast<std::uint64_t>(bytes)));
  if (bytes < word_bytes) return atomic_on_short(call, pe, there, request);
  return call.self().atomic(call.function(), pe, there, bytes, request);
}

}  // namespace hindcast::shmem::bodies
