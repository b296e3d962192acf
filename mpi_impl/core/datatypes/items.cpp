#include "mpi_impl/core/datatypes/items.hpp"

#include "mpi_impl/core/datatypes/layout.hpp"

namespace hindcast::mpi {

namespace {

// One loop around a run, which the next element's goes on, if there is one.
bool is_regular(const Datatype& type, MPI_Count count, const Loop& loop) {
  if (!std::holds_alternative<OneRun>(loop.body->what)) return false;
  return count == 1 || type.extent == static_cast<std::ptrdiff_t>(loop.count) * loop.stride;
}

}  // namespace

bool lie_in_items(const Datatype& type, MPI_Count count, const void* elements, Items& items) {
  if (count == 0 || type.size == 0 || type.is_predefined()) return false;
  const Layout& layout = *map_of(type)->layout();
  auto* base = static_cast<std::byte*>(const_cast<void*>(elements)) + layout.offset;
  const auto elements_count = static_cast<std::uint64_t>(count);
  if (const auto* run = std::get_if<OneRun>(&layout.what)) {
    items = {base, elements_count, run->bytes, type.extent};
    return true;
  }
  const auto* loop = std::get_if<Loop>(&layout.what);
  if (loop == nullptr || !is_regular(type, count, *loop)) return false;
  items = {base + loop->body->offset, elements_count * loop->count, std::get<OneRun>(loop->body->what).bytes,
           loop->stride};
  return true;
}

}  // namespace hindcast::mpi
