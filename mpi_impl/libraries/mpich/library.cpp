// messages.library = "mpich": MPICH's device for channels, on the machine's own message passing.
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "mpi_impl/libraries/common/file_costs.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/common/processors_of_nodes.hpp"
#include "mpi_impl/libraries/common/rank_parts.hpp"
#include "mpi_impl/libraries/mpich/calls/communicator_keys.hpp"
#include "mpi_impl/libraries/mpich/costs.hpp"
#include "mpi_impl/libraries/mpich/parts.hpp"
#include "mpi_impl/libraries/mpl/parts.hpp"
#include "mpi_impl/libraries/nexus/parts.hpp"

namespace hindcast {

namespace {

bool has_nexus(const MachineFile& file) { return file.has("nexus.methods"); }

// MPL reaches the nodes of one partition.
void refuse_several_partitions(const MachineFile& file, const mpl::Partitions& partitions,
                               const std::vector<int>& nodes) {
  std::set<int> used;
  for (const int node : nodes) used.insert(partitions.partition_of(node));
  if (used.size() > 1)
    file.refuse("mpi.channel", "MPL reaches the nodes of one partition only, and these ranks are in " +
                                   std::to_string(used.size()) + ": see mpl.partition_nodes");
}

class MpichLibrary final : public RunningLibrary {
 public:
  explicit MpichLibrary(const LibraryStart& start)
      : machine_(start.machine),
        end_run_(start.end_run),
        partitions_(start.engine, start.machine, start.end_run),
        settings_(start.machine),
        is_on_nexus_(settings_.is_on_nexus()),
        processors_(start.engine, start.nodes),
        world_(start.engine, start.ranks, start.choices, start.end_run) {
    if (is_on_nexus_ || has_nexus(start.machine.parameters())) contexts_of_nexus_.emplace(start);
    if (!is_on_nexus_) refuse_several_partitions(start.machine.parameters(), partitions_, start.nodes);
  }

  std::string why_alone_on_a_node() const override {
    return machine_.parameters().tables("node").empty() ? "a node of this machine runs one process" : "";
  }

  void add_rank(Rank& rank, int node, int application) override {
    mpl::Node* const native = partitions_.has(node) ? &add_to_mpl(rank, node) : nullptr;
    const Time poll = native != nullptr ? native->costs().status.cost : machine_.kind_of(node).processor.poll;
    rank.set_progress(Progress::hardware, poll);
    share_processors(rank, node);
    MemoryPort* const memory = contexts_of_nexus_ ? contexts_of_nexus_->memory_of(node) : nullptr;
    const MpichOfNode& settings = settings_.at(node, memory);
    mpi::Channel& channel = is_on_nexus_ ? channel_on_nexus(rank, node, settings) : channel_on_mpl(*native);
    MpichRank& part = ranks_.add(rank.id, *this, rank, channel, settings, application);
    if (is_on_nexus_) part.keys.emplace(part.process, part.endpoint, end_run_);
  }
  // The native parts stay: messages that others have sent may be on their way to them, and connections last.
  bool forget_rank(const Rank& rank) override {
    if (!ranks_.remove_if_at_rest(rank.id)) return false;
    if (const mpl::Node* native = mpl::Node::of(rank)) nodes_with_task_.erase(native->place());
    return true;
  }
  mpi::World* world() override { return &world_; }
  void program_begins(Rank& rank) override {
    if (contexts_of_nexus_) contexts_of_nexus_->program_begins(rank);
  }

 private:
  struct MpichRank {
    MpichRank(MpichLibrary& in, Rank& rank, mpi::Channel& channel, const MpichOfNode& settings, int application)
        : endpoint(rank, channel, settings.device), process(in.world_, rank, endpoint, application) {}
    mpi::MpichEndpoint endpoint;
    mpi::Process process;
    std::optional<mpi::CommunicatorKeys> keys;
  };

  // One task runs on a node, which its adapter is opened by.
  mpl::Node& add_to_mpl(Rank& rank, int node) {
    if (!nodes_with_task_.insert(node).second)
      throw MachineFileError(machine_.parameters().path() + ": MPL runs one process on a node, and " +
                             machine_.node_name(node) + " has been given two");
    mpl::Node& native = native_.emplace_back(partitions_.of_node(node), rank, node);
    nodes_.push_back(&native);
    return native;
  }

  mpi::Channel& channel_on_mpl(mpl::Node& native) {
    if (!contexts_) contexts_ = {native.system().new_context(), native.system().new_context()};
    return channels_.emplace_back(native, nodes_, *contexts_, settings_.header());
  }
  mpi::Channel& channel_on_nexus(Rank& rank, int node, const MpichOfNode& settings) {
    return channels_on_nexus_.emplace_back(contexts_of_nexus_->add(rank, node), settings.on_nexus);
  }

  void share_processors(Rank& rank, int node) {
    const NodeKind& kind = machine_.kind_of(node);
    if (!kind.takes_turns) return;
    const StepKind switching{"task switch", texts_.keep(kind.prefix + ".task_switch")};
    processors_.add(rank, node, {kind.processors, kind.time_slice, {switching, kind.task_switch}});
  }

  Machine& machine_;
  const EndRun& end_run_;
  KeptTexts texts_;
  mpl::Partitions partitions_;
  MpichOfMachine settings_;
  const bool is_on_nexus_;
  ProcessorsOfNodes processors_;
  mpi::World world_;
  std::optional<mpi::MplChannel::Contexts> contexts_;
  std::deque<mpl::Node> native_;
  std::set<int> nodes_with_task_;
  std::vector<mpl::Node*> nodes_;  // by rank, where all have MPL
  std::deque<mpi::MplChannel> channels_;
  std::optional<nexus::Contexts> contexts_of_nexus_;  // if the machine's file has Nexus
  std::deque<mpi::NexusChannel> channels_on_nexus_;
  RankParts<MpichRank> ranks_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<MpichLibrary>(start); }

const Row<Library> mpich_row{
    {.name = "mpich", .stands_on = {"mpl", "nexus", "tcp"}, .start = start, .costs = mpich_costs}};

}  // namespace

}  // namespace hindcast
