// Datatypes by what they can hold: Fortran's parameterized kinds (MPI-3.1, 17.1.9), and predefined ones by their size.
#include <fmt/format.h>

#include <array>
#include <span>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

// The kinds that a Fortran compiler has here, each with what it holds: decimal digits, and powers of ten.
struct FloatingKind {
  int digits;
  int range;
  MPI_Datatype real;
  MPI_Datatype complex;
};
constexpr std::array floating_kinds{FloatingKind{6, 37, MPI_REAL4, MPI_COMPLEX8},
                                    FloatingKind{15, 307, MPI_REAL8, MPI_COMPLEX16},
                                    FloatingKind{18, 4931, MPI_LONG_DOUBLE, MPI_C_LONG_DOUBLE_COMPLEX},
                                    FloatingKind{33, 4931, MPI_REAL16, MPI_COMPLEX32}};
struct IntegerKind {
  int range;
  MPI_Datatype type;
};
constexpr std::array integer_kinds{IntegerKind{2, MPI_INTEGER1}, IntegerKind{4, MPI_INTEGER2},
                                   IntegerKind{9, MPI_INTEGER4}, IntegerKind{18, MPI_INTEGER8},
                                   IntegerKind{38, MPI_INTEGER16}};

bool holds(int has, int wanted) { return wanted == MPI_UNDEFINED || wanted <= has; }

const FloatingKind& floating_kind(int digits, int range) {
  if (digits == MPI_UNDEFINED && range == MPI_UNDEFINED)
    throw Error{MPI_ERR_ARG, "arguments 1 (p) and 2 (r) are both MPI_UNDEFINED; give at least one"};
  for (const FloatingKind& kind : floating_kinds)
    if (holds(kind.digits, digits) && holds(kind.range, range)) return kind;
  throw Error{MPI_ERR_ARG, fmt::format("no kind has {} digits (argument 1, p) and a range of {} (argument 2, r); the "
                                       "largest one has 33 and 4931",
                                       digits, range)};
}

void get(Process& process, int combiner, const std::vector<int>& integers, MPI_Datatype base, MPI_Datatype& handle) {
  handle = process.datatypes.get_unnamed(combiner, integers, *predefined_datatype(base)).handle;
}

std::span<const MPI_Datatype> types_of_class(int type_class) {
  static constexpr MPI_Datatype integers[] = {MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8, MPI_INTEGER16};
  static constexpr MPI_Datatype reals[] = {MPI_REAL4, MPI_REAL8, MPI_REAL16};
  static constexpr MPI_Datatype complexes[] = {MPI_COMPLEX8, MPI_COMPLEX16, MPI_COMPLEX32};
  switch (type_class) {
    case MPI_TYPECLASS_INTEGER:
      return integers;
    case MPI_TYPECLASS_REAL:
      return reals;
    case MPI_TYPECLASS_COMPLEX:
      return complexes;
    default:
      throw Error{MPI_ERR_ARG, fmt::format("argument 1 (typeclass) is {}; give MPI_TYPECLASS_INTEGER, "
                                           "MPI_TYPECLASS_REAL or MPI_TYPECLASS_COMPLEX",
                                           type_class)};
  }
}

}  // namespace

void Type_create_f90_real(Process& process, int digits, int range, MPI_Datatype& handle) {
  get(process, MPI_COMBINER_F90_REAL, {digits, range}, floating_kind(digits, range).real, handle);
}

void Type_create_f90_complex(Process& process, int digits, int range, MPI_Datatype& handle) {
  get(process, MPI_COMBINER_F90_COMPLEX, {digits, range}, floating_kind(digits, range).complex, handle);
}

void Type_create_f90_integer(Process& process, int range, MPI_Datatype& handle) {
  for (const IntegerKind& kind : integer_kinds)
    if (holds(kind.range, range)) return get(process, MPI_COMBINER_F90_INTEGER, {range}, kind.type, handle);
  throw Error{MPI_ERR_ARG, fmt::format("no kind has a range of {} (argument 1, r); the largest one has 38", range)};
}

void Type_match_size(Process&, int type_class, int size, MPI_Datatype& handle) {
  for (const MPI_Datatype type : types_of_class(type_class)) {
    if (predefined_datatype(type)->size != static_cast<std::size_t>(size)) continue;
    handle = type;
    return;
  }
  throw Error{MPI_ERR_ARG, fmt::format("argument 2 (size) is {}; no predefined datatype of the class has it", size)};
}

}  // namespace hindcast::mpi::body
