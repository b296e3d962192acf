// What a datatype says, apart from any handle of it: bounds, layout, basic elements, and the call that made it
// (MPI-3.1, 4.1). It never changes, and is shared by all that is built of it. Layout and basic elements follow from the
// call, and are found out when somebody first asks for them: many datatypes are only parts of others, and few are asked
// for their elements.
#pragma once

#include <mpi.h>

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "mpi_impl/core/datatypes/layout.hpp"
#include "mpi_impl/core/datatypes/signature.hpp"
#include "mpi_impl/core/reduction.hpp"

namespace hindcast::mpi {

struct Datatype;
struct TypeMap;
using TypeMapPointer = std::shared_ptr<const TypeMap>;

// As MPI_Type_get_envelope and MPI_Type_get_contents tell it. Most datatypes are made of one.
struct Contents {
  using Types = boost::container::small_vector<TypeMapPointer, 1>;

  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  Types types;
};

struct TypeMap {
  const Datatype* named = nullptr;  // the predefined datatype, if it is one with a name
  std::size_t size = 0;
  std::ptrdiff_t lower_bound = 0;
  std::ptrdiff_t upper_bound = 0;
  std::ptrdiff_t true_lower_bound = 0;
  std::ptrdiff_t true_upper_bound = 0;
  std::ptrdiff_t alignment = 1;
  bool has_lower_marker = false;  // set by MPI_LB, MPI_UB, MPI_Type_create_resized and their kin, also further down
  bool has_upper_marker = false;
  bool is_one_run = true;  // the data of one lie together, in order
  const Reductions* reductions = nullptr;
  Contents contents;

  std::ptrdiff_t extent() const { return upper_bound - lower_bound; }
  // Any number of them side by side are one run.
  bool is_contiguous() const { return is_one_run && static_cast<std::ptrdiff_t>(size) == extent(); }
  bool lies_together(int count) const { return count == 1 ? is_one_run : is_contiguous(); }

  const LayoutPointer& layout() const {
    if (layout_ == nullptr) layout_ = make_layout();
    return layout_;
  }
  const SignaturePointer& signature() const {
    if (signature_ == nullptr) signature_ = make_signature();
    return signature_;
  }
  // To be called when bounds and contents are known. Of many datatypes one upon the other, each of which would ask the
  // next for its data, some find theirs out at once: a rank's stack is not long enough for all.
  void limit_chain();
  // Of what has no contents that they follow from.
  void set_data(LayoutPointer layout, SignaturePointer signature) {
    layout_ = std::move(layout);
    signature_ = std::move(signature);
  }

 private:
  LayoutPointer make_layout() const;
  SignaturePointer make_signature() const;

  int chain_ = 0;  // how many may ask for data one after the other, if somebody asks for its own
  mutable LayoutPointer layout_;
  mutable SignaturePointer signature_;
};

// The constructors. Arguments are right by now; displacements and strides of the forms with an h are bytes, of the
// others extents of `old`.
TypeMapPointer contiguous_type(int count, const TypeMapPointer& old);
TypeMapPointer vector_type(int count, int length, int stride, const TypeMapPointer& old);
TypeMapPointer hvector_type(int count, int length, MPI_Aint stride, const TypeMapPointer& old);
TypeMapPointer indexed_type(std::span<const int> lengths, std::span<const int> displacements,
                            const TypeMapPointer& old);
TypeMapPointer hindexed_type(std::span<const int> lengths, std::span<const MPI_Aint> displacements,
                             const TypeMapPointer& old);
TypeMapPointer indexed_block_type(int length, std::span<const int> displacements, const TypeMapPointer& old);
TypeMapPointer hindexed_block_type(int length, std::span<const MPI_Aint> displacements, const TypeMapPointer& old);
TypeMapPointer struct_type(std::span<const int> lengths, std::span<const MPI_Aint> displacements,
                           Contents::Types types);
TypeMapPointer resized_type(MPI_Aint lower_bound, MPI_Aint extent, const TypeMapPointer& old);
TypeMapPointer duplicate_type(const TypeMapPointer& old);
// A predefined datatype without a name: `base` by another way.
TypeMapPointer unnamed_type(const TypeMapPointer& base, int combiner, std::vector<int> integers);

// A part of an array (type_arrays.cpp). Arguments are checked here; what is wrong is thrown.
TypeMapPointer subarray_type(std::span<const int> sizes, std::span<const int> subsizes, std::span<const int> starts,
                             int order, const TypeMapPointer& old);
// What its contents say of such a datatype's data.
LayoutPointer layout_of_array(const Contents& contents);
// One dimension of an array that is dealt out over processes.
struct Distribution {
  int size;
  int kind;
  int argument;
  int processes;
};
TypeMapPointer darray_type(int size, int rank, std::span<const Distribution> dimensions, int order,
                           const TypeMapPointer& old);

}  // namespace hindcast::mpi
