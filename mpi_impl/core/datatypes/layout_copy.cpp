// Walks a layout and copies. Whole nodes are loops; only the two ends of a range of bytes go down node by node.
#include "mpi_impl/core/datatypes/layout_copy.hpp"

#include <algorithm>

#include "mpi_impl/core/datatypes/layout.hpp"

namespace hindcast::mpi {

namespace {

// How often a layout is to be copied, and how far apart in memory.
struct Times {
  std::size_t count;
  std::ptrdiff_t step;
};

template <Direction direction>
class Copier {
 public:
  explicit Copier(std::byte* packed) : packed_(packed) {}

  // The bytes [begin, end) of the data of elements that lie `step` apart.
  void repeated(const Layout& layout, std::byte* memory, std::ptrdiff_t step, std::size_t begin, std::size_t end) {
    const std::size_t first = begin / layout.size;
    memory += static_cast<std::ptrdiff_t>(first) * step;
    begin -= first * layout.size;
    end -= first * layout.size;
    if (begin > 0) {
      piece(layout, memory, begin, std::min(end, layout.size));
      if (end <= layout.size) return;
      memory += step;
      end -= layout.size;
    }
    const std::size_t count = end / layout.size;
    if (count > 0) whole(layout, memory, {count, step});
    const std::size_t rest = end - count * layout.size;
    if (rest > 0) piece(layout, memory + static_cast<std::ptrdiff_t>(count) * step, 0, rest);
  }

 private:
  void whole(const Layout& layout, std::byte* memory, Times times) {
    std::visit([&](const auto& what) { all(what, memory + layout.offset, times); }, layout.what);
  }
  void piece(const Layout& layout, std::byte* memory, std::size_t begin, std::size_t end) {
    if (begin == 0 && end == layout.size) return whole(layout, memory, {1, 0});
    std::visit([&](const auto& what) { some(what, memory + layout.offset, begin, end); }, layout.what);
  }

  void one(std::byte* memory, std::size_t bytes) {
    copy_short_run<direction>(memory, packed_, bytes);
    packed_ += bytes;
  }
  void grid(const ItemGrid& of, std::size_t bytes, std::byte* memory) {
    packed_ = copy_grid<direction>(of, bytes, memory, packed_);
  }

  // --- so many times the whole of a node ---

  void all(std::monostate, std::byte*, Times) {}
  void all(const OneRun& run, std::byte* memory, Times times) {
    grid({1, 0, times.count, times.step}, run.bytes, memory);
  }

  void all(const Loop& loop, std::byte* memory, Times times) {
    if (const auto* run = std::get_if<OneRun>(&loop.body->what))
      return grid({times.count, times.step, loop.count, loop.stride}, run->bytes, memory + loop.body->offset);
    for (std::size_t i = 0; i < times.count; ++i, memory += times.step)
      whole(*loop.body, memory, {loop.count, loop.stride});
  }

  void all(const Runs& runs, std::byte* memory, Times times) {
    for (std::size_t i = 0; i < times.count; ++i, memory += times.step)
      for (const Run& run : runs.list->runs) one(memory + run.offset, run.bytes);
  }

  void all(const EqualRuns& runs, std::byte* memory, Times times) {
    for (std::size_t i = 0; i < times.count; ++i, memory += times.step) equal(runs.bytes, *runs.offsets, memory);
  }

  void all(const ScatteredLoops& blocks, std::byte* memory, Times times) {
    for (std::size_t i = 0; i < times.count; ++i, memory += times.step)
      for (const ScatteredLoops::Block& block : blocks.list->blocks)
        whole(*blocks.body, memory + block.offset, {block.count, blocks.stride});
  }

  void all(const Parts& parts, std::byte* memory, Times times) {
    for (std::size_t i = 0; i < times.count; ++i, memory += times.step)
      for (const LayoutPointer& part : parts.parts) whole(*part, memory, {1, 0});
  }

  template <std::size_t bytes>
  void equal_fixed(const std::vector<std::ptrdiff_t>& offsets, std::byte* memory) {
    std::byte* packed = packed_;
    for (const std::ptrdiff_t offset : offsets) {
      copy_run<direction>(memory + offset, packed, bytes);
      packed += bytes;
    }
    packed_ = packed;
  }
  void equal(std::size_t bytes, const std::vector<std::ptrdiff_t>& offsets, std::byte* memory) {
    switch (bytes) {
      case 4:
        return equal_fixed<4>(offsets, memory);
      case 8:
        return equal_fixed<8>(offsets, memory);
      case 16:
        return equal_fixed<16>(offsets, memory);
      default:
        for (const std::ptrdiff_t offset : offsets) one(memory + offset, bytes);
    }
  }

  // --- the bytes [begin, end) of a node ---

  void some(std::monostate, std::byte*, std::size_t, std::size_t) {}
  void some(const OneRun&, std::byte* memory, std::size_t begin, std::size_t end) { one(memory + begin, end - begin); }
  void some(const Loop& loop, std::byte* memory, std::size_t begin, std::size_t end) {
    repeated(*loop.body, memory, loop.stride, begin, end);
  }
  void some(const Runs& runs, std::byte* memory, std::size_t begin, std::size_t end) {
    some_entries(
        runs.list->runs, runs.list->landmarks.find(begin), begin, end, [](const Run& run) { return run.bytes; },
        [&](const Run& run, std::size_t from, std::size_t to) { one(memory + run.offset + from, to - from); });
  }
  void some(const EqualRuns& runs, std::byte* memory, std::size_t begin, std::size_t end) {
    const std::size_t first = begin / runs.bytes;
    some_entries(
        *runs.offsets, {first, first * runs.bytes}, begin, end, [&](std::ptrdiff_t) { return runs.bytes; },
        [&](std::ptrdiff_t offset, std::size_t from, std::size_t to) { one(memory + offset + from, to - from); });
  }
  void some(const ScatteredLoops& blocks, std::byte* memory, std::size_t begin, std::size_t end) {
    some_entries(
        blocks.list->blocks, blocks.list->landmarks.find(begin), begin, end,
        [&](const ScatteredLoops::Block& block) { return block.count * blocks.body->size; },
        [&](const ScatteredLoops::Block& block, std::size_t from, std::size_t to) {
          repeated(*blocks.body, memory + block.offset, blocks.stride, from, to);
        });
  }
  void some(const Parts& parts, std::byte* memory, std::size_t begin, std::size_t end) {
    some_entries(
        parts.parts, {0, 0}, begin, end, [](const LayoutPointer& part) { return part->size; },
        [&](const LayoutPointer& part, std::size_t from, std::size_t to) { piece(*part, memory, from, to); });
  }

  // Calls `copy` for each entry, from the place on, that has some of the bytes [begin, end), with those it has.
  template <typename List, typename SizeOf, typename Copy>
  void some_entries(const List& list, Landmarks::Place place, std::size_t begin, std::size_t end, SizeOf size_of,
                    Copy copy) {
    std::size_t at = place.bytes_before;
    for (std::size_t i = place.entry; at < end; ++i) {
      const std::size_t size = size_of(list[i]);
      if (at + size > begin) copy(list[i], std::max(begin, at) - at, std::min(end, at + size) - at);
      at += size;
    }
  }

  std::byte* packed_;
};

}  // namespace

void pack(const Layout& layout, std::ptrdiff_t extent, const void* elements, std::size_t first, std::size_t bytes,
          void* packed) {
  if (bytes == 0) return;
  auto* memory = static_cast<std::byte*>(const_cast<void*>(elements));  // only read
  Copier<Direction::packing>(static_cast<std::byte*>(packed)).repeated(layout, memory, extent, first, first + bytes);
}

void unpack(const Layout& layout, std::ptrdiff_t extent, const void* packed, std::size_t first, std::size_t bytes,
            void* elements) {
  if (bytes == 0) return;
  auto* from = static_cast<std::byte*>(const_cast<void*>(packed));  // only read
  Copier<Direction::unpacking>(from).repeated(layout, static_cast<std::byte*>(elements), extent, first, first + bytes);
}

}  // namespace hindcast::mpi
