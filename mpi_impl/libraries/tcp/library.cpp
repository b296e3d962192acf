// messages.library = "tcp": TCP by itself, for programs that call nothing else.
#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/tcp/parts.hpp"

namespace hindcast {

namespace {

class TcpLibrary final : public RunningLibrary {
 public:
  explicit TcpLibrary(const LibraryStart& start) : hosts_(start.engine, start.machine, start.end_run) {}

  void add_rank(Rank& rank, int node, int) override {
    const tcp::Costs& costs = hosts_.add(rank, node).costs();
    rank.set_progress(Progress::hardware, costs.select.cost);
  }

 private:
  tcp::Hosts hosts_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<TcpLibrary>(start); }
mpi::CostModel no_costs(const MachineFile&, int) { return {}; }

const Row<Library> tcp_row{{.name = "tcp", .start = start, .costs = no_costs}};

}  // namespace

}  // namespace hindcast
