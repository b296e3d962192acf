// Memory that a thread looks at when it runs: what the layers above keep for it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "simulator/engine/fetching.hpp"

namespace hindcast {

class Companions {
 public:
  // As many as there are places for: more are not worth it.
  void add(const void* memory, int lines, bool is_looked_at_off_stack) {
    const auto free = std::find_if(all_.begin(), all_.end(), [](const Block& block) { return block.lines == 0; });
    if (free == all_.end()) return;
    free->address = reinterpret_cast<std::uintptr_t>(memory);
    free->lines = static_cast<std::uint64_t>(lines) & lines_max;
    free->is_looked_at_off_stack = is_looked_at_off_stack;
  }
  void fetch(bool those_looked_at_off_stack) const {
    for (const Block& block : all_)
      if (block.is_looked_at_off_stack == those_looked_at_off_stack)
        fetch_lines(reinterpret_cast<const void*>(block.address), 0, static_cast<int>(block.lines));
  }

 private:
  static constexpr std::size_t count_max = 8;
  static constexpr std::uint64_t lines_max = 127;
  struct Block {
    std::uint64_t address : 56 = 0;
    std::uint64_t lines : 7 = 0;
    std::uint64_t is_looked_at_off_stack : 1 = 0;
  };
  std::array<Block, count_max> all_;
};

}  // namespace hindcast
