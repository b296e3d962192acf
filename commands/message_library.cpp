#include "commands/message_library.hpp"

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
  costs.send_overhead = processor.send_overhead;
  costs.receive_overhead = processor.receive_overhead;
  costs.poll = processor.poll;
  costs.clock_read = processor.clock_read;
  costs.copy = processor.copy_bandwidth;
  costs.combine = processor.combine_rate;
  costs.service = file.time_above_zero("messages.service_cost");
  costs.eager_limit = file.bytes("messages.eager_limit");
  costs.header = file.bytes("messages.header_bytes");
  costs.progress = progress_of(file);
  return costs;
}

}  // namespace

MessageLibrary::MessageLibrary(Engine& engine, Machine& machine, int ranks, mpi::EndRun end_run)
    : costs_(costs_of(machine)), plain_(engine, machine.network(), costs_), world_(engine, ranks, std::move(end_run)) {}

void MessageLibrary::add_rank(Rank& rank, int node, int application) {
  for (const auto& thread : rank.threads) thread->set_progress(costs_.progress, costs_.poll);
  mpi::PlainDevice& device = devices_.emplace_back(plain_, rank, node);
  processes_.emplace_back(world_, rank, device, application);
}

std::string MessageLibrary::complaint_at_exit(const Rank& rank) {
  const mpi::Process* process = mpi::Process::of(rank);
  const bool is_open = process != nullptr && process->phase == mpi::Process::Phase::initialized;
  return is_open ? "without calling MPI_Finalize" : std::string();
}

}  // namespace hindcast
