// Datatypes: where the bytes of an element lie, and what reductions it takes.
#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mpi_impl/core/handle.hpp"
#include "mpi_impl/core/reduction.hpp"

namespace hindcast::mpi {

// Bytes that lie together, by their distance from the element's address.
struct Run {
  std::ptrdiff_t offset;
  std::size_t bytes;
  std::size_t elements;  // basic ones
};

struct Datatype : Handled {
  const char* name = "";
  std::size_t size = 0;  // of the data in one element
  std::ptrdiff_t lower_bound = 0;
  std::ptrdiff_t extent = 0;               // from one element to the next
  std::span<const Run> runs;               // in the order of the data
  const Reductions* reductions = nullptr;  // none if null
  bool is_contiguous = true;               // any number of elements lie together, from the address on

  std::size_t bytes_of(int count) const { return size * static_cast<std::size_t>(count); }
};

// In the order of their handles. Shared by all ranks.
extern const Datatype predefined_datatypes[];
extern const std::size_t predefined_datatype_count;

// The datatype of a predefined handle, or null.
inline const Datatype* predefined_datatype(int handle) {
  const auto row = static_cast<std::size_t>(place_of(handle)) - 1;
  return is_predefined(HandleKind::datatype, handle) && row < predefined_datatype_count ? &predefined_datatypes[row]
                                                                                        : nullptr;
}

// Between `count` elements in the program's memory and the bytes of a message, of which there may be fewer.
void pack(const Datatype& type, const void* elements, int count, void* packed);
void unpack(const Datatype& type, const void* packed, std::size_t bytes, void* elements);

// Elements of `type` in so many bytes, or MPI_UNDEFINED if not a whole number: whole ones, and basic ones.
MPI_Count count_of(const Datatype& type, std::size_t bytes);
MPI_Count basic_elements_of(const Datatype& type, std::size_t bytes);
// The reverse: the bytes that so many basic elements of `type` take.
std::size_t bytes_of_basic_elements(const Datatype& type, std::size_t elements);

}  // namespace hindcast::mpi
