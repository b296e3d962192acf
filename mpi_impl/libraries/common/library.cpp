#include "mpi_impl/libraries/common/library.hpp"

#include <algorithm>

namespace hindcast {

std::vector<const Library*> libraries() {
  std::vector<const Library*> all;
  for (const Library& library : Rows<Library>()) all.push_back(&library);
  std::sort(all.begin(), all.end(), [](const Library* a, const Library* b) { return a->name < b->name; });
  return all;
}

const Library& library_of(const MachineFile& file) {
  const std::vector<const Library*> all = libraries();
  std::vector<std::string> names;
  for (const Library* library : all)
    if (library->runs_beside.empty()) names.push_back(library->name);
  const std::string name = file.choice("messages.library", names);
  return **std::find_if(all.begin(), all.end(), [&](const Library* library) { return library->name == name; });
}

namespace {

// One that a machine's file names, and those that run beside it.
class LibrariesTogether final : public RunningLibrary {
 public:
  LibrariesTogether(const Library& named, const LibraryStart& start) : named_(named.start(start)) {
    for (const Library* library : libraries())
      if (library->runs_beside == named.name) beside_.push_back(library->start(start));
  }

  std::string why_alone_on_a_node() const override { return named_->why_alone_on_a_node(); }
  std::string what_lets_ranks_share_a_node() const override { return named_->what_lets_ranks_share_a_node(); }
  void add_rank(Rank& rank, int node, int application) override {
    named_->add_rank(rank, node, application);
    for (const auto& library : beside_) library->add_rank(rank, node, application);
  }
  mpi::World* world() override { return named_->world(); }
  void set_births(Births& births) override {
    named_->set_births(births);
    for (const auto& library : beside_) library->set_births(births);
  }
  void program_begins(Rank& rank) override {
    named_->program_begins(rank);
    for (const auto& library : beside_) library->program_begins(rank);
  }
  void program_ends(Rank& rank) override {
    for (const auto& library : beside_) library->program_ends(rank);
    named_->program_ends(rank);
  }
  bool forget_rank(const Rank& rank) override {
    return std::all_of(beside_.begin(), beside_.end(), [&](const auto& one) { return one->forget_rank(rank); }) &&
           named_->forget_rank(rank);
  }

 private:
  const std::unique_ptr<RunningLibrary> named_;
  std::vector<std::unique_ptr<RunningLibrary>> beside_;  // by name
};

}  // namespace

std::unique_ptr<RunningLibrary> start_library(const Library& library, const LibraryStart& start) {
  const std::vector<const Library*> all = libraries();
  const bool is_alone =
      std::none_of(all.begin(), all.end(), [&](const Library* other) { return other->runs_beside == library.name; });
  if (is_alone) return library.start(start);
  return std::make_unique<LibrariesTogether>(library, start);
}

PartsBesideNetwork Library::parts_for(const MachineFile& file) const {
  PartsBesideNetwork in_run = parts;
  in_run.with_front_end = runs_on_front_end != nullptr && runs_on_front_end(file);
  return in_run;
}

void add_rank(RunningLibrary& running, const Machine& machine, Rank& rank, int node, int application) {
  running.add_rank(rank, node, application);
  if (mpi::Process* process = mpi::Process::of(rank)) process->world().places().put(rank.id, place_of(machine, node));
}

mpi::Place place_of(const Machine& machine, int node) {
  const bool is_front_end = machine.has_front_end() && node == machine.front_end_node();
  return {node, is_front_end ? 0 : machine.site_of(node)};
}

std::vector<StartingCall> starting_calls_of(const Library& library) {
  std::vector<StartingCall> calls = {{"omm_spawn", 1}};  // MPI_Comm_spawn
  for (const Library* other : libraries())
    if (other->name == library.name || other->runs_beside == library.name)
      for (const std::string& name : other->starting_calls) calls.push_back({name, other->programs_a_node});
  return calls;
}

std::string complaint_at_exit(const Rank& rank) {
  const mpi::Process* process = mpi::Process::of(rank);
  const bool is_open = process != nullptr && process->is_initialized();
  return is_open ? "without calling MPI_Finalize" : std::string();
}

}  // namespace hindcast
