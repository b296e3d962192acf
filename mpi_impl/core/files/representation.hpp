// How data lies in a file (MPI-3.1, 13.5): as in memory, as external32, or as functions of the program's have it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "mpi_impl/core/datatypes/datatype.hpp"

namespace hindcast::mpi {

// One that the program has registered.
struct Conversions {
  MPI_Datarep_conversion_function* read;   // null: there is nothing to convert
  MPI_Datarep_conversion_function* write;  // the same
  MPI_Datarep_extent_function* extent;
  void* extra_state;
};

class Representation {
 public:
  enum class Kind : std::uint8_t { as_in_memory, external32, of_program };

  // Whose name lasts as long as it.
  constexpr Representation(std::string_view name, Kind kind) : name_(name), kind_(kind) {}
  constexpr Representation(std::string_view name, const Conversions& conversions)
      : name_(name), kind_(Kind::of_program), conversions_(conversions) {}

  std::string_view name() const { return name_; }
  bool is_as_in_memory() const { return kind_ == Kind::as_in_memory; }

  // The same datatype of elements that are as long as in the file.
  TypeMapPointer in_file(const TypeMapPointer& map) const;

  // Elements in memory as bytes of a file, and back from as many bytes as there were, which may end anywhere. The
  // latter gives how many bytes of data they were in memory.
  std::vector<std::byte> to_file(const Datatype& type, int count, const void* elements) const;
  std::size_t from_file(const Datatype& type, int count, std::vector<std::byte> bytes, void* elements) const;

 private:
  std::size_t bytes_in_file(const Datatype& named) const;
  std::size_t bytes_in_file(const Datatype& type, int count) const;
  // Where nothing is converted.
  void require_same_length(std::size_t in_memory, std::size_t in_file) const;
  void convert(MPI_Datarep_conversion_function* function, const Datatype& type, std::size_t elements, void* in_memory,
               std::byte* in_file) const;

  std::string_view name_;
  Kind kind_;
  Conversions conversions_{};
};

extern const Representation native_representation;
// Null if the standard has none of this name.
const Representation* standard_representation(std::string_view name);

}  // namespace hindcast::mpi
