// Memory that MPI gets for programs, of the kind that they ask for on machines that have several.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "mpi_impl/core/info.hpp"

namespace hindcast::mpi {

class Process;

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};
using OwnMemory = std::unique_ptr<std::byte, FreeMemory>;

constexpr std::size_t usual_alignment = 64;  // a line of the cache
constexpr const char* alignment_hint = "mpi_minimum_memory_alignment";
// What that hint says, if it is more than the usual one and a power of two.
std::size_t alignment_wanted(const Hints& hints);

// At least so many bytes; an error of argument 1 (size) if there are none left, or of the info object if it asks for a
// kind that the machine does not have.
OwnMemory get_memory(std::size_t bytes, std::size_t alignment = usual_alignment);
void note_kind_of_memory(Process& process, const void* memory, std::size_t bytes, const Info* info);
void forget_kind_of_memory(Process& process, const void* memory);

}  // namespace hindcast::mpi
