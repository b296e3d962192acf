#include "mpi_impl/libraries/cray/native/symmetric_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "mpi_impl/libraries/cray/native/pe.hpp"
#include "simulator/programs/process/running_program.hpp"

namespace hindcast::shmem {

// --- blocks ---

BlockAllocator::BlockAllocator(std::uint64_t bytes) {
  if (bytes > 0) free_[0] = bytes;
}

std::uint64_t BlockAllocator::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  bytes = std::max<std::uint64_t>(bytes, 1);
  for (auto stretch = free_.begin(); stretch != free_.end(); ++stretch) {
    const auto [begin, end] = *stretch;
    const std::uint64_t block = (begin + alignment - 1) & ~(alignment - 1);
    if (block > end || end - block < bytes) continue;
    free_.erase(stretch);
    if (block > begin) free_[begin] = block;
    if (block + bytes < end) free_[block + bytes] = end;
    used_[block] = bytes;
    return block;
  }
  return nowhere;
}

bool BlockAllocator::is_free(std::uint64_t offset) const {
  const auto behind = free_.upper_bound(offset);
  return behind != free_.begin() && offset < std::prev(behind)->second;
}

void BlockAllocator::free(std::uint64_t block) {
  add_free(block, block + used_.at(block));
  used_.erase(block);
}

void BlockAllocator::add_free(std::uint64_t begin, std::uint64_t end) {
  auto after = free_.lower_bound(begin);
  if (after != free_.end() && after->first == end) {
    end = after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin() && std::prev(after)->second == begin)
    std::prev(after)->second = end;
  else
    free_[begin] = end;
}

bool BlockAllocator::resize(std::uint64_t block, std::uint64_t bytes) {
  bytes = std::max<std::uint64_t>(bytes, 1);
  std::uint64_t& size = used_.at(block);
  if (bytes < size) {
    add_free(block + bytes, block + size);
  } else if (bytes > size) {
    const auto behind = free_.find(block + size);
    if (behind == free_.end() || behind->second - block < bytes) return false;
    const std::uint64_t end = behind->second;
    free_.erase(behind);
    if (block + bytes < end) free_[block + bytes] = end;
  }
  size = bytes;
  return true;
}

// --- where things lie ---

SymmetricMemory::~SymmetricMemory() {
  if (mapped_ != nullptr) munmap(mapped_, mapped_bytes());
}

// Room to begin at a multiple of `heap_alignment`, too.
std::uint64_t SymmetricMemory::mapped_bytes() const {
  return stride_ * static_cast<std::uint64_t>(pes_) + heap_alignment;
}

// One mapping for all PEs, of memory that is only there once it is touched. An odd number of alignments each, so that
// what is the same on all of them does not fall on the same lines of this computer's cache.
void SymmetricMemory::reserve(Pe& pe) {
  if (heaps_ != nullptr) return;
  pes_ = pe.system().pes();
  calls_of_.resize(static_cast<std::size_t>(pes_));
  stride_ = ((heap_bytes_ + heap_alignment - 1) / heap_alignment | 1) * heap_alignment;
  mapped_ = mmap(nullptr, mapped_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped_ == MAP_FAILED) {
    mapped_ = nullptr;
    pe.system().end_run(1, fmt::format("no address space for {} symmetric heaps of {} bytes ({}); a smaller "
                                       "shmem.symmetric_heap needs less",
                                       pes_, heap_bytes_, std::strerror(errno)));
  }
  const std::uint64_t behind = reinterpret_cast<std::uintptr_t>(mapped_) % heap_alignment;
  heaps_ = static_cast<std::byte*>(mapped_) + (behind == 0 ? 0 : heap_alignment - behind);
}

std::byte* SymmetricMemory::heap(const Pe& pe) const {
  return heaps_ + stride_ * static_cast<std::uint64_t>(pe.number());
}

std::uint64_t SymmetricMemory::offset_of(const Pe& self, const void* address) const {
  if (heaps_ == nullptr) return BlockAllocator::nowhere;
  const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(heap(self));
  return offset < heap_bytes_ ? offset : BlockAllocator::nowhere;
}

void* SymmetricMemory::counterpart(const Pe& self, const void* address, Bytes bytes, const Pe& other) {
  if (const std::uint64_t offset = offset_of(self, address); offset != BlockAllocator::nowhere)
    return bytes.count() <= heap_bytes_ - offset ? heap(other) + offset : nullptr;
  if (self.rank().program == nullptr || other.rank().program == nullptr) return nullptr;
  return programs::RunningProgram::of(self.rank())
      .counterpart(address, bytes.count(), programs::RunningProgram::of(other.rank()));
}

// --- the heap's calls ---

void* SymmetricMemory::allocate(Pe& self, const char* call, Bytes bytes, std::uint64_t alignment) {
  const Call made =
      make(self, {Kind::allocate, call, BlockAllocator::nowhere, bytes.count(), alignment, self.number()});
  return made.result == BlockAllocator::nowhere ? nullptr : heap(self) + made.result;
}

SymmetricMemory::Moved SymmetricMemory::reallocate(Pe& self, const char* call, void* block, Bytes bytes) {
  const Call made =
      make(self, {Kind::reallocate, call, offset_of(self, block), bytes.count(), alignment_usual, self.number()});
  if (made.result == BlockAllocator::nowhere) return {made.fault, nullptr};
  if (made.result != made.block) std::memmove(heap(self) + made.result, block, std::min(made.bytes_before, made.bytes));
  return {BlockFault::none, heap(self) + made.result};
}

BlockFault SymmetricMemory::free(Pe& self, const char* call, void* block) {
  return make(self, {Kind::free, call, offset_of(self, block), 0, 0, self.number()}).fault;
}

SymmetricMemory::Call SymmetricMemory::make(Pe& self, const Call& wanted) {
  reserve(self);
  const std::uint64_t number = calls_of_[static_cast<std::size_t>(self.number())]++ - calls_over_;
  if (number == calls_.size()) {
    calls_.push_back(wanted);
    perform(calls_.back());
  }
  Call& call = calls_[number];
  if (call.kind != wanted.kind || call.block != wanted.block || call.bytes != wanted.bytes ||
      call.alignment != wanted.alignment)
    refuse(self, wanted, call);
  const Call made = call;
  // The first call in the list is over first: nobody makes a later one before it.
  if (++call.made_by == pes_) {
    calls_.pop_front();
    ++calls_over_;
  }
  return made;
}

void SymmetricMemory::perform(Call& call) {
  if (call.kind == Kind::allocate) {
    call.result = blocks_.allocate(call.bytes, call.alignment);
    return;
  }
  call.fault = fault_of(call.block);
  if (call.fault != BlockFault::none) return;
  call.bytes_before = blocks_.size_of(call.block);
  if (call.kind == Kind::free) return blocks_.free(call.block);
  if (blocks_.resize(call.block, call.bytes)) {
    call.result = call.block;
    return;
  }
  call.result = blocks_.allocate(call.bytes, call.alignment);
  if (call.result != BlockAllocator::nowhere) blocks_.free(call.block);
}

BlockFault SymmetricMemory::fault_of(std::uint64_t block) const {
  if (block == BlockAllocator::nowhere) return BlockFault::outside_the_heap;
  if (blocks_.is_block(block)) return BlockFault::none;
  return blocks_.is_free(block) ? BlockFault::already_free : BlockFault::not_at_the_beginning;
}

void SymmetricMemory::refuse(Pe& self, const Call& wanted, const Call& first) {
  const auto shown = [](const Call& call) {
    const std::string block =
        call.block == BlockAllocator::nowhere ? "" : fmt::format(" of the block at byte {} of the heap", call.block);
    const std::string bytes = call.kind == Kind::free ? "" : fmt::format(" for {} bytes", call.bytes);
    return call.name + block + bytes;
  };
  self.system().end_run(
      1,
      fmt::format("rank {}: {}, where PE {} has called {}: all PEs have to make the same calls of the symmetric heap "
                  "in the same order, with the same arguments",
                  self.number(), shown(wanted), first.first_pe, shown(first)));
}

}  // namespace hindcast::shmem
