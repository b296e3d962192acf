// What the source file of an algorithm is written on, and ends with: its row. docs/collectives.md says how to add one.
//
// MPI_IN_PLACE does not get to an algorithm: what is in its place is a block whose memory is that of the result. So
// where a block and the result may be the same memory, the result is written last. `all` and `result` of operations
// with a root matter at the root only. In a reduce-scatter `mine` has a block for every rank, side by side, and the
// calling rank's result may lie at the beginning of them.
#pragma once

#include <variant>

#include "mpi_impl/collectives/costs/formula.hpp"
#include "mpi_impl/collectives/framework/collective.hpp"
#include "mpi_impl/collectives/framework/needs.hpp"
#include "mpi_impl/collectives/framework/operation.hpp"
#include "mpi_impl/collectives/framework/parameters.hpp"
#include "mpi_impl/core/topologies/neighbours.hpp"
#include "simulator/engine/rows.hpp"

namespace hindcast::mpi {

using BarrierFunction = Task(Collective&);
using BcastFunction = Task(Collective&, Block, int root);
using GatherFunction = Task(Collective&, Block mine, Blocks all, int root);
using ScatterFunction = Task(Collective&, Blocks all, Block mine, int root);
using AllgatherFunction = Task(Collective&, Block mine, Blocks all);
using AlltoallFunction = Task(Collective&, Blocks out, Blocks in);
using ReduceFunction = Task(Collective&, Block mine, Block result, int root);
using AllreduceFunction = Task(Collective&, Block mine, Block result);
using ReduceScatterFunction = Task(Collective&, Blocks mine, Block result);
using NeighbourFunction = Task(Collective&, const Neighbours&, Blocks out, Blocks in);
using AlgorithmFunction =
    std::variant<BarrierFunction*, BcastFunction*, GatherFunction*, ScatterFunction*, AllgatherFunction*,
                 AlltoallFunction*, ReduceFunction*, AllreduceFunction*, ReduceScatterFunction*, NeighbourFunction*>;

// What an algorithm moves its data by, in words, by which figures sort algorithms.
namespace means {

inline constexpr const char* broadcast = "the machine's broadcast";
inline constexpr const char* whole_machine = "the machine's barrier or reduction";
inline constexpr const char* trees = "messages along trees";
inline constexpr const char* messages = "other messages";

}  // namespace means

constexpr std::size_t KiB = 1024;

// An algorithm that another one is built of, where that can be chosen: of which operation, and which it is unless told
// otherwise.
struct Stage {
  CollectiveOperation operation = CollectiveOperation::barrier;
  const char* usual = nullptr;  // null: there is no such stage
};

// What one message or copy of an algorithm has at most, of operations in which each rank has blocks of its own.
enum class Carries : std::uint8_t {
  blocks_of_all,         // one for each rank
  single_block,          // one rank's for one rank
  blocks_between_groups  // what all ranks of a group have for all of one
};

struct Algorithm {
  CollectiveOperation operation;
  int place;  // of an operation's algorithms, the first one that can serve is taken where nothing is chosen
  const char* name;
  AlgorithmFunction function;
  const char* means;
  Needs needs;
  Parameters defaults;
  bool radix_is_open;    // it can be chosen
  bool segment_is_open;  // likewise
  Carries carries;
  bool cuts_vectors;  // a reduction's operation is called with parts of what each rank has
  Stage inner;        // of algorithms of two levels: inside a group
  Stage outer;        // and between groups
  CostFormula cost;

  bool has_levels() const { return outer.usual != nullptr; }
  // It can be a stage of another one, whatever groups there are.
  bool serves_everywhere() const { return needs.are_none() && !has_levels(); }

  // The same for another operation.
  constexpr Algorithm of(CollectiveOperation other, int place_there) const {
    Algorithm like = *this;
    like.operation = other;
    like.place = place_there;
    return like;
  }
  // The same along trees as wide as is chosen: this one's are binomial.
  constexpr Algorithm knomial(int place_there) const {
    Algorithm like = *this;
    like.name = "knomial";
    like.place = place_there;
    like.defaults.radix = 4;
    like.radix_is_open = true;
    return like;
  }
};

}  // namespace hindcast::mpi
