// The innermost copies between memory and packed data: many runs of one length. Lengths that are known when this is
// compiled become a few instructions.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "simulator/engine/memory/short_copy.hpp"

namespace hindcast::mpi {

enum class Direction { packing, unpacking };

template <Direction direction>
inline void copy_run(std::byte* memory, std::byte* packed, std::size_t bytes) {
  if constexpr (direction == Direction::packing)
    std::memcpy(packed, memory, bytes);
  else
    std::memcpy(memory, packed, bytes);
}

// The same for a length that is likely to be short.
template <Direction direction>
inline void copy_short_run(std::byte* memory, std::byte* packed, std::size_t bytes) {
  if constexpr (direction == Direction::packing)
    copy_short(packed, memory, bytes);
  else
    copy_short(memory, packed, bytes);
}

// Four runs, `step` apart in memory. Several values together are stored at once when they are packed.
template <Direction direction, std::size_t bytes>
inline void copy_four(std::byte* memory, std::ptrdiff_t step, std::byte* packed) {
  if constexpr (direction == Direction::packing && (bytes == 8 || bytes == 4)) {
    using Value = std::conditional_t<bytes == 8, double, float>;
    Value values[4];
    for (int i = 0; i < 4; ++i) std::memcpy(&values[i], memory + i * step, bytes);
    if constexpr (bytes == 8) {
      using Two [[gnu::vector_size(16)]] = double;
      const Two first{values[0], values[1]}, last{values[2], values[3]};
      std::memcpy(packed, &first, sizeof first);
      std::memcpy(packed + sizeof first, &last, sizeof last);
    } else {
      using Four [[gnu::vector_size(16)]] = float;
      const Four all{values[0], values[1], values[2], values[3]};
      std::memcpy(packed, &all, sizeof all);
    }
  } else {
    copy_run<direction>(memory, packed, bytes);
    copy_run<direction>(memory + step, packed + bytes, bytes);
    copy_run<direction>(memory + 2 * step, packed + 2 * bytes, bytes);
    copy_run<direction>(memory + 3 * step, packed + 3 * bytes, bytes);
  }
}

// Two loops around a run.
struct ItemGrid {
  std::size_t rows;
  std::ptrdiff_t row_step;
  std::size_t columns;
  std::ptrdiff_t column_step;
};

template <Direction direction, std::size_t bytes>
std::byte* copy_fixed(const ItemGrid& grid, std::byte* memory, std::byte* packed) {
  const std::ptrdiff_t step = grid.column_step;
  for (std::size_t row = 0; row < grid.rows; ++row, memory += grid.row_step) {
    std::byte* at = memory;
    std::size_t left = grid.columns;
    for (; left >= 4; left -= 4, at += 4 * step, packed += 4 * bytes) copy_four<direction, bytes>(at, step, packed);
    for (; left > 0; --left, at += step, packed += bytes) copy_run<direction>(at, packed, bytes);
  }
  return packed;
}

template <Direction direction>
std::byte* copy_any(const ItemGrid& grid, std::size_t bytes, std::byte* memory, std::byte* packed) {
  for (std::size_t row = 0; row < grid.rows; ++row, memory += grid.row_step) {
    std::byte* at = memory;
    for (std::size_t column = 0; column < grid.columns; ++column, at += grid.column_step, packed += bytes)
      copy_short_run<direction>(at, packed, bytes);
  }
  return packed;
}

// Gives the end of the packed data.
template <Direction direction>
std::byte* copy_grid(const ItemGrid& grid, std::size_t bytes, std::byte* memory, std::byte* packed) {
  switch (bytes) {
    case 1:
      return copy_fixed<direction, 1>(grid, memory, packed);
    case 2:
      return copy_fixed<direction, 2>(grid, memory, packed);
    case 4:
      return copy_fixed<direction, 4>(grid, memory, packed);
    case 8:
      return copy_fixed<direction, 8>(grid, memory, packed);
    case 12:
      return copy_fixed<direction, 12>(grid, memory, packed);
    case 16:
      return copy_fixed<direction, 16>(grid, memory, packed);
    case 24:
      return copy_fixed<direction, 24>(grid, memory, packed);
    case 32:
      return copy_fixed<direction, 32>(grid, memory, packed);
    case 64:
      return copy_fixed<direction, 64>(grid, memory, packed);
    default:
      return copy_any<direction>(grid, bytes, memory, packed);
  }
}

}  // namespace hindcast::mpi
