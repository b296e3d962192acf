// Windows made and freed, and memory attached to them.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/windows/epochs.hpp"
#include "mpi_impl/core/windows/hints.hpp"
#include "mpi_impl/core/windows/windows.hpp"

namespace hindcast::mpi::body {

namespace {

struct Entry {
  WindowTable* table;  // of all of them; the first rank's says where it is
  Window* window;
  std::byte* base;
  MPI_Aint size;
  int disp_unit;
  int node;
};

// Each rank's part begins where the one before ends, or where the alignment lets it.
void share_memory(WindowTable& table, const Hints& hints) {
  const std::size_t alignment = alignment_wanted(hints);
  const bool is_in_pieces = is_hint_true(hints, "alloc_shared_noncontig");
  const auto part = [&](const WindowTable::Member& member) {
    const auto size = static_cast<std::size_t>(member.size);
    return is_in_pieces ? (size + alignment - 1) / alignment * alignment : size;
  };
  std::size_t bytes = 0;
  for (const WindowTable::Member& member : table.members) bytes += part(member);
  table.shared = get_memory(bytes, alignment);
  std::byte* next = table.shared.get();
  for (WindowTable::Member& member : table.members) {
    member.base = next;
    next += part(member);
  }
}

std::shared_ptr<WindowTable> make_table(const World& world, const std::vector<Entry>& entries, const Window& window) {
  auto table = std::make_shared<WindowTable>();
  for (const Entry& entry : entries)
    table->members.push_back({entry.base, entry.size, entry.disp_unit, entry.window, {}});
  if (window.flavor == MPI_WIN_FLAVOR_SHARED) share_memory(*table, window.hints);
  if (world.looks_for_conflicts()) table->conflicts = std::make_unique<Conflicts>(window.size());
  return table;
}

bool are_on_one_node(const std::vector<Entry>& entries) {
  return std::ranges::all_of(entries, [&](const Entry& entry) { return entry.node == entries.front().node; });
}

// All ranks tell the first what they bring, and it tells them of each other.
void make_known(Process& process, Window& window, Entry mine) {
  Comm& comm = *window.comm;
  mine.window = &window;
  mine.node = process.world().node_number(process.rank().node_name);
  auto entries = records_in<Entry>(gather_at_first(process, comm, bytes_of(mine)));
  std::shared_ptr<WindowTable> table;
  if (comm.rank == 0) {
    const bool can_be = window.flavor != MPI_WIN_FLAVOR_SHARED || are_on_one_node(entries);
    if (can_be) table = make_table(process.world(), entries, window);
    entries.front().table = table.get();
  }
  entries.resize(static_cast<std::size_t>(comm.size));
  broadcast_from_first(process, comm, std::as_writable_bytes(std::span(entries)));
  if (entries.front().table == nullptr)
    throw Error{MPI_ERR_RMA_SHARED,
                "the ranks are not all on one node; take a communicator that MPI_Comm_split_type made"};
  window.table = entries.front().table->shared_from_this();
}

void free_parts(Process& process, Window& window) {
  replace_errhandler(process, window.errhandler, *predefined_errhandler(MPI_ERRORS_RETURN));
  if (window.memory != nullptr) forget_kind_of_memory(process, window.memory.get());
  free_comm(process, *window.comm);
  process.windows().destroy(window);
}

// Memory that ranks share, or that they attach later, is one.
bool has_separate_copies(const World& world, int flavor) {
  return world.separates_windows() && (flavor == MPI_WIN_FLAVOR_CREATE || flavor == MPI_WIN_FLAVOR_ALLOCATE);
}

MPI_Win make_window(Process& process, Comm& comm, int flavor, const Info* info, Entry mine,
                    OwnMemory memory = nullptr) {
  const std::uint32_t context = agree_on_context(process, comm, groups_of(comm));
  Window& window = process.windows().create();
  window.flavor = flavor;
  window.memory = std::move(memory);
  window.errhandler = predefined_errhandler(MPI_ERRORS_ARE_FATAL);
  ++window.errhandler->uses;
  window.comm = &make_comm(process, context, comm.group, *comm.errhandler);
  window.comm->given_name = std::make_unique<std::string>(window.name());
  set_window_hints(window, info);
  if (has_separate_copies(process.world(), flavor)) {
    window.model = MPI_WIN_SEPARATE;
    window.public_copy = std::make_unique<PublicCopy>(mine.base, static_cast<std::size_t>(mine.size));
    mine.base = window.public_copy->begin();
  }
  try {
    make_known(process, window, mine);
  } catch (const Error&) {
    free_parts(process, window);
    throw;
  }
  return window.handle;
}

void put_pointer(void* place, const void* pointer) { std::memcpy(place, &pointer, sizeof pointer); }

void require_dynamic(const Window& window) {
  if (!window.is_dynamic())
    throw Error{MPI_ERR_RMA_FLAVOR,
                "argument 1 (win) was not made by MPI_Win_create_dynamic; memory can be attached to such a one only",
                nullptr, &window};
}

}  // namespace

void Win_create(Process& process, void* base, MPI_Aint size, int disp_unit, const Info* info, Comm& comm,
                MPI_Win& handle) {
  handle = MPI_WIN_NULL;
  handle = make_window(process, comm, MPI_WIN_FLAVOR_CREATE, info,
                       {nullptr, nullptr, static_cast<std::byte*>(base), size, disp_unit, 0});
}

void Win_allocate(Process& process, MPI_Aint size, int disp_unit, const Info* info, Comm& comm, void* place,
                  MPI_Win& handle) {
  handle = MPI_WIN_NULL;
  const std::size_t alignment = info != nullptr ? alignment_wanted(info->hints) : usual_alignment;
  OwnMemory memory = get_memory(static_cast<std::size_t>(size), alignment);
  std::byte* const base = memory.get();
  // What was there before would decide how much a rank's first stores have changed, and so how long that takes to copy.
  if (has_separate_copies(process.world(), MPI_WIN_FLAVOR_ALLOCATE) && size > 0)
    std::memset(base, 0, static_cast<std::size_t>(size));
  note_kind_of_memory(process, base, static_cast<std::size_t>(size), info);
  handle = make_window(process, comm, MPI_WIN_FLAVOR_ALLOCATE, info, {nullptr, nullptr, base, size, disp_unit, 0},
                       std::move(memory));
  put_pointer(place, base);
}

// Ranks that share memory see each other's stores, so none of them runs ahead.
void Win_allocate_shared(Process& process, MPI_Aint size, int disp_unit, const Info* info, Comm& comm, void* place,
                         MPI_Win& handle) {
  handle = MPI_WIN_NULL;
  handle = make_window(process, comm, MPI_WIN_FLAVOR_SHARED, info, {nullptr, nullptr, nullptr, size, disp_unit, 0});
  if (comm.size > 1) process.rank().stop_running_ahead();
  put_pointer(place, process.windows().find(handle)->member(comm.rank).base);
}

void Win_create_dynamic(Process& process, const Info* info, Comm& comm, MPI_Win& handle) {
  handle = MPI_WIN_NULL;
  handle = make_window(process, comm, MPI_WIN_FLAVOR_DYNAMIC, info, {nullptr, nullptr, nullptr, 0, 1, 0});
}

// Of MPI_PROC_NULL: the first that has any memory.
void Win_shared_query(Process&, Window& window, int rank, MPI_Aint& size, int& disp_unit, void* place) {
  if (window.flavor != MPI_WIN_FLAVOR_SHARED)
    throw Error{MPI_ERR_RMA_FLAVOR, "argument 1 (win) was not made by MPI_Win_allocate_shared", nullptr, &window};
  const auto& members = window.table->members;
  WindowTable::Member found;
  found.disp_unit = 0;
  if (rank != MPI_PROC_NULL) {
    found = window.member(rank);
  } else {
    const auto first = std::ranges::find_if(members, [](const auto& member) { return member.size > 0; });
    if (first != members.end()) found = *first;
  }
  size = found.size;
  disp_unit = found.disp_unit;
  put_pointer(place, found.base);
}

void Win_attach(Process&, Window& window, void* base, MPI_Aint size) {
  require_dynamic(window);
  auto& attached = window.member(window.rank()).attached;
  const auto* const begin = static_cast<const std::byte*>(base);
  const auto bytes = static_cast<std::size_t>(size);
  if (attached.overlaps(begin, bytes))
    throw Error{MPI_ERR_RMA_ATTACH, "arguments 2 and 3 (base, size): some of the memory is attached already", nullptr,
                &window};
  attached.add(begin, bytes);
}

void Win_detach(Process&, Window& window, const void* base) {
  require_dynamic(window);
  if (!window.member(window.rank()).attached.remove(static_cast<const std::byte*>(base)))
    throw Error{MPI_ERR_BASE, "argument 2 (base): no memory that begins there is attached", nullptr, &window};
}

void Win_free(Process& process, MPI_Win& handle, Window& window) {
  require_end_of_epochs(window);
  window.attributes.remove_all(process, window.handle);
  meet(process, *window.comm);
  take_in(process, window);
  handle = MPI_WIN_NULL;
  free_parts(process, window);
}

}  // namespace hindcast::mpi::body
