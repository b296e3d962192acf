// What operations in progress had in the buffers that they send when they began. A program may not change those until
// it has been told that the operation is complete (MPI-3.1, 3.7.2 and 5.12): whether the old or the new data arrive
// differs from machine to machine. A run that is told to look for it finds it here.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mpi_impl/core/error.hpp"
#include "simulator/programs/places/program_place.hpp"

namespace hindcast::mpi {

struct Comm;
struct Datatype;
struct Request;
struct RequestArguments;

// Elements of a buffer that is sent.
struct SentPiece {
  const void* data;
  MPI_Count count;
  const Datatype* type;
};

// What one operation sends.
class SentData {
 public:
  // To be made at the operation's beginning. `operation` names it: "the send to rank 1 with tag 3".
  SentData(std::string operation, std::vector<SentPiece> pieces,
           programs::ProgramPlace begun_at = programs::place_of_caller());
  // To be asked at the operation's end.
  bool has_changed() const { return digest() != digest_; }
  Error error(Comm& comm) const;

 private:
  std::uint64_t digest() const;

  std::string operation_;
  std::vector<SentPiece> pieces_;
  std::uint64_t digest_;
  programs::ProgramPlace place_;  // where it began
};

// What sends in progress send, by their requests.
class SentBuffers {
 public:
  // At the beginning of a send. A request that the program has freed is forgotten when another takes its place.
  void keep(const Request& request, const RequestArguments& arguments, programs::ProgramPlace begun_at);
  const SentData& of(const Request& request) const { return sent_.at(&request); }

 private:
  std::unordered_map<const Request*, SentData> sent_;
};

}  // namespace hindcast::mpi
