#include "simulator/programs/load/program_slots.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>

#include "simulator/programs/load/program_check.hpp"
#include "simulator/programs/load/program_error.hpp"

namespace hindcast::programs {

namespace {

// A program that is loaded again, for ranks that are born later, has room for more of them.
constexpr std::size_t slots_of_later_loads_min = 16;

// Memory that is only there once it is touched: most ranks print nothing. It lives as long as the process, as streams
// do.
char* reserve(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw ProgramError(fmt::format("no address space for output ({})", std::strerror(errno)));
  return static_cast<char*>(memory);
}

}  // namespace

ProgramSlots::Loaded& ProgramSlots::load(const std::string& path, std::size_t slots) {
  ProgramFiles files(path);
  check_program(files.program());
  const bool clone = !separate_files_ && files.can_be_cloned();
  Loaded loaded{(clone ? make_clone_loader : make_copy_loader)(std::move(files), slots, stack_bytes_),
                reserve(slots * output_buffer_bytes),
                {}};
  for (std::size_t slot = slots; slot > 0; --slot) loaded.free.push_back(slot - 1);
  return loaded_[path].emplace_back(std::move(loaded));
}

std::vector<ProgramSlots::Slot> ProgramSlots::take(const std::string& path, std::size_t count) {
  std::deque<Loaded>& all = loaded_[path];
  std::size_t free = 0;
  for (const Loaded& loaded : all) free += loaded.free.size();
  if (free < count) load(path, all.empty() ? count : std::max(count - free, slots_of_later_loads_min));
  std::vector<Slot> taken;
  for (Loaded& loaded : all)
    while (taken.size() < count && !loaded.free.empty()) {
      const std::size_t number = loaded.free.back();
      loaded.free.pop_back();
      taken.push_back({loaded.loader.get(), number, loaded.output_buffers + number * output_buffer_bytes});
    }
  try {
    for (const Slot& slot : taken) slot.loader->load(slot.number);
  } catch (...) {
    for (const Slot& slot : taken) give_back(slot);
    throw;
  }
  return taken;
}

void ProgramSlots::give_back(const Slot& slot) {
  slot.loader->unload(slot.number);
  for (auto& [path, all] : loaded_)
    for (Loaded& loaded : all) {
      if (loaded.loader.get() != slot.loader) continue;
      const auto place = std::lower_bound(loaded.free.begin(), loaded.free.end(), slot.number, std::greater<>());
      loaded.free.insert(place, slot.number);
    }
}

}  // namespace hindcast::programs
