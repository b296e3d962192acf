#include "mpi_impl/core/leniency.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>

#include "mpi_impl/core/datatypes/datatype.hpp"
#include "mpi_impl/core/reduction.hpp"

namespace hindcast::mpi {

namespace {

// MPI-3.1, 5.9.2: characters for printing take no reduction, and types of several languages no logical ones.
bool is_promised(const Op& op, const Datatype& type) {
  if (!op.is_predefined()) return true;
  if (type.handle == MPI_CHAR) return false;
  const bool is_logical =
      op.predefined == Reduction::land || op.predefined == Reduction::lor || op.predefined == Reduction::lxor;
  return !is_logical || (type.handle != MPI_AINT && type.handle != MPI_OFFSET && type.handle != MPI_COUNT);
}

}  // namespace

// Of what is refused, the refusal says what is wrong.
void Leniency::look_at(const char* call, int rank, const Op& op, const Datatype& type) {
  if (is_promised(op, type) || !op.takes(type)) return;
  const auto known = first_ranks_.try_emplace(fmt::format("{}: {} of {}", call, op.name, type.name), rank).first;
  known->second = std::min(known->second, rank);
}

std::vector<std::string> Leniency::lines() const {
  std::vector<std::string> lines;
  for (const auto& [what, rank] : first_ranks_)
    lines.push_back(
        fmt::format("{} (rank {}) is taken, as every MPI takes it, but the standard does not define it", what, rank));
  return lines;
}

}  // namespace hindcast::mpi
