#include "mpi_impl/core/files/decision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "mpi_impl/core/communicators/agreement.hpp"

namespace hindcast::mpi {

namespace {

struct Outcome {
  int code = MPI_SUCCESS;
  void* result = nullptr;
  char text[240] = {};

  void set(const Error& error) {
    code = error.code;
    error.text.copy(text, sizeof text - 1);
  }
};

// A rank's record: a code, and what has to be the same.
std::vector<std::byte> record_of(int code, std::span<const std::byte> same) {
  std::vector<std::byte> record(sizeof code + same.size());
  std::memcpy(record.data(), &code, sizeof code);
  std::ranges::copy(same, record.begin() + sizeof code);
  return record;
}

std::optional<Error> wrong_with(std::span<const std::byte> records, std::size_t size) {
  const auto first = records.subspan(sizeof(int), size - sizeof(int));
  for (std::size_t rank = 0; rank < records.size() / size; ++rank) {
    const auto record = records.subspan(rank * size, size);
    int code = MPI_SUCCESS;
    std::memcpy(&code, record.data(), sizeof code);
    if (code != MPI_SUCCESS) return Error{code, fmt::format("rank {} has found wrong what it was given", rank)};
    if (!std::ranges::equal(record.subspan(sizeof code), first))
      return Error{MPI_ERR_NOT_SAME, fmt::format("rank {} has given other arguments than rank 0", rank)};
  }
  return std::nullopt;
}

}  // namespace

void* decide(Process& process, Comm& comm, std::span<const std::byte> same, const std::optional<Error>& obstacle,
             const std::function<void*()>& act) {
  const std::vector<std::byte> mine = record_of(obstacle ? obstacle->code : MPI_SUCCESS, same);
  const std::vector<std::byte> all = gather_at_first(process, comm, mine);
  Outcome outcome;
  if (comm.rank == 0) {
    try {
      if (const std::optional<Error> wrong = wrong_with(all, mine.size())) throw *wrong;
      outcome.result = act();
    } catch (const Error& error) {
      outcome.set(error);
    }
  }
  broadcast_from_first(process, comm, writable_bytes_of(outcome));
  if (outcome.code == MPI_SUCCESS) return outcome.result;
  throw obstacle ? *obstacle : Error{outcome.code, outcome.text};
}

}  // namespace hindcast::mpi
