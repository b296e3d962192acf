// One collective operation under way on a rank: its messages are apart from all others' by context and tag.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "mpi_impl/core/point_to_point.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

// Elements in memory.
struct Block {
  void* data = nullptr;
  int count = 0;
  const Datatype* type = nullptr;

  std::size_t bytes() const { return type->bytes_of(count); }
};

// One block for every rank: all as long and side by side, or as the v-forms say.
struct Blocks {
  void* data = nullptr;
  const Datatype* type = nullptr;
  int count = 0;
  const int* counts = nullptr;         // null: all have `count`
  const int* displacements = nullptr;  // in extents of the type

  Block of(int rank) const {
    const int place = counts != nullptr ? displacements[rank] : 0;
    const std::ptrdiff_t elements = counts != nullptr ? place : static_cast<std::ptrdiff_t>(rank) * count;
    return {static_cast<std::byte*>(data) + elements * type->extent, counts != nullptr ? counts[rank] : count, type};
  }
};

class Collective {
 public:
  Collective(Process& process, Comm& comm) : process_(process), comm_(comm), tag_(comm.next_collective_tag()) {}

  int rank() const { return comm_.rank; }
  int size() const { return comm_.size; }
  // The rank that is `distance` further on, around the end.
  int neighbour(int distance) const { return ((rank() + distance) % size() + size()) % size(); }

  void send(const Block& block, int to) {
    mpi::send(process_, comm_, comm_.collective_context(), {block.data, block.count, *block.type, to, tag_},
              SendMode::standard);
  }
  void receive(const Block& block, int from) {
    mpi::receive(process_, comm_, comm_.collective_context(), {block.data, block.count, *block.type, from, tag_},
                 MPI_STATUS_IGNORE);
  }
  void exchange(const Block& out, int to, const Block& in, int from) {
    mpi::exchange(process_, comm_, comm_.collective_context(), {out.data, out.count, *out.type, to, tag_},
                  {in.data, in.count, *in.type, from, tag_}, MPI_STATUS_IGNORE);
  }

  // On this rank, at the cost of a copy.
  void copy(const Block& from, const Block& to);
  // inout = in op inout, at its cost.
  void combine(const void* in, const Block& inout, const Op& op);

 private:
  Process& process_;
  Comm& comm_;
  int tag_;
};

// Memory for as many elements as a block has.
class Scratch {
 public:
  explicit Scratch(const Block& like)
      : reach_(reach_of(*like.type, like.count)), memory_(reach_.bytes), count_(like.count), type_(like.type) {}
  Block block() { return {memory_.data() - reach_.offset, count_, type_}; }

 private:
  Reach reach_;
  std::vector<std::byte> memory_;
  int count_;
  const Datatype* type_;
};

}  // namespace hindcast::mpi
