// messages.library = "cellos": the AP1000's CellOS, and MPI on it.
#include <bit>
#include <boost/container/deque.hpp>
#include <memory>
#include <optional>

#include "mpi_impl/libraries/cellos/costs.hpp"
#include "mpi_impl/libraries/cellos/host_parts.hpp"
#include "mpi_impl/libraries/cellos/mpi/endpoint_of_parts.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/common/processors_of_nodes.hpp"
#include "mpi_impl/libraries/common/rank_parts.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast {

namespace {

cellos::Interrupts interrupts_of(const MachineFile& file) {
  const std::string when = file.choice("cellos.broadcast_interrupts", {"at its end", "at its start", "never"});
  return when == "at its end"     ? cellos::Interrupts::at_end
         : when == "at its start" ? cellos::Interrupts::at_start
                                  : cellos::Interrupts::never;
}

cellos::Misaligned misaligned_of(const MachineFile& file, const char* key) {
  const std::string which = file.choice(key, {"without a domain", "with a domain", "none"});
  return which == "without a domain" ? cellos::Misaligned::without_domain
         : which == "with a domain"  ? cellos::Misaligned::with_domain
                                     : cellos::Misaligned::none;
}

cellos::Costs costs_of(const Machine& machine) {
  const Processor& processor = machine.processor();
  const MachineFile& file = machine.parameters();
  cellos::Costs costs;
  costs.send = step_of(file, "call that sends", "processor.send_overhead");
  costs.receive = step_of(file, "call that receives", "processor.receive_overhead");
  costs.domain = step_of(file, "domain in the header", "cellos.domain_overhead");
  costs.broadcast = step_of(file, "call that broadcasts", "cellos.broadcast_overhead");
  costs.selective = step_of(file, "domain of a broadcast", "cellos.selective_broadcast_overhead");
  costs.broadcast_taken = step_of(file, "interruption by a broadcast", "cellos.broadcast_interruption");
  costs.broadcast_discarded = as_long_as(costs.broadcast_taken, "discards a broadcast for other cells");
  costs.interrupts = interrupts_of(file);
  costs.remote_service = step_of(file, "put or get from another cell", "cellos.remote_service");
  costs.sync = step_of(file, "sync", "cellos.sync_overhead");
  costs.host_sync = as_long_as(costs.sync, "hsync");
  costs.host_scatter = as_long_as(costs.receive, "h_sscatter");
  costs.host_gather = as_long_as(costs.send, "h_rgather");
  costs.reduction = step_of(file, "xy reduction", "cellos.reduction_overhead");
  costs.reduction_step = step_of(file, "number of an xy reduction", "cellos.reduction_step");
  costs.probe = {{"probe", "processor.poll"}, processor.poll};
  costs.registration = step_of(file, "registration of a domain", "cellos.registration_overhead");
  costs.copy_in = {{"copy to the system's send buffer", "processor.copy_bandwidth"}, processor.copy_bandwidth};
  constexpr const char* extra = "cellos.misaligned_copy_extra";
  costs.misaligned_in = costs.misaligned_out = {{"that copy misaligned", extra}, file.time_per_byte(extra)};
  costs.messages = misaligned_of(file, "cellos.misaligned_messages");
  costs.broadcasts = misaligned_of(file, "cellos.misaligned_broadcasts");
  costs.copy_out = {{"copy out of the ring buffer", "processor.copy_bandwidth"}, processor.copy_bandwidth};
  costs.memory_read = file.bandwidth("cellos.memory_read");
  costs.cache = file.bytes("cellos.cache");
  costs.cache_line = file.bytes("cellos.cache_line");
  costs.clock_read = processor.clock_read;
  costs.header = file.bytes("cellos.header_bytes");
  costs.ring_buffer = file.bytes("cellos.ring_buffer");
  costs.send_buffer = file.bytes("cellos.send_buffer");
  costs.domains_max = file.small_count("cellos.domains_max");
  costs.line_sending = file.choice("cellos.line_sending", {"off", "on"}) == "on";
  costs.overflow_ends = file.choice("cellos.overflow", {"wait", "end"}) == "end";
  if (!std::has_single_bit(costs.cache.count())) file.refuse("cellos.cache", "must be a power of two");
  if (!std::has_single_bit(costs.cache_line.count()) || costs.cache < costs.cache_line)
    file.refuse("cellos.cache_line", "must be a power of two, and no more than the cache");
  if (costs.header == Bytes()) file.refuse("cellos.header_bytes", "must be more than 0");
  if (costs.ring_buffer < costs.header) file.refuse("cellos.ring_buffer", "has no room for a message's header");
  if (costs.send_buffer < costs.header) file.refuse("cellos.send_buffer", "has no room for a message's header");
  return costs;
}

cellos::BusIsHeld bus_is_held(const Machine& machine) {
  const bool until_taken = machine.parameters().choice("bnet.held", {"until taken", "wire time"}) == "until taken";
  return until_taken ? cellos::BusIsHeld::until_taken : cellos::BusIsHeld::for_wire_time;
}

mpi::CellosEndpoint::Settings settings_of(const Machine& machine, const Processor& processor) {
  mpi::CellosEndpoint::Settings settings;
  settings.local = mpi::LocalCosts::of(processor);
  settings.small_group = machine.parameters().small_count("mpi.small_group");
  const std::string context = machine.parameters().choice("mpi.context", {"header", "type", "packed", "extra message"});
  settings.context_in = context == "type"     ? mpi::ContextIn::type
                        : context == "packed" ? mpi::ContextIn::packed
                        : context == "header" ? mpi::ContextIn::header
                                              : mpi::ContextIn::extra_message;
  settings.domain_stack = KeysOfChoice(machine.parameters(), context == "header").small_count("mpi.domain_stack");
  settings.nonblocking_by_striding =
      machine.parameters().choice("mpi.nonblocking", {"send and receive", "striding"}) == "striding";
  settings.synchronous_by_put = machine.parameters().choice("mpi.synchronous", {"acknowledgement", "put"}) == "put";
  settings.longer =
      mpi::longer_messages(machine.parameters().choice("mpi.longer_messages", mpi::names_of_longer_messages()));
  if (settings.nonblocking_by_striding && settings.context_in != mpi::ContextIn::header)
    machine.parameters().refuse("mpi.nonblocking",
                                "a pre-receive is matched by the kernel: mpi.context must be 'header'");
  return settings;
}

int context_bits(const MachineFile& file, mpi::ContextIn context_in) {
  const std::int64_t bits = KeysOfChoice(file, context_in == mpi::ContextIn::type).count("mpi.context_bits", 1);
  if (bits > 8) file.refuse("mpi.context_bits", "must be 1 to 8: of the type's 16 bits the others are the tag's");
  return static_cast<int>(bits);
}

// Of the processes on one cell.
std::optional<ProcessorsOfNodes::Kind> multitasking_of(const MachineFile& file) {
  const bool is_on = file.choice("cellos.multitasking", {"off", "on"}) == "on";
  const KeysOfChoice keys(file, is_on);
  const ProcessorsOfNodes::Kind numbers{1, keys.time_above_zero("cellos.time_slice"),
                                        step_of(keys, "task switch", "cellos.task_switch")};
  return is_on ? std::optional(numbers) : std::nullopt;
}

bool runs_with_host(const MachineFile& file) { return file.choice("mpi.host", {"no", "yes"}) == "yes"; }

int cells_of(const LibraryStart& start) { return start.machine.has_front_end() ? start.ranks - 1 : start.ranks; }

class CellosLibrary final : public RunningLibrary {
 public:
  explicit CellosLibrary(const LibraryStart& start)
      : bus_(start.machine.build_broadcast_bus("bnet")),
        native_costs_(costs_of(start.machine)),
        host_(start.machine, *bus_, start.ranks, native_costs_),
        barrier_(start.machine.build_barrier_tree("snet", cells_of(start))),
        statuses_(start.machine.build_barrier_tree("snet", cells_of(start))),
        system_(start.engine,
                {start.machine.network(), *bus_, bus_is_held(start.machine), *barrier_, *statuses_, host_.parts()},
                native_costs_, start.end_run),
        settings_(settings_of(start.machine, start.machine.processor())),
        host_settings_(settings_of(start.machine, host_.processor())),
        type_numbers_(context_bits(start.machine.parameters(), settings_.context_in)),
        world_(start.engine, start.ranks, start.choices, start.end_run),
        multitasking_(multitasking_of(start.machine.parameters())),
        processors_(start.engine, start.nodes) {
    if (settings_.context_in == mpi::ContextIn::type)
      settings_.type_numbers = host_settings_.type_numbers = &type_numbers_;
  }

  std::string why_alone_on_a_node() const override {
    return multitasking_ ? "" : "a cell of this machine runs one process";
  }
  std::string what_lets_ranks_share_a_node() const override {
    return "--set cellos.multitasking=on lets it run several";
  }

  void add_rank(Rank& rank, int node, int application) override {
    CellosRank& added = ranks_.emplace_back(*this, rank, node);
    rank.set_progress(Progress::polling, added.cell.costs().probe.cost);
    rank.set_may_be_interrupted();
    if (multitasking_) processors_.add(rank, node, *multitasking_);
    added.process = std::make_unique<mpi::Process>(world_, rank, added.endpoint(), application);
  }
  mpi::World* world() override { return &world_; }
  bool forget_rank(const Rank& rank) override {
    CellosRank& gone = ranks_[static_cast<std::size_t>(rank.id)];
    if (!is_at_rest(gone.endpoint(), *gone.process)) return false;
    gone.process.reset();
    gone.cell.leave();
    return true;
  }

 private:
  // A cell and its endpoint are still there for messages when their rank has gone.
  struct CellosRank {
    CellosRank(CellosLibrary& in, Rank& rank, int node) : cell(in.system_, rank, node) {
      const mpi::CellosEndpoint::Settings& settings = cell.is_host() ? in.host_settings_ : in.settings_;
      if (settings.longer == mpi::Longer::goes_in_parts)
        of_parts = std::make_unique<mpi::CellosEndpointOfParts>(cell, settings);
      else
        ordinary.emplace(cell, settings);
    }
    mpi::CellosEndpoint& endpoint() { return ordinary ? *ordinary : *of_parts; }

    cellos::Cell cell;
    std::optional<mpi::CellosEndpoint> ordinary;  // beside the cell, as both are looked at together
    std::unique_ptr<mpi::CellosEndpointOfParts> of_parts;
    std::unique_ptr<mpi::Process> process;
  };
  // What stays of those that have gone lies together, or it would keep pages whose rest is free.
  using CellosRanks =
      boost::container::deque<CellosRank, void, boost::container::deque_options_t<boost::container::block_size<64>>>;

  std::unique_ptr<BroadcastBus> bus_;
  cellos::Costs native_costs_;
  CellosHost host_;
  std::unique_ptr<BarrierTree> barrier_;
  std::unique_ptr<BarrierTree> statuses_;
  cellos::System system_;
  mpi::CellosEndpoint::Settings settings_;
  mpi::CellosEndpoint::Settings host_settings_;
  mpi::CellosTypeNumbers type_numbers_;
  mpi::World world_;
  std::optional<ProcessorsOfNodes::Kind> multitasking_;
  ProcessorsOfNodes processors_;
  CellosRanks ranks_;  // by their numbers
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<CellosLibrary>(start); }

const Row<Library> cellos_row{{
    .name = "cellos",
    .start = start,
    .costs = cellos_costs,
    .parts = {.broadcast_buses = {"bnet"}, .barrier_trees = {"snet"}, .front_end = "host"},
    .runs_on_front_end = runs_with_host,
    .shorthands = {{.option = "--host",
                    .meaning = "with the machine's host, as rank 0: short for --set mpi.host=yes",
                    .key = "mpi.host",
                    .value = "yes",
                    .missing = "has no host; a machine that has one, such as ap1000, says so by the key mpi.host"}},
}};

}  // namespace

}  // namespace hindcast
