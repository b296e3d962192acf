// Goes down a layout to some of its data's bytes. Whole nodes are left to who walks; only the two ends of a range of
// bytes go down node by node.
#pragma once

#include <algorithm>
#include <cstddef>

#include "mpi_impl/core/datatypes/layout.hpp"

namespace hindcast::mpi {

// How often a layout is meant, and how far apart.
struct Times {
  std::size_t count;
  std::ptrdiff_t step;
};

// A Walk has one(at, bytes), for bytes that lie together, and all(what, at, times) for each kind of node. `At` is an
// address or an offset.
template <typename Walk, typename At>
class PiecesOfLayout {
 public:
  // The bytes [begin, end) of the data of elements that lie `step` apart.
  void repeated(const Layout& layout, At at, std::ptrdiff_t step, std::size_t begin, std::size_t end) {
    const std::size_t first = begin / layout.size;
    at += static_cast<std::ptrdiff_t>(first) * step;
    begin -= first * layout.size;
    end -= first * layout.size;
    if (begin > 0) {
      piece(layout, at, begin, std::min(end, layout.size));
      if (end <= layout.size) return;
      at += step;
      end -= layout.size;
    }
    const std::size_t count = end / layout.size;
    if (count > 0) whole(layout, at, {count, step});
    const std::size_t rest = end - count * layout.size;
    if (rest > 0) piece(layout, at + static_cast<std::ptrdiff_t>(count) * step, 0, rest);
  }

 protected:
  void whole(const Layout& layout, At at, Times times) {
    std::visit([&](const auto& what) { walk().all(what, at + layout.offset, times); }, layout.what);
  }
  void piece(const Layout& layout, At at, std::size_t begin, std::size_t end) {
    if (begin == 0 && end == layout.size) return whole(layout, at, {1, 0});
    std::visit([&](const auto& what) { some(what, at + layout.offset, begin, end); }, layout.what);
  }

 private:
  Walk& walk() { return static_cast<Walk&>(*this); }

  // --- the bytes [begin, end) of a node ---

  void some(std::monostate, At, std::size_t, std::size_t) {}
  void some(const OneRun&, At at, std::size_t begin, std::size_t end) {
    walk().one(at + static_cast<std::ptrdiff_t>(begin), end - begin);
  }
  void some(const Loop& loop, At at, std::size_t begin, std::size_t end) {
    repeated(*loop.body, at, loop.stride, begin, end);
  }
  void some(const Runs& runs, At at, std::size_t begin, std::size_t end) {
    some_entries(
        runs.list->runs, runs.list->landmarks.find(begin), begin, end, [](const Run& run) { return run.bytes; },
        [&](const Run& run, std::size_t from, std::size_t to) {
          walk().one(at + run.offset + static_cast<std::ptrdiff_t>(from), to - from);
        });
  }
  void some(const EqualRuns& runs, At at, std::size_t begin, std::size_t end) {
    const std::size_t first = begin / runs.bytes;
    some_entries(
        *runs.offsets, {first, first * runs.bytes}, begin, end, [&](std::ptrdiff_t) { return runs.bytes; },
        [&](std::ptrdiff_t offset, std::size_t from, std::size_t to) {
          walk().one(at + offset + static_cast<std::ptrdiff_t>(from), to - from);
        });
  }
  void some(const ScatteredLoops& blocks, At at, std::size_t begin, std::size_t end) {
    some_entries(
        blocks.list->blocks, blocks.list->landmarks.find(begin), begin, end,
        [&](const ScatteredLoops::Block& block) { return block.count * blocks.body->size; },
        [&](const ScatteredLoops::Block& block, std::size_t from, std::size_t to) {
          repeated(*blocks.body, at + block.offset, blocks.stride, from, to);
        });
  }
  void some(const Parts& parts, At at, std::size_t begin, std::size_t end) {
    some_entries(
        parts.parts, {0, 0}, begin, end, [](const LayoutPointer& part) { return part->size; },
        [&](const LayoutPointer& part, std::size_t from, std::size_t to) { piece(*part, at, from, to); });
  }

  // Calls `visit` for each entry, from the place on, that has some of the bytes [begin, end), with those it has.
  template <typename List, typename SizeOf, typename Visit>
  void some_entries(const List& list, Landmarks::Place place, std::size_t begin, std::size_t end, SizeOf size_of,
                    Visit visit) {
    std::size_t at = place.bytes_before;
    for (std::size_t i = place.entry; at < end; ++i) {
      const std::size_t size = size_of(list[i]);
      if (at + size > begin) visit(list[i], std::max(begin, at) - at, std::min(end, at + size) - at);
      at += size;
    }
  }
};

}  // namespace hindcast::mpi
