// Which reductions of MPI's are those that a machine does by itself.
#pragma once

#include <optional>

#include "mpi_impl/core/datatypes/datatype.hpp"
#include "mpi_impl/core/reduction.hpp"
#include "mpi_impl/transport/group_operations.hpp"

namespace hindcast::mpi {

inline std::optional<ElementKind> element_kind(const Datatype& type) {
  switch (type.handle) {
    case MPI_INT:
    case MPI_INTEGER:
      return ElementKind::int32;
    case MPI_FLOAT:
    case MPI_REAL:
      return ElementKind::float32;
    case MPI_DOUBLE:
    case MPI_DOUBLE_PRECISION:
      return ElementKind::float64;
    default:
      return std::nullopt;
  }
}

inline std::optional<ElementOperation> element_operation(const Op& op) {
  if (op.function != nullptr) return std::nullopt;
  switch (op.predefined) {
    case Reduction::sum:
      return ElementOperation::sum;
    case Reduction::max:
      return ElementOperation::max;
    case Reduction::min:
      return ElementOperation::min;
    default:
      return std::nullopt;
  }
}

}  // namespace hindcast::mpi
