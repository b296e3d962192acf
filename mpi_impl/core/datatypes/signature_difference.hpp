// Where data of two signatures begin to consist of different numbers. On machines that all have the same numbers that
// is what matters of the standard's rule that types match (MPI-3.1, 3.3.1): an integer with a sign is taken for one
// without, and a complex number for two.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "mpi_impl/core/datatypes/signature.hpp"

namespace hindcast::mpi {

struct NumberKind {
  enum class Sort : std::uint8_t { integer, floating, extended };
  Sort sort;
  std::size_t bytes;
  bool operator==(const NumberKind&) const = default;
};
std::string describe(const NumberKind& kind);

struct SignatureDifference {
  std::size_t at;  // so many bytes of data, alike, come before
  NumberKind first;
  NumberKind second;
};

// In so many bytes of data, of both signatures again and again. Single bytes, and what is packed, may be any number's.
std::optional<SignatureDifference> difference(const Signature& first, const Signature& second, std::size_t bytes);

}  // namespace hindcast::mpi
