// Memory for the stack of an actor that is about to be made. SimGrid allocates a stack itself and cannot be told of
// another, so that the allocation is answered with this memory: by the executable, whose calloc the whole process
// calls.
#pragma once

#include <cstddef>

namespace hindcast {

struct StackMemory {
  void* bottom = nullptr;
  std::size_t bytes = 0;
};

// The next allocation of just so many bytes, as long as this lives, is this memory. It must never be given to free.
class GivenStack {
 public:
  explicit GivenStack(const StackMemory& stack);
  ~GivenStack();
  GivenStack(const GivenStack&) = delete;
  GivenStack& operator=(const GivenStack&) = delete;

  static bool is_possible();
};

}  // namespace hindcast
