// messages.library = "plain": a library without peculiarities, for machines that nobody built.
#include <deque>

#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "mpi_impl/libraries/plain/costs.hpp"
#include "mpi_impl/libraries/plain/device.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast {

namespace {

Progress progress_of(const MachineFile& file) {
  const std::string name = file.choice("messages.progress", {"hardware", "interrupt", "polling"});
  if (name == "interrupt") return Progress::interrupt;
  return name == "polling" ? Progress::polling : Progress::hardware;
}

mpi::PlainCosts costs_of(const Machine& machine) {
  const Processor& processor = machine.processor();
  const MachineFile& file = machine.parameters();
  mpi::PlainCosts costs;
  costs.send = step_of(file, "send overhead", "processor.send_overhead");
  costs.receive = step_of(file, "receive overhead", "processor.receive_overhead");
  costs.poll = processor.poll;
  costs.local = mpi::LocalCosts::of(processor);
  costs.eager_limit = file.bytes("messages.eager_limit");
  costs.header = file.bytes("messages.header_bytes");
  costs.progress = progress_of(file);
  costs.service = step_above_zero_of(KeysOfChoice(file, costs.progress != Progress::hardware), "work on an arrival",
                                     "messages.service_cost");
  return costs;
}

class PlainLibrary final : public RunningLibrary {
 public:
  explicit PlainLibrary(const LibraryStart& start)
      : costs_(costs_of(start.machine)),
        plain_(start.engine, start.machine.network(), costs_),
        world_(start.engine, start.ranks, start.choices, start.end_run) {}

  void add_rank(Rank& rank, int node, int application) override {
    for (const auto& thread : rank.threads) thread->set_progress(costs_.progress, costs_.poll);
    mpi::PlainDevice& device = devices_.emplace_back(plain_, rank, node);
    processes_.emplace_back(world_, rank, device, application);
  }

 private:
  mpi::PlainCosts costs_;
  mpi::PlainMachine plain_;
  mpi::World world_;
  std::deque<mpi::PlainDevice> devices_;
  std::deque<mpi::Process> processes_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<PlainLibrary>(start); }

const Row<Library> row{{.name = "plain", .start = start, .costs = plain_costs}};

}  // namespace

}  // namespace hindcast
