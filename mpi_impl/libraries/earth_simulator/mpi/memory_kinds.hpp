// LMEM and GMEM, as programs ask MPI for them, and as messages find them.
#pragma once

#include <malloc.h>

#include "mpi_impl/libraries/earth_simulator/native/global_memory.hpp"
#include "mpi_impl/libraries/earth_simulator/native/rcu_client.hpp"
#include "mpi_impl/transport/library_buffers.hpp"
#include "mpi_impl/transport/memory_kinds.hpp"

namespace hindcast::mpi {

class EsMemoryKinds final : public MemoryKinds, public ReachableMemory {
 public:
  explicit EsMemoryKinds(earth_simulator::GlobalMemory& memory) : memory_(memory) {}

  // In the order of earth_simulator::MemoryKind.
  static std::vector<std::string> names() { return {"GMEM", "LMEM"}; }
  const char* info_key() const override { return "memory"; }
  const std::vector<std::string>& kinds() const override { return kinds_; }
  void note(const void* memory, Bytes bytes, std::size_t kind) override {
    memory_.note(memory, bytes, static_cast<earth_simulator::MemoryKind>(kind));
  }
  // By a thread of the rank whose memory it is, before it goes back. Its length is known even if nobody has asked for
  // it by kind.
  void forget(const void* memory) override {
    memory_.forget(memory);
    const Bytes bytes(malloc_usable_size(const_cast<void*>(memory)));
    if (auto* const owner = earth_simulator::RcuClient::of(Thread::current()->rank()))
      owner->own_memory().forget(memory, bytes);
  }
  bool reaches(const void* memory, Bytes bytes) const override { return memory_.is_global(memory, bytes); }

 private:
  earth_simulator::GlobalMemory& memory_;
  const std::vector<std::string> kinds_ = names();
};

}  // namespace hindcast::mpi
