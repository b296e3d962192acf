// messages.library = "nexus": Nexus by itself, for programs that call nothing else but what it stands on.
#include <deque>

#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/mpl/parts.hpp"
#include "mpi_impl/libraries/nexus/parts.hpp"

namespace hindcast {

namespace {

class NexusLibrary final : public RunningLibrary {
 public:
  explicit NexusLibrary(const LibraryStart& start)
      : machine_(start.machine), partitions_(start.engine, start.machine, start.end_run), contexts_(start) {}

  std::string why_alone_on_a_node() const override {
    return machine_.parameters().tables("node").empty() ? "a node of this machine runs one process" : "";
  }
  void add_rank(Rank& rank, int node, int) override {
    if (partitions_.has(node)) nodes_.emplace_back(partitions_.of_node(node), rank, node);
    rank.set_progress(Progress::hardware, machine_.kind_of(node).processor.poll);
    contexts_.add(rank, node);
  }
  void program_begins(Rank& rank) override { contexts_.program_begins(rank); }

 private:
  Machine& machine_;
  mpl::Partitions partitions_;
  std::deque<mpl::Node> nodes_;
  nexus::Contexts contexts_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<NexusLibrary>(start); }
mpi::CostModel no_costs(const MachineFile&, int) { return {}; }

const Row<Library> nexus_row{{.name = "nexus", .stands_on = {"mpl", "tcp"}, .start = start, .costs = no_costs}};

}  // namespace

}  // namespace hindcast
