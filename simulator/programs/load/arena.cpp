#include "simulator/programs/load/arena.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "simulator/programs/load/program_error.hpp"

namespace hindcast::programs {

namespace {

constexpr std::size_t page = 4096;
constexpr int advice_guard_install = 102;  // MADV_GUARD_INSTALL, which Debian 12's headers do not have yet

// An odd number of pages, so that the ranks' data do not all fall on the same lines of the cache.
std::size_t odd_pages(std::size_t bytes) {
  const std::size_t pages = (bytes + page - 1) / page;
  return (pages | 1) * page;
}

}  // namespace

// Guard markers of Linux 6.13 and later cost no mapping; a change of protection costs two.
bool install_guard_at(std::byte* memory, std::size_t bytes, GuardKind kind) {
  if (kind == GuardKind::best_available && madvise(memory, bytes, advice_guard_install) == 0) return true;
  return mprotect(memory, bytes, PROT_NONE) == 0;
}

void refuse_ranks_beyond_mappings(int ranks) {
  constexpr std::int64_t mappings_a_rank = 2;
  std::int64_t limit = 0;
  if (!(std::ifstream("/proc/sys/vm/max_map_count") >> limit) || ranks * mappings_a_rank <= limit) return;
  throw ProgramError(
      fmt::format("no more memory mappings for so many ranks: {} take {} at least, and vm.max_map_count limits them to "
                  "{}, which is enough for fewer than {} ranks; only root can raise it (sysctl vm.max_map_count={})",
                  ranks, ranks * mappings_a_rank, limit, limit / mappings_a_rank, 2 * ranks * mappings_a_rank));
}

int protection_of(StackKind kind) {
  return PROT_READ | PROT_WRITE | (kind == StackKind::data_and_code ? PROT_EXEC : 0);
}

Arena::Arena(std::size_t slots, std::size_t image_bytes, std::size_t stack_bytes, GuardKind guard_kind,
             StackKind stack_kind)
    : slots_(slots),
      image_bytes_(image_bytes),
      stride_(odd_pages(image_bytes + guard_bytes + stack_bytes)),
      guard_kind_(guard_kind) {
  void* memory =
      mmap(nullptr, stride_ * slots_, protection_of(stack_kind), MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw ProgramError(fmt::format("no address space for {} ranks of {} KiB each ({}); a smaller --stack needs less",
                                   slots_, stride_ / 1024, std::strerror(errno)));
  madvise(memory, stride_ * slots_, MADV_NOHUGEPAGE);
  begin_ = static_cast<std::byte*>(memory);
}

Arena::~Arena() { munmap(begin_, stride_ * slots_); }

void Arena::install_guard(std::size_t slot) {
  if (!install_guard_at(guard(slot), guard_bytes, guard_kind_))
    throw ProgramError(fmt::format("no more memory mappings for rank {}'s stack ({}); vm.max_map_count limits them",
                                   slot, std::strerror(errno)));
}

void Arena::clear(std::size_t slot) { madvise(image(slot), stride_, MADV_DONTNEED); }

std::optional<std::size_t> Arena::slot_of(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  if (at < begin_ || at >= begin_ + stride_ * slots_) return std::nullopt;
  return static_cast<std::size_t>(at - begin_) / stride_;
}

bool Arena::is_in_guard(const void* address) const {
  const std::optional<std::size_t> slot = slot_of(address);
  const auto* at = static_cast<const std::byte*>(address);
  return slot.has_value() && at >= guard(*slot) && at < stack_bottom(*slot);
}

}  // namespace hindcast::programs
