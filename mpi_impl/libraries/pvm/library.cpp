// PVM 3, beside the message layer that it sends its messages by.
#include <algorithm>
#include <cctype>
#include <optional>

#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/common/rank_parts.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "mpi_impl/libraries/pvm/native/task.hpp"

namespace hindcast {

namespace {

pvm::Costs costs_of(const MachineFile& file, const Processor& processor) {
  pvm::Costs costs;
  const Rate copy = processor.copy_bandwidth;
  constexpr auto copied_at = "processor.copy_bandwidth";
  costs.send = step_of(file, "PVM's call that sends", "pvm.send_overhead");
  costs.packed_send = step_of(file, "PVM's call that sends data as it is", "pvm.psend_overhead");
  costs.receive = step_of(file, "PVM's call that receives", "pvm.receive_overhead");
  costs.pack = {{"pack", copied_at}, copy};
  costs.unpack = {{"unpack", copied_at}, copy};
  costs.copy_to_daemon = {{"copy to the daemon", copied_at}, copy};
  costs.copy_from_daemon = {{"copy from the daemon", copied_at}, copy};
  costs.combine = {{"combine", "processor.combine_rate"}, processor.combine_rate};
  costs.daemon_call = step_of(file, "between task and daemon", "pvm.daemon_call");
  costs.fragment_work = file.time("pvm.fragment_work");
  costs.fragment_copy = copy;
  costs.fragment = file.bytes("pvm.fragment_bytes");
  costs.fragment_header = file.bytes("pvm.fragment_header");
  costs.start_task = file.time("pvm.start_task");
  costs.group_service = file.time("pvm.group_service");
  costs.looks_up_each_member = file.choice("pvm.group_lookup", {"each", "all"}) == "each";
  costs.root_asks = file.choice("pvm.group_data", {"asked", "sent"}) == "asked";
  costs.reduce_members_max = file.small_count("pvm.reduce_members_max");
  costs.is_direct_by_itself = file.choice("pvm.route", {"direct", "daemon"}) == "direct";
  if (costs.fragment == Bytes()) file.refuse("pvm.fragment_bytes", "must be more than 0");
  if (costs.fragment_header == Bytes()) file.refuse("pvm.fragment_header", "must be more than 0");
  return costs;
}

// As PVM names architectures.
std::string architecture_of(const MachineFile& file) {
  std::string name = file.name();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) { return std::toupper(letter); });
  return name;
}

class PvmLibrary final : public RunningLibrary {
 public:
  explicit PvmLibrary(const LibraryStart& start)
      : machine_(start.engine, costs_of(start.machine.parameters(), start.machine.processor()),
                 {start.machine.network(), start.nodes,
                  [machine = &start.machine](int node) { return machine->node_name(node); },
                  architecture_of(start.machine.parameters()),
                  [](const Rank& rank) {
                    const mpi::Process* process = mpi::Process::of(rank);
                    return process != nullptr && process->is_initialized();
                  }}) {}

  void add_rank(Rank& rank, int, int) override {
    ap3000::Node& node = *ap3000::Node::of(rank);
    if (!context_) context_ = node.system().new_context();
    tasks_.add(rank.id, machine_, rank, node, *context_);
  }
  // Those that MPI knows are MPI's affair too: it numbers its processes.
  void set_births(Births& births) override {
    machine_.set_births(births, [&births](const Rank& parent, const std::vector<Birth>& wanted) {
      if (mpi::Process* process = mpi::Process::of(parent))
        process->world().bear(wanted, {}, 0);
      else
        births.bear(wanted);
    });
  }
  void program_ends(Rank& rank) override { tasks_.of(rank.id).ends(); }
  bool forget_rank(const Rank& rank) override {
    const pvm::Task* task = pvm::Task::of(rank);
    if (task == nullptr) return true;
    if (!task->is_at_rest()) return false;
    tasks_.remove(rank.id);
    return true;
  }

 private:
  pvm::VirtualMachine machine_;
  std::optional<std::uint32_t> context_;
  RankParts<pvm::Task> tasks_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<PvmLibrary>(start); }

mpi::CostModel no_costs(const MachineFile&, int) { return {}; }

const Row<Library> pvm_row{{.name = "pvm",
                            .stands_on = {"ap3000"},
                            .runs_beside = "ap3000",
                            .start = start,
                            .costs = no_costs,
                            .starting_calls = {"pvm_spawn", "pvmfspawn"},
                            .programs_a_node = 4}};

}  // namespace

}  // namespace hindcast
