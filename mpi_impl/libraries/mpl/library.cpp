// messages.library = "mpl": IBM's message-passing library of the SP, by itself, for programs that call nothing else.
#include <deque>

#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/mpl/parts.hpp"

namespace hindcast {

namespace {

class MplLibrary final : public RunningLibrary {
 public:
  explicit MplLibrary(const LibraryStart& start) : partitions_(start.engine, start.machine, start.end_run) {}

  std::string why_alone_on_a_node() const override { return "a node of this machine runs one process"; }
  void add_rank(Rank& rank, int node, int) override {
    mpl::Node& native = nodes_.emplace_back(partitions_.of_node(node), rank, node);
    rank.set_progress(Progress::hardware, native.costs().status.cost);
  }

 private:
  mpl::Partitions partitions_;
  std::deque<mpl::Node> nodes_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<MplLibrary>(start); }
mpi::CostModel no_costs(const MachineFile&, int) { return {}; }

const Row<Library> mpl_row{{.name = "mpl", .start = start, .costs = no_costs}};

}  // namespace

}  // namespace hindcast
