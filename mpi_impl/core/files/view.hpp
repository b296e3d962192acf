// What a rank sees of a file: the places that a filetype, laid end to end from a displacement on, has data at
// (MPI-3.1, 13.3). All offsets are of elementary types.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>

#include "mpi_impl/core/datatypes/type_map.hpp"
#include "mpi_impl/core/files/representation.hpp"

namespace hindcast::mpi {

class View {
 public:
  // Of bytes, from the beginning of the file.
  View();
  // Throws what is wrong with the types, of a file that can be written or not.
  View(MPI_Offset displacement, TypeMapPointer etype, TypeMapPointer filetype, const Representation& representation,
       bool is_written);

  MPI_Offset displacement() const { return displacement_; }
  void set_displacement(MPI_Offset displacement) { displacement_ = displacement; }
  const TypeMapPointer& etype() const { return etype_; }
  const TypeMapPointer& filetype() const { return filetype_; }
  const Representation& representation() const { return *representation_; }

  // Of an elementary type, in the file.
  std::size_t etype_bytes() const { return etype_bytes_; }
  // How many elementary types so many bytes in the file are; what is left of one is none.
  MPI_Offset etypes_in(std::size_t bytes) const { return static_cast<MPI_Offset>(bytes / etype_bytes_); }
  // The place in the file.
  MPI_Offset place_of(MPI_Offset offset) const;
  // The first elementary type that begins at or behind a place in the file.
  MPI_Offset offset_behind(MPI_Offset place) const;

  // The places of so many bytes from an offset on, in order, while `visit` gives true.
  void visit(MPI_Offset offset, std::size_t bytes,
             const std::function<bool(MPI_Offset at, std::size_t bytes)>& visit) const;

 private:
  std::size_t data_before(std::ptrdiff_t place) const;

  MPI_Offset displacement_ = 0;
  TypeMapPointer etype_;     // as the program gave them
  TypeMapPointer filetype_;  // the same
  const Representation* representation_ = &native_representation;
  TypeMapPointer in_file_;  // the filetype, as long as it is there
  std::size_t etype_bytes_ = 1;
};

}  // namespace hindcast::mpi
