// A message-passing library, as all else knows it: by one descriptor, which stands as a row in the library's folder. A
// machine's file names the library that its programs run on (messages.library).
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mpi_impl/collectives/costs/cost_model.hpp"
#include "mpi_impl/collectives/framework/choice.hpp"
#include "mpi_impl/core/process.hpp"
#include "simulator/engine/end_run.hpp"
#include "simulator/engine/rows.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast {

// What a library is started with. All of it outlives the library.
struct LibraryStart {
  Engine& engine;
  Machine& machine;
  int ranks;
  const mpi::CollectiveChoices& choices;
  const EndRun& end_run;
  std::vector<int> nodes = {};  // of all places for ranks, also for those that are born in mid-run

  std::vector<int> nodes_at_start() const {
    return {nodes.begin(), nodes.begin() + std::min<std::ptrdiff_t>(ranks, std::ssize(nodes))};
  }
};

// In a run: what all its ranks share, and for each rank, if there is MPI on the library, an endpoint and MPI's process.
class RunningLibrary {
 public:
  virtual ~RunningLibrary() = default;
  RunningLibrary(const RunningLibrary&) = delete;
  RunningLibrary& operator=(const RunningLibrary&) = delete;

  // Why a node has room for one rank only, for people; nothing if it has for more.
  virtual std::string why_alone_on_a_node() const { return {}; }
  // How the user can give such a node room for several ranks, for people; nothing if there is no way.
  virtual std::string what_lets_ranks_share_a_node() const { return {}; }

  // For each rank, before it runs, in the order of their numbers: in the beginning, or in a handler in mid-run. Whoever
  // starts a run calls the function below.
  virtual void add_rank(Rank& rank, int node, int application) = 0;
  // Null if the library has no MPI.
  virtual mpi::World* world() { return nullptr; }
  // Who starts programs in mid-run, for a library that has calls for that besides MPI's. Outlives the run.
  virtual void set_births(Births& /*births*/) {}
  // On the rank's thread: its program is about to begin.
  virtual void program_begins(Rank& /*rank*/) {}
  // On the rank's thread: its program has returned from main or called exit.
  virtual void program_ends(Rank& /*rank*/) {}
  // Of a rank that has gone, whose place is wanted for others: forgets it, unless something that is under way still has
  // to do with it. One that runs beside another is asked first, and again if the other has not forgotten the rank: it
  // says yes then.
  virtual bool forget_rank(const Rank& /*rank*/) { return false; }

 protected:
  RunningLibrary() = default;
};

// Adds a rank to a run: the library's part of it, and where MPI's world has it.
void add_rank(RunningLibrary& running, const Machine& machine, Rank& rank, int node, int application);
// A front end is at the first site.
mpi::Place place_of(const Machine& machine, int node);

// An option of commands that is short for a key of the machine's file.
struct Shorthand {
  std::string option;   // "--host"
  std::string meaning;  // for --help
  std::string key;      // that it sets
  std::string value;
  std::string missing;  // what a machine lacks whose file has no such key, for people
};

struct Library {
  std::string name;
  // Libraries whose headers it includes, besides `common`. A test holds it to them.
  std::vector<std::string> stands_on = {};
  // Empty: a machine's file can name it as its library. Else it is there for the programs of all machines whose library
  // has this name, which is started first and told first of each rank. It has no MPI of its own.
  std::string runs_beside = {};
  // Throws MachineFileError if the machine's file is wrong.
  std::unique_ptr<RunningLibrary> (*start)(const LibraryStart& start);
  // What the cost formulas of collectives take from the file, for a run on so many neighbouring nodes. Throws as start.
  mpi::CostModel (*costs)(const MachineFile& file, int ranks);
  PartsBesideNetwork parts = {};
  // Whether rank 0 of a run is the machine's front end. Null: never.
  bool (*runs_on_front_end)(const MachineFile& file) = nullptr;
  std::vector<Shorthand> shorthands = {};
  // What the names of its own calls that start programs have in them.
  std::vector<std::string> starting_calls = {};
  // How many programs these calls bring to a node, if nobody says how many places there are: one to each before the
  // second to any.
  int programs_a_node = 1;

  // The parts of a run on the machine of this file.
  PartsBesideNetwork parts_for(const MachineFile& file) const;
};

// The one that the file names. Throws MachineFileError if there is none of that name.
const Library& library_of(const MachineFile& file);
std::vector<const Library*> libraries();  // by name

// Starts it, and those that run beside it.
std::unique_ptr<RunningLibrary> start_library(const Library& library, const LibraryStart& start);

// A program that calls functions with this in their names may start others.
struct StartingCall {
  std::string name;
  int programs_a_node;
};
// The library's, those of libraries beside it, and MPI's.
std::vector<StartingCall> starting_calls_of(const Library& library);

// What a program has left undone in MPI when it exits, "without calling MPI_Finalize", or nothing.
std::string complaint_at_exit(const Rank& rank);

}  // namespace hindcast
