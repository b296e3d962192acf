// Every algorithm there is: a row says which operation it is for, its name, what it needs, what it costs and what can
// be chosen about it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "mpi_impl/collectives/costs/cost_model.hpp"
#include "mpi_impl/collectives/framework/parameters.hpp"
#include "mpi_impl/collectives/framework/task.hpp"

namespace hindcast::mpi {

struct Block;
struct Blocks;
struct Neighbours;

enum class CollectiveOperation : std::uint8_t {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce,
  allreduce,
  reduce_scatter_block,
  reduce_scatter,
  scan,
  exscan,
  neighbor_allgather,
  neighbor_allgatherv,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
};
constexpr int collective_operations = static_cast<int>(CollectiveOperation::neighbor_alltoallw) + 1;
const char* name_of(CollectiveOperation operation);

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

enum class Need : std::uint8_t { nothing, power_of_two, even, commutative, grid, broadcast, barrier, reduction, host };
// Any number of them. The last four are operations of the device's (group_operations.hpp).
class Needs {
 public:
  constexpr Needs(Need need = Need::nothing) : bits_(need == Need::nothing ? 0 : 1U << static_cast<unsigned>(need)) {}
  constexpr Needs operator|(Needs other) const { return Needs(bits_ | other.bits_); }
  constexpr bool has(Need need) const { return (bits_ & Needs(need).bits_) != 0; }

 private:
  constexpr explicit Needs(unsigned bits) : bits_(bits) {}
  unsigned bits_;
};
constexpr Needs operator|(Need a, Need b) { return Needs(a) | Needs(b); }
std::string text_of(Needs needs);  // "a power of two of ranks"

struct Algorithm {
  CollectiveOperation operation;
  const char* name;
  AlgorithmFunction function;
  Needs needs;
  Parameters defaults;
  bool radix_is_open;    // it can be chosen
  bool segment_is_open;  // likewise
  const char* cost_text;
  CostFunction* cost;
};

// In the order of operations; of one operation, the one first that serves where nothing is chosen.
std::span<const Algorithm> algorithms();
std::span<const Algorithm> algorithms_of(CollectiveOperation operation);
// Null if there is none of that name.
const Algorithm* find_algorithm(CollectiveOperation operation, std::string_view name);

}  // namespace hindcast::mpi
