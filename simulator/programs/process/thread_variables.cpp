#include "simulator/programs/process/thread_variables.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unordered_map>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/process/simulated_thread.hpp"

extern "C" void* __tls_get_addr(const hindcast::programs::ThreadVariableIndex*);

namespace hindcast::programs {

void ThreadVariables::Free::operator()(std::byte* block) const { std::free(block); }

ThreadVariables::Block ThreadVariables::make_block() const {
  const std::size_t alignment = std::max<std::size_t>(segment_->p_align, 16);
  const std::size_t bytes = (segment_->p_memsz + alignment - 1) / alignment * alignment;
  auto* block = static_cast<std::byte*>(std::aligned_alloc(alignment, bytes));
  if (block == nullptr) throw std::bad_alloc();
  std::memcpy(block, initial_, segment_->p_filesz);
  std::memset(block + segment_->p_filesz, 0, bytes - segment_->p_filesz);
  return Block(block);
}

std::byte* ThreadVariables::of_current_thread() {
  if (!on_simulated_thread()) return of_foreign_thread();
  const Thread* thread = Thread::current();
  const int index = thread != nullptr ? thread->index() : 0;
  if (index == 0) {
    if (!first_thread_) first_thread_ = make_block();
    return first_thread_.get();
  }
  if (other_threads_.size() < static_cast<std::size_t>(index)) other_threads_.resize(static_cast<std::size_t>(index));
  Block& block = other_threads_[static_cast<std::size_t>(index) - 1];
  if (!block) block = make_block();
  return block.get();
}

void ThreadVariables::forget_thread(int index) {
  const auto other = static_cast<std::size_t>(index) - 1;
  if (other < other_threads_.size()) other_threads_[other].reset();
}

// A thread of the operating system's that the program has started.
std::byte* ThreadVariables::of_foreign_thread() {
  thread_local std::unordered_map<const ThreadVariables*, Block> blocks;
  Block& block = blocks[this];
  if (!block) block = make_block();
  return block.get();
}

void* find_thread_variable(const ThreadVariableIndex* index) {
  constexpr std::uint64_t no_module_has_this_number = 1U << 20;
  if (index->module < no_module_has_this_number) return __tls_get_addr(index);
  return reinterpret_cast<ThreadVariables*>(index->module)->of_current_thread() + index->offset;
}

}  // namespace hindcast::programs
