// messages.library = "mpich": MPICH's device for channels, on the machine's own message passing.
#include <deque>
#include <set>

#include "mpi_impl/libraries/common/file_costs.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "mpi_impl/libraries/mpich/costs.hpp"
#include "mpi_impl/libraries/mpich/mpi/endpoint.hpp"
#include "mpi_impl/libraries/mpich/mpi/mpl_channel.hpp"
#include "mpi_impl/libraries/mpich/mpi/nexus_channel.hpp"
#include "mpi_impl/libraries/mpl/parts.hpp"
#include "mpi_impl/libraries/nexus/parts.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast {

namespace {

mpi::MpichSettings settings_of(const MachineFile& file, const Processor& processor) {
  constexpr auto copied_at = "processor.copy_bandwidth";
  mpi::MpichSettings settings;
  const Time sends = file_costs::share_at_sender(file, "mpi.overhead", "mpi.percent_at_sender");
  settings.send = {{"MPICH's own work in a send", "mpi.overhead"}, sends};
  settings.receive = {{"MPICH's own work in a receive", "mpi.overhead"}, file.time("mpi.overhead") - sends};
  settings.copy_in = {"copy into the control message", copied_at};
  settings.copy_out = {"copy out of the control message", copied_at};
  settings.copy_aside = {"copy aside, as no receive is posted", copied_at};
  settings.in_one_max = file.bytes("mpi.in_one_max");
  settings.local = mpi::LocalCosts::of(processor);
  return settings;
}

mpi::NexusChannelCosts costs_on_nexus(const MachineFile& file, const Processor& processor, bool is_taken) {
  return {.rest = step_of(KeysOfChoice(file, is_taken), "what else MPICH takes on Nexus", "mpi.nexus_rest"),
          .copy = {{"copy of data that has come too early", "processor.copy_bandwidth"}, processor.copy_bandwidth},
          .header = file.bytes("mpi.header_bytes")};
}

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
      : partitions_(start.engine, start.machine, start.end_run),
        settings_(settings_of(start.machine.parameters(), start.machine.processor())),
        header_(start.machine.parameters().bytes("mpi.header_bytes")),
        is_on_nexus_(start.machine.parameters().choice("mpi.channel", {"mpl", "nexus"}) == "nexus"),
        on_nexus_(costs_on_nexus(start.machine.parameters(), start.machine.processor(), is_on_nexus_)),
        world_(start.engine, start.ranks, start.choices, start.end_run) {
    if (is_on_nexus_ || start.machine.parameters().has("nexus.methods"))
      contexts_of_nexus_.emplace(start.engine, start.machine, start.end_run);
    if (!is_on_nexus_) refuse_several_partitions(start.machine.parameters(), partitions_, start.nodes);
  }

  std::string why_alone_on_a_node() const override { return "a node of this machine runs one process"; }

  void add_rank(Rank& rank, int node, int application) override {
    mpl::Node& native = native_.emplace_back(partitions_.of_node(node), rank, node);
    nodes_.push_back(&native);
    rank.set_progress(Progress::hardware, native.costs().status.cost);
    mpi::Channel& channel = is_on_nexus_ ? channel_on_nexus(rank, node) : channel_on_mpl(native);
    mpi::MpichEndpoint& endpoint = endpoints_.emplace_back(rank, channel, settings_);
    processes_.emplace_back(world_, rank, endpoint, application);
  }
  mpi::World* world() override { return &world_; }

 private:
  mpi::Channel& channel_on_mpl(mpl::Node& native) {
    if (!contexts_) contexts_ = {native.system().new_context(), native.system().new_context()};
    return channels_.emplace_back(native, nodes_, *contexts_, header_);
  }
  mpi::Channel& channel_on_nexus(Rank& rank, int node) {
    return channels_on_nexus_.emplace_back(contexts_of_nexus_->add(rank, node), on_nexus_);
  }

  mpl::Partitions partitions_;
  const mpi::MpichSettings settings_;
  const Bytes header_;
  const bool is_on_nexus_;
  const mpi::NexusChannelCosts on_nexus_;
  mpi::World world_;
  std::optional<mpi::MplChannel::Contexts> contexts_;
  std::deque<mpl::Node> native_;
  std::vector<mpl::Node*> nodes_;  // by rank
  std::deque<mpi::MplChannel> channels_;
  std::optional<nexus::Contexts> contexts_of_nexus_;  // if the machine's file has Nexus
  std::deque<mpi::NexusChannel> channels_on_nexus_;
  std::deque<mpi::MpichEndpoint> endpoints_;
  std::deque<mpi::Process> processes_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<MpichLibrary>(start); }

const Row<Library> mpich_row{
    {.name = "mpich", .stands_on = {"mpl", "nexus", "tcp"}, .start = start, .costs = mpich_costs}};

}  // namespace

}  // namespace hindcast
