// An argument of a collective call: memory that has its counterpart on every member, which members put to.
#pragma once

#include <cstddef>

#include "mpi_impl/libraries/cray/shmem/active_set.hpp"

namespace hindcast::shmem {

class SymmetricArray {
 public:
  // The argument has `bytes` bytes.
  SymmetricArray(const Call& call, const ActiveSet& set, const void* memory, Bytes bytes, Argument argument)
      : call_(call), set_(set), memory_(static_cast<std::byte*>(const_cast<void*>(memory))), argument_(argument) {
    if (bytes > Bytes()) call.check_symmetric(memory, bytes, argument);
  }

  std::byte* here(std::size_t offset) const { return memory_ + offset; }
  // `bytes` bytes from anywhere in the caller's memory to a member's array, from `offset` on; or the other way.
  void put(int member, std::size_t offset, const void* from, std::size_t bytes) const {
    const int pe = set_.pe(member);
    if (bytes > 0) call_.self().put(call_.function(), pe, there(pe, offset, bytes), from, Bytes(bytes));
  }
  void get(int member, std::size_t offset, void* to, std::size_t bytes) const {
    const int pe = set_.pe(member);
    if (bytes > 0) call_.self().get(call_.function(), pe, to, there(pe, offset, bytes), Bytes(bytes));
  }

 private:
  void* there(int pe, std::size_t offset, std::size_t bytes) const {
    return call_.there(pe, memory_ + offset, Bytes(bytes), argument_);
  }

  const Call& call_;
  const ActiveSet& set_;
  std::byte* const memory_;
  const Argument argument_;
};

}  // namespace hindcast::shmem
