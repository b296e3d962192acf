// Arithmetic on sizes and displacements that a program may make larger than 63 bits hold.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "mpi_impl/core/error.hpp"

namespace hindcast::mpi {

[[noreturn]] inline void refuse_huge_type() {
  throw Error{MPI_ERR_ARG, "the datatype would reach over more than 2^63 bytes; make it smaller"};
}

inline std::ptrdiff_t product(std::ptrdiff_t a, std::ptrdiff_t b) {
  std::ptrdiff_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) refuse_huge_type();
  return result;
}
inline std::ptrdiff_t sum(std::ptrdiff_t a, std::ptrdiff_t b) {
  std::ptrdiff_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) refuse_huge_type();
  return result;
}
inline std::size_t size_product(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  if (__builtin_mul_overflow(a, b, &result) || result > PTRDIFF_MAX) refuse_huge_type();
  return result;
}
inline std::size_t size_sum(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  if (__builtin_add_overflow(a, b, &result) || result > PTRDIFF_MAX) refuse_huge_type();
  return result;
}

}  // namespace hindcast::mpi
