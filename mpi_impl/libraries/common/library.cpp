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
  for (const Library* library : all) names.push_back(library->name);
  const std::string name = file.choice("messages.library", names);
  return **std::find_if(all.begin(), all.end(), [&](const Library* library) { return library->name == name; });
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

std::string complaint_at_exit(const Rank& rank) {
  const mpi::Process* process = mpi::Process::of(rank);
  const bool is_open = process != nullptr && process->is_initialized();
  return is_open ? "without calling MPI_Finalize" : std::string();
}

}  // namespace hindcast
