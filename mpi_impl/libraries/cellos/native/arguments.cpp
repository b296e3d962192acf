#include "mpi_impl/libraries/cellos/native/arguments.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "simulator/programs/launcher.hpp"

namespace hindcast::cellos {

namespace {

constexpr std::uint64_t reach_max = UINT32_MAX;

}  // namespace

Cell& caller(const programs::LibraryCall& call) {
  programs::RunningProgram& program = call.program();
  Cell* cell = Cell::of(program.rank());
  if (cell == nullptr)
    program.launch().abort_run(1, fmt::format("rank {}: {}: this machine has no CellOS (its messages.library is not "
                                              "'cellos'); run the program on one that has, such as -m ap1000",
                                              program.rank().id, call.function()));
  if (const int cells = cell->system().cells(); !cell->is_host() && cell->number() >= cells)
    refuse(*cell, call.function(),
           fmt::format("CellOS is for the {} cells that the run began with, and this one was started later; MPI "
                       "reaches it",
                       cells));
  return *cell;
}

Cell& calling_cell(const programs::LibraryCall& call) {
  Cell& self = caller(call);
  if (self.is_host())
    refuse(self, call.function(), "the host has called it, but it is for the cells; hsync has the host too");
  return self;
}

Cell& caller_beside_host(const programs::LibraryCall& call) {
  Cell& self = caller(call);
  if (!self.system().numbers().has_host())
    refuse(self, call.function(), "this run has no host; start it with --host (rank 0 is the host then), or call sync");
  return self;
}

[[noreturn]] void refuse(Cell& cell, const char* function, const std::string& what) {
  cell.system().end_run(1, fmt::format("rank {}: {}: {}", cell.rank().id, function, what));
}

std::string name_of(const char* name, int number, const Call& call) {
  return fmt::format("argument {} ({})", argument(call, number), name);
}

void check_type(Cell& self, const Call& call, int number, const char* or_any) {
  if ((call.type < 0 || call.type > type_max) && !(*or_any != '\0' && call.type == L_ANY))
    refuse(self, call.function,
           fmt::format("{} is {}; a type is 0 to {}{}", name_of("type", number, call), call.type, type_max, or_any));
}

void check_peer(Cell& self, const Call& call, bool may_be_any) {
  const int cells = self.system().cells();
  const bool has_host = self.system().numbers().has_host();
  const char* or_any = may_be_any ? ", or L_ANY" : "";
  if ((call.cell < 0 || call.cell >= cells) && !(may_be_any && call.cell == L_ANY) &&
      !(has_host && call.cell == host_number))
    refuse(self, call.function,
           fmt::format("{} is {}, but there are cells 0 to {}{}; give one of them{}", name_of("cell", 1, call),
                       call.cell, cells - 1, has_host ? " and the host (L_HOST)" : "", or_any));
  check_type(self, call, 2, or_any);
}

void check_data(Cell& self, const Call& call, int number, const void* data, int bytes, const char* name_of_bytes) {
  if (bytes < 0)
    refuse(self, call.function,
           fmt::format("{} is {}; it must not be negative", name_of(name_of_bytes, number + 1, call), bytes));
  if (data == nullptr && bytes > 0)
    refuse(self, call.function,
           fmt::format("{} is a null pointer, but {} is {}; give the address of the data",
                       name_of("data", number, call), name_of_bytes, bytes));
}

void check_length(Cell& self, const Call& call, int number, Bytes bytes) {
  const Bytes longest = self.system().costs().longest();
  if (bytes > longest)
    refuse(self, call.function,
           fmt::format("{} is {}, but the longest message has {} bytes, as it has to fit in the system's buffers with "
                       "its header (cellos.ring_buffer, cellos.send_buffer); send it in parts",
                       name_of("bytes", number, call), bytes.count(), longest.count()));
}

void check_flag(Cell& self, const char* function, int number, const int* flag) {
  if (flag == nullptr)
    refuse(self, function, fmt::format("argument {} (flag) is a null pointer; give the address of a number", number));
}

Strided strided(Cell& self, const char* function, const void* first, l_items items, int number, const char* name) {
  if (items.items < 0 || items.bytes < 0)
    refuse(self, function,
           fmt::format("argument {} ({}_as) is {} items of {} bytes; neither may be negative", number + 1, name,
                       items.items, items.bytes));
  const Strided all{const_cast<void*>(first), static_cast<std::uint64_t>(items.items),
                    static_cast<std::uint64_t>(items.bytes), items.stride};
  const std::uint64_t between = all.items > 1 ? (all.items - 1) * static_cast<std::uint64_t>(std::abs(all.stride)) : 0;
  if (all.bytes().count() > reach_max || (all.bytes() > Bytes() && between > reach_max))
    refuse(self, function,
           fmt::format("argument {} ({}_as) is {} items of {} bytes, {} bytes apart; a cell has addresses of 32 "
                       "bits, so that they must all be within {} bytes",
                       number + 1, name, items.items, items.bytes, items.stride, reach_max + 1));
  if (first == nullptr && all.bytes() > Bytes())
    refuse(self, function,
           fmt::format("argument {} ({}) is a null pointer; give the address of the data", number, name));
  return all;
}

}  // namespace hindcast::cellos
