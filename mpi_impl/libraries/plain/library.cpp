// messages.library = "plain": a library without peculiarities, for machines that nobody built.
#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/common/processors_of_nodes.hpp"
#include "mpi_impl/libraries/common/rank_parts.hpp"
#include "mpi_impl/libraries/plain/costs.hpp"
#include "mpi_impl/libraries/plain/methods.hpp"

namespace hindcast {

namespace {

Progress progress_of(const MachineFile& file) {
  const std::string name = file.choice("messages.progress", {"hardware", "interrupt", "polling"});
  if (name == "interrupt") return Progress::interrupt;
  return name == "polling" ? Progress::polling : Progress::hardware;
}

class PlainLibrary final : public RunningLibrary {
 public:
  explicit PlainLibrary(const LibraryStart& start)
      : machine_(start.machine),
        processors_(start.engine, start.nodes),
        progress_(progress_of(start.machine.parameters())),
        methods_(start.engine, start.machine, progress_),
        exchange_(start.engine, methods_.all(), progress_),
        world_(start.engine, start.ranks, start.choices, start.end_run) {}

  void add_rank(Rank& rank, int node, int application) override {
    const mpi::EndpointCosts& costs = methods_.add_rank(node);
    rank.set_progress(progress_, costs.poll.cost);
    share_processors(rank, node);
    ranks_.add(rank.id, *this, rank, node, costs, application);
  }
  mpi::World* world() override { return &world_; }
  bool forget_rank(const Rank& rank) override { return ranks_.remove_if_at_rest(rank.id); }

 private:
  struct PlainRank {
    PlainRank(PlainLibrary& in, Rank& rank, int node, const mpi::EndpointCosts& costs, int application)
        : endpoint(in.exchange_, rank, in.methods_.place_of(node), costs),
          process(in.world_, rank, endpoint, application) {}
    mpi::MatchingEndpoint endpoint;
    mpi::Process process;
  };

  void share_processors(Rank& rank, int node) {
    const NodeKind& kind = machine_.kind_of(node);
    if (!kind.takes_turns) return;
    const StepKind switching{"task switch", texts_.keep(kind.prefix + ".task_switch")};
    processors_.add(rank, node, {kind.processors, kind.time_slice, {switching, kind.task_switch}});
  }

  Machine& machine_;
  KeptTexts texts_;
  ProcessorsOfNodes processors_;
  const Progress progress_;
  PlainMethods methods_;
  mpi::MessageExchange exchange_;
  mpi::World world_;
  RankParts<PlainRank> ranks_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<PlainLibrary>(start); }

const Row<Library> plain_row{{.name = "plain", .start = start, .costs = plain_costs}};

}  // namespace

}  // namespace hindcast
