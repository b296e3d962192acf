// One stretch of address space for all ranks of a program: a slot per rank holds the rank's clone of the program (if it
// is cloned), a guard, and the rank's stack. Nothing of it takes memory before it is touched.
//
//   slot: | image | guard | stack ... top |
#pragma once

#include <cstddef>
#include <optional>

namespace hindcast::programs {

enum class GuardKind { best_available, by_protection };
// Whether a program may run code that it has put together on a stack.
enum class StackKind { data, data_and_code };

// How memory for stacks of the kind is mapped.
int protection_of(StackKind kind);

// Makes of this memory what ends a program that touches it. Whether it could.
bool install_guard_at(std::byte* memory, std::size_t bytes, GuardKind kind = GuardKind::best_available);

// A rank's program takes two mappings at least, and to find that out one by one takes long. Throws ProgramError if this
// computer has not so many.
void refuse_ranks_beyond_mappings(int ranks);

class Arena {
 public:
  Arena(std::size_t slots, std::size_t image_bytes, std::size_t stack_bytes,
        GuardKind guard_kind = GuardKind::best_available, StackKind stack_kind = StackKind::data);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Until then a slot's guard does not guard.
  void install_guard(std::size_t slot);
  // Its memory is as it was in the beginning, and given back; a guard stays.
  void clear(std::size_t slot);

  std::byte* image(std::size_t slot) const { return begin_ + slot * stride_; }
  std::byte* guard(std::size_t slot) const { return image(slot) + image_bytes_; }
  std::byte* stack_bottom(std::size_t slot) const { return guard(slot) + guard_bytes; }
  std::byte* stack_top(std::size_t slot) const { return image(slot) + stride_; }
  std::optional<std::size_t> slot_of(const void* address) const;
  bool is_in_guard(const void* address) const;

  static constexpr std::size_t guard_bytes = 64 * 1024;

 private:
  std::size_t slots_;
  std::size_t image_bytes_;
  std::size_t stride_;
  GuardKind guard_kind_;
  std::byte* begin_ = nullptr;
};

}  // namespace hindcast::programs
