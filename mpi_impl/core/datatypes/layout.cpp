#include "mpi_impl/core/datatypes/layout.hpp"

#include <algorithm>

#include "mpi_impl/core/checked.hpp"
#include "mpi_impl/core/uncounted.hpp"

namespace hindcast::mpi {

namespace {

template <typename What>
LayoutPointer make(std::ptrdiff_t offset, std::size_t size, What what) {
  return std::make_shared<const Layout>(Layout{offset, size, std::move(what)});
}

LayoutPointer nothing() {
  static const Layout layout;
  return uncounted(layout);
}

// Runs that follow each other in memory and in the data are one.
std::vector<Run> joined(const std::vector<Run>& runs) {
  std::vector<Run> result;
  for (const Run& run : runs) {
    if (run.bytes == 0) continue;
    const bool follows =
        !result.empty() && result.back().offset + static_cast<std::ptrdiff_t>(result.back().bytes) == run.offset;
    if (follows)
      result.back().bytes += run.bytes;
    else
      result.push_back(run);
  }
  return result;
}

// Whether place_of(i) grows by the same for all entries.
template <typename List, typename PlaceOf>
bool is_progression(const List& list, PlaceOf place_of) {
  for (std::size_t i = 2; i < list.size(); ++i)
    if (place_of(list[i]) - place_of(list[i - 1]) != place_of(list[1]) - place_of(list[0])) return false;
  return true;
}

template <typename List, typename ValueOf>
bool is_constant(const List& list, ValueOf value_of) {
  return std::all_of(list.begin(), list.end(), [&](const auto& entry) { return value_of(entry) == value_of(list[0]); });
}

LayoutPointer equal_runs(const std::vector<Run>& list) {
  auto offsets = std::make_shared<std::vector<std::ptrdiff_t>>();
  offsets->reserve(list.size());
  for (const Run& run : list) offsets->push_back(run.offset);
  return make(0, size_product(list.size(), list[0].bytes), EqualRuns{list[0].bytes, std::move(offsets)});
}

LayoutPointer unequal_runs(std::vector<Run> list) {
  auto all = std::make_shared<Runs::List>();
  all->runs = std::move(list);
  std::size_t size = 0;
  for (const Run& run : all->runs) {
    all->landmarks.add(run.bytes);
    size = size_sum(size, run.bytes);
  }
  return make(0, size, Runs{std::move(all)});
}

// The runs of a layout that has at most so many of them.
bool append_runs(const Layout& layout, std::size_t most, std::vector<Run>& to) {
  const std::ptrdiff_t at = layout.offset;
  if (const auto* run = std::get_if<OneRun>(&layout.what)) {
    to.push_back({at, run->bytes});
    return true;
  }
  if (const auto* runs = std::get_if<Runs>(&layout.what)) {
    if (runs->list->runs.size() > most) return false;
    for (const Run& run : runs->list->runs) to.push_back({at + run.offset, run.bytes});
    return true;
  }
  if (const auto* equal = std::get_if<EqualRuns>(&layout.what)) {
    if (equal->offsets->size() > most) return false;
    for (const std::ptrdiff_t offset : *equal->offsets) to.push_back({at + offset, equal->bytes});
    return true;
  }
  if (const auto* loop = std::get_if<Loop>(&layout.what)) {
    const auto* run = std::get_if<OneRun>(&loop->body->what);
    if (run == nullptr || loop->count > most) return false;
    for (std::size_t i = 0; i < loop->count; ++i)
      to.push_back({at + loop->body->offset + static_cast<std::ptrdiff_t>(i) * loop->stride, run->bytes});
    return true;
  }
  return false;
}

// The parts one level deep, those without data left out.
std::vector<LayoutPointer> flattened(std::span<const LayoutPointer> list) {
  std::vector<LayoutPointer> flat;
  for (const LayoutPointer& part : list) {
    if (part->size == 0) continue;
    if (const auto* inner = std::get_if<Parts>(&part->what))
      for (const LayoutPointer& one : inner->parts) flat.push_back(shifted(one, part->offset));
    else
      flat.push_back(part);
  }
  return flat;
}

}  // namespace

Landmarks::Place Landmarks::find(std::size_t byte) const {
  const auto after = std::upper_bound(before_.begin(), before_.end(), byte);
  const auto mark = static_cast<std::size_t>(after - before_.begin()) - 1;
  return {mark * spacing, before_[mark]};
}

LayoutPointer one_run(std::ptrdiff_t offset, std::size_t bytes) {
  return bytes == 0 ? nothing() : make(offset, bytes, OneRun{bytes});
}

LayoutPointer shifted(const LayoutPointer& layout, std::ptrdiff_t by) {
  if (by == 0 || layout->size == 0) return layout;
  Layout moved = *layout;
  moved.offset = sum(moved.offset, by);
  return std::make_shared<const Layout>(std::move(moved));
}

LayoutPointer runs(const std::vector<Run>& list) {
  std::vector<Run> all = joined(list);
  if (all.empty()) return nothing();
  if (all.size() == 1) return one_run(all[0].offset, all[0].bytes);
  if (!is_constant(all, [](const Run& run) { return run.bytes; })) return unequal_runs(std::move(all));
  if (is_progression(all, [](const Run& run) { return run.offset; }))
    return loop(all.size(), all[1].offset - all[0].offset, one_run(all[0].offset, all[0].bytes));
  return equal_runs(all);
}

LayoutPointer loop(std::size_t count, std::ptrdiff_t stride, const LayoutPointer& body) {
  if (count == 0 || body->size == 0) return nothing();
  if (count == 1) return body;
  const std::size_t size = size_product(count, body->size);
  if (const auto* run = std::get_if<OneRun>(&body->what))
    if (static_cast<std::ptrdiff_t>(run->bytes) == stride) return one_run(body->offset, size);
  if (const auto* inner = std::get_if<Loop>(&body->what))
    if (static_cast<std::ptrdiff_t>(inner->count) * inner->stride == stride)
      return make(body->offset, size, Loop{count * inner->count, inner->stride, inner->body});
  return make(0, size, Loop{count, stride, body});
}

LayoutPointer scattered(std::vector<ScatteredLoops::Block> list, std::ptrdiff_t stride, const LayoutPointer& body) {
  std::erase_if(list, [](const ScatteredLoops::Block& block) { return block.count == 0; });
  if (list.empty() || body->size == 0) return nothing();
  const auto count_of = [](const ScatteredLoops::Block& block) { return block.count; };
  const auto offset_of = [](const ScatteredLoops::Block& block) { return block.offset; };
  const bool same_count = is_constant(list, count_of);

  const auto* run = std::get_if<OneRun>(&body->what);
  if (run != nullptr && (static_cast<std::ptrdiff_t>(run->bytes) == stride || (same_count && list[0].count == 1))) {
    std::vector<Run> all;
    all.reserve(list.size());
    for (const ScatteredLoops::Block& block : list)
      all.push_back({sum(block.offset, body->offset), size_product(block.count, run->bytes)});
    return runs(all);
  }
  if (list.size() == 1) return shifted(loop(list[0].count, stride, body), list[0].offset);
  if (same_count && is_progression(list, offset_of))
    return shifted(loop(list.size(), list[1].offset - list[0].offset, loop(list[0].count, stride, body)),
                   list[0].offset);

  auto all = std::make_shared<ScatteredLoops::List>();
  std::size_t size = 0;
  for (const ScatteredLoops::Block& block : list) {
    const std::size_t bytes = size_product(block.count, body->size);
    all->landmarks.add(bytes);
    size = size_sum(size, bytes);
  }
  all->blocks = std::move(list);
  return make(0, size, ScatteredLoops{stride, body, std::move(all)});
}

LayoutPointer parts(std::span<const LayoutPointer> list) {
  constexpr std::size_t most_in_a_part = 8;
  const std::vector<LayoutPointer> flat = flattened(list);
  if (flat.empty()) return nothing();
  if (flat.size() == 1) return flat[0];

  // All in one table if it is not much longer than what there is.
  std::vector<Run> all;
  if (std::all_of(flat.begin(), flat.end(),
                  [&](const LayoutPointer& part) { return append_runs(*part, most_in_a_part, all); }))
    return runs(all);

  // What lies together is one run also between loops.
  std::vector<LayoutPointer> some;
  std::size_t size = 0;
  for (const LayoutPointer& part : flat) {
    size = size_sum(size, part->size);
    const auto* run = std::get_if<OneRun>(&part->what);
    const auto* before = some.empty() ? nullptr : std::get_if<OneRun>(&some.back()->what);
    if (run != nullptr && before != nullptr &&
        some.back()->offset + static_cast<std::ptrdiff_t>(before->bytes) == part->offset)
      some.back() = one_run(some.back()->offset, before->bytes + run->bytes);
    else
      some.push_back(part);
  }
  if (some.size() == 1) return some[0];
  return make(0, size, Parts{std::move(some)});
}

}  // namespace hindcast::mpi
