#include "mpi_impl/core/datatypes/layout_runs.hpp"

#include <algorithm>

namespace hindcast::mpi {

namespace {

class RunWalk {
 public:
  explicit RunWalk(const std::function<bool(const Run&)>& holds) : holds_(holds) {}

  bool repeated(const Layout& layout, std::ptrdiff_t at, std::size_t count, std::ptrdiff_t step) {
    for (std::size_t i = 0; i < count; ++i, at += step)
      if (!std::visit([&](const auto& what) { return all(what, at + layout.offset); }, layout.what)) return false;
    return true;
  }

 private:
  bool all(std::monostate, std::ptrdiff_t) { return true; }
  bool all(const OneRun& run, std::ptrdiff_t at) { return holds_({at, run.bytes}); }
  bool all(const Runs& runs, std::ptrdiff_t at) {
    return std::ranges::all_of(runs.list->runs, [&](const Run& run) { return holds_({at + run.offset, run.bytes}); });
  }
  bool all(const EqualRuns& runs, std::ptrdiff_t at) {
    return std::ranges::all_of(*runs.offsets, [&](std::ptrdiff_t offset) { return holds_({at + offset, runs.bytes}); });
  }
  bool all(const Loop& loop, std::ptrdiff_t at) { return repeated(*loop.body, at, loop.count, loop.stride); }
  bool all(const ScatteredLoops& loops, std::ptrdiff_t at) {
    return std::ranges::all_of(loops.list->blocks, [&](const ScatteredLoops::Block& block) {
      return repeated(*loops.body, at + block.offset, block.count, loops.stride);
    });
  }
  bool all(const Parts& parts, std::ptrdiff_t at) {
    return std::ranges::all_of(parts.parts, [&](const LayoutPointer& part) { return repeated(*part, at, 1, 0); });
  }

  const std::function<bool(const Run&)>& holds_;
};

}  // namespace

bool all_runs(const Layout& layout, std::size_t count, std::ptrdiff_t extent,
              const std::function<bool(const Run&)>& holds) {
  return RunWalk(holds).repeated(layout, 0, count, extent);
}

}  // namespace hindcast::mpi
