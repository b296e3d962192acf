// The predefined reductions on basic types, and operations of the program's own.
#pragma once

#include <mpi.h>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "mpi_impl/core/handle.hpp"

namespace hindcast::mpi {

// The standard's classes of basic types (MPI-3.1, 5.9.2), and those that take no reduction. Of two classes more is
// taken than the standard asks for, because every MPI takes it and programs have come to rely on it: logical operations
// on multi-language types, and on MPI_CHAR what integers take.
enum class TypeClass : std::uint8_t {
  c_integer,
  c_char,
  fortran_integer,
  floating,
  logical,
  complex,
  byte,
  multi_language,
  pair,
  character,
  packed,
};

// Whether a processor combines such elements as it does integers.
constexpr bool combines_integers(TypeClass of_class) {
  return of_class != TypeClass::floating && of_class != TypeClass::complex && of_class != TypeClass::pair;
}

// In the order of their handles.
enum class Reduction : std::uint8_t {
  max,
  min,
  sum,
  prod,
  land,
  band,
  lor,
  bor,
  lxor,
  bxor,
  maxloc,
  minloc,
  replace,  // for windows only, which need no kernels for them
  no_op,
};
constexpr std::size_t reduction_count = 14;

// What MPI_MAXLOC works on.
template <typename Value, typename Index>
struct Pair {
  Value value;
  Index index;
};
template <typename Value, typename Index>
constexpr std::ptrdiff_t offsetof_index() {
  constexpr std::size_t unit = alignof(Index);
  return static_cast<std::ptrdiff_t>((sizeof(Value) + unit - 1) / unit * unit);
}

// out[i] = first[i] op second[i]; `out` may be one of the two.
using Kernel = void (*)(const void* first, const void* second, void* out, std::size_t count);
// A datatype's, by Reduction; null where the operation is not defined for the type.
using Reductions = std::array<Kernel, reduction_count>;

constexpr bool is_defined(Reduction reduction, TypeClass of_class) {
  const bool c_integer = of_class == TypeClass::c_integer || of_class == TypeClass::c_char;
  const bool integer = c_integer || of_class == TypeClass::fortran_integer || of_class == TypeClass::multi_language;
  switch (reduction) {
    case Reduction::max:
    case Reduction::min:
      return integer || of_class == TypeClass::floating;
    case Reduction::sum:
    case Reduction::prod:
      return integer || of_class == TypeClass::floating || of_class == TypeClass::complex;
    case Reduction::land:
    case Reduction::lor:
    case Reduction::lxor:
      return c_integer || of_class == TypeClass::multi_language || of_class == TypeClass::logical;
    case Reduction::band:
    case Reduction::bor:
    case Reduction::bxor:
      return integer || of_class == TypeClass::byte;
    case Reduction::maxloc:
    case Reduction::minloc:
      return of_class == TypeClass::pair;
    case Reduction::replace:
    case Reduction::no_op:
      return false;
  }
  return false;
}

namespace reduction {

// Integer arithmetic wraps around, as the machine's does.
template <typename T>
using Wide = std::conditional_t<(sizeof(T) > 8), unsigned __int128, std::uint64_t>;
template <typename T>
constexpr bool is_integer = std::is_integral_v<T> || std::is_same_v<T, __int128>;

template <Reduction reduction, typename T>
T combine(T a, T b) {
  if constexpr (reduction == Reduction::max) {
    return a > b ? a : b;
  } else if constexpr (reduction == Reduction::min) {
    return a < b ? a : b;
  } else if constexpr (reduction == Reduction::sum) {
    if constexpr (is_integer<T>)
      return static_cast<T>(static_cast<Wide<T>>(a) + static_cast<Wide<T>>(b));
    else
      return a + b;
  } else if constexpr (reduction == Reduction::prod) {
    if constexpr (is_integer<T>)
      return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
    else
      return a * b;
  } else if constexpr (reduction == Reduction::land) {
    return static_cast<T>(a && b);
  } else if constexpr (reduction == Reduction::lor) {
    return static_cast<T>(a || b);
  } else if constexpr (reduction == Reduction::lxor) {
    return static_cast<T>(!a != !b);
  } else if constexpr (reduction == Reduction::band) {
    return static_cast<T>(a & b);
  } else if constexpr (reduction == Reduction::bor) {
    return static_cast<T>(a | b);
  } else if constexpr (reduction == Reduction::bxor) {
    return static_cast<T>(a ^ b);
  } else {
    // The lower index wins a tie.
    constexpr bool wants_more = reduction == Reduction::maxloc;
    const bool a_wins = wants_more ? a.value > b.value : a.value < b.value;
    const bool tie = a.value == b.value;
    return a_wins || (tie && a.index < b.index) ? a : b;
  }
}

template <Reduction reduction, typename T>
void combine_all(const void* first, const void* second, void* out, std::size_t count) {
  const T *a = static_cast<const T*>(first), *b = static_cast<const T*>(second);
  T* results = static_cast<T*>(out);
  // No element depends on another one, so that several are combined at once.
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) results[i] = combine<reduction, T>(a[i], b[i]);
}

template <typename T, TypeClass of_class, std::size_t... rows>
constexpr Reductions all(std::index_sequence<rows...>) {
  return {[] {
    constexpr auto reduction = static_cast<Reduction>(rows);
    if constexpr (is_defined(reduction, of_class))
      return Kernel(&combine_all<reduction, T>);
    else
      return Kernel(nullptr);
  }()...};
}

}  // namespace reduction

template <typename T, TypeClass of_class>
inline constexpr Reductions reductions_of = reduction::all<T, of_class>(std::make_index_sequence<reduction_count>());

struct Datatype;

// What MPI_Op handles stand for.
struct Op : Handled {
  const char* name = "";
  Reduction predefined = Reduction::max;
  MPI_User_function* function = nullptr;  // the program's own; predefined if null
  bool is_commutative = true;

  bool takes(const Datatype& type) const;
  bool is_predefined() const { return function == nullptr; }
  // out = first op second, by one that is predefined. `out` may be one of the two.
  void combine(const void* first, const void* second, void* out, std::size_t count, const Datatype& type) const;
  // inout = in op inout, element by element
  void apply(const void* in, void* inout, MPI_Count count, const Datatype& type) const;
};

// The operation of a predefined handle, or null. Shared by all ranks.
const Op* predefined_op(int handle);

}  // namespace hindcast::mpi
