// LMEM and GMEM, as programs ask MPI for them, and as messages find them.
#pragma once

#include "mpi_impl/libraries/earth_simulator/native/global_memory.hpp"
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
  void forget(const void* memory) override { memory_.forget(memory); }
  bool reaches(const void* memory, Bytes bytes) const override { return memory_.is_global(memory, bytes); }

 private:
  earth_simulator::GlobalMemory& memory_;
  const std::vector<std::string> kinds_ = names();
};

}  // namespace hindcast::mpi
