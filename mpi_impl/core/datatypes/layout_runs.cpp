#include "mpi_impl/core/datatypes/layout_runs.hpp"

#include "mpi_impl/core/datatypes/layout_pieces.hpp"

namespace hindcast::mpi {

namespace {

// Ends as soon as a visit gives false.
template <typename Visit>
class RunWalk : public PiecesOfLayout<RunWalk<Visit>, std::ptrdiff_t> {
 public:
  explicit RunWalk(Visit& visit) : visit_(visit) {}

  bool has_come_to_the_end() const { return goes_on_; }

 private:
  using Pieces = PiecesOfLayout<RunWalk<Visit>, std::ptrdiff_t>;
  friend Pieces;
  using Pieces::whole;

  void one(std::ptrdiff_t at, std::size_t bytes) { goes_on_ = goes_on_ && visit_(Run{at, bytes}); }

  template <typename Step>
  void each_time(std::ptrdiff_t at, Times times, Step step) {
    for (std::size_t i = 0; i < times.count && goes_on_; ++i, at += times.step) step(at);
  }
  template <typename List, typename Step>
  void each_entry(const List& list, Step step) {
    for (auto entry = list.begin(); entry != list.end() && goes_on_; ++entry) step(*entry);
  }

  void all(std::monostate, std::ptrdiff_t, Times) {}
  void all(const OneRun& run, std::ptrdiff_t begin, Times times) {
    each_time(begin, times, [&](std::ptrdiff_t at) { one(at, run.bytes); });
  }
  void all(const Runs& runs, std::ptrdiff_t begin, Times times) {
    each_time(begin, times, [&](std::ptrdiff_t at) {
      each_entry(runs.list->runs, [&](const Run& run) { one(at + run.offset, run.bytes); });
    });
  }
  void all(const EqualRuns& runs, std::ptrdiff_t begin, Times times) {
    each_time(begin, times, [&](std::ptrdiff_t at) {
      each_entry(*runs.offsets, [&](std::ptrdiff_t offset) { one(at + offset, runs.bytes); });
    });
  }
  void all(const Loop& loop, std::ptrdiff_t begin, Times times) {
    each_time(begin, times, [&](std::ptrdiff_t at) { whole(*loop.body, at, {loop.count, loop.stride}); });
  }
  void all(const ScatteredLoops& loops, std::ptrdiff_t begin, Times times) {
    each_time(begin, times, [&](std::ptrdiff_t at) {
      each_entry(loops.list->blocks, [&](const ScatteredLoops::Block& block) {
        whole(*loops.body, at + block.offset, {block.count, loops.stride});
      });
    });
  }
  void all(const Parts& parts, std::ptrdiff_t begin, Times times) {
    each_time(begin, times, [&](std::ptrdiff_t at) {
      each_entry(parts.parts, [&](const LayoutPointer& part) { whole(*part, at, {1, 0}); });
    });
  }

  Visit& visit_;
  bool goes_on_ = true;
};

}  // namespace

bool all_runs(const Layout& layout, std::size_t count, std::ptrdiff_t extent,
              const std::function<bool(const Run&)>& holds) {
  if (layout.size == 0) return true;
  RunWalk walk(holds);
  walk.repeated(layout, 0, extent, 0, count * layout.size);
  return walk.has_come_to_the_end();
}

void visit_runs(const Layout& layout, std::ptrdiff_t extent, std::size_t first, std::size_t bytes,
                const std::function<bool(const Run&)>& visit) {
  if (bytes == 0) return;
  const auto* one = std::get_if<OneRun>(&layout.what);
  if (one != nullptr && extent == static_cast<std::ptrdiff_t>(one->bytes)) {
    visit({layout.offset + static_cast<std::ptrdiff_t>(first), bytes});
    return;
  }
  Run joined{0, 0};
  bool goes_on = true;
  const auto join = [&](const Run& run) {
    if (joined.bytes > 0 && joined.offset + static_cast<std::ptrdiff_t>(joined.bytes) == run.offset) {
      joined.bytes += run.bytes;
      return true;
    }
    goes_on = joined.bytes == 0 || visit(joined);
    joined = run;
    return goes_on;
  };
  RunWalk(join).repeated(layout, 0, extent, first, first + bytes);
  if (goes_on) visit(joined);
}

}  // namespace hindcast::mpi
