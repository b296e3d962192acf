#include "commands/run/simulation.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "commands/check/room_for_ranks.hpp"
#include "commands/collectives/collective_choices.hpp"
#include "commands/machine_options.hpp"
#include "commands/run/population.hpp"
#include "mpi_impl/api/names_of_functions.hpp"
#include "mpi_impl/api/watched_calls.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/engine/report.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/programs/load/arena.hpp"
#include "simulator/programs/load/program_check.hpp"
#include "simulator/programs/load/program_error.hpp"
#include "simulator/programs/process/call_marks.hpp"
#include "simulator/programs/this_computer/interruption.hpp"
#include "traces/stream.hpp"

namespace hindcast {

namespace {

constexpr auto note_on_computation =
    "computation has taken no simulated time: hindcast.h declares operations, bytes or seconds of it; "
    "--compute measured:FACTOR takes what this computer takes, times FACTOR; --compute free is silent";
constexpr int early_end_status = 1;

// A rank of the run's beginning runs on its own stack from its first call. Threads and ranks that are born later begin
// on one of SimGrid's. What is left to that is to go to their own and to come back, which takes less than 1 KiB, and an
// exception at the end: with its calls, which may have to be looked up first, more than 4 KiB.
#ifdef NDEBUG
constexpr std::size_t actor_stack_bytes = 8 * 1024;
#else
constexpr std::size_t actor_stack_bytes = 16 * 1024;
#endif

EngineOptions engine_options(const RunRequest& request) {
  EngineOptions options;
  options.lockstep = request.lockstep;
  options.max_time = request.max_time;
  options.idle_polls_told = request.idle_polls_told;
  options.idle_polls_max = request.idle_polls_max;
  if (!request.built_in) options.actor_stack_bytes = actor_stack_bytes;
  options.ends_process = true;
  return options;
}

// How many programs to a node the calls bring by which a program may start others; 0: it makes none.
int programs_a_node(const ProgramRequest& request, const Library& library) {
  int most = 0;
  try {
    const std::string program = programs::find_program(request.program, request.working_directory);
    const std::string bytes = programs::bytes_of_program(program);
    for (const StartingCall& call : starting_calls_of(library))
      if (bytes.find(call.name) != std::string::npos) most = std::max(most, call.programs_a_node);
  } catch (const programs::ProgramError&) {
    // Loading it will say why.
  }
  return most;
}

struct Universe {
  int ranks;                // that there may be at a time
  int programs_a_node = 1;  // on each of so many nodes
};

// If nobody says, twice as many as in the beginning and some, where a program may start others.
Universe universe_of(const RunRequest& request, const Slots& slots, const PartsBesideNetwork& parts,
                     const Library& library) {
  constexpr std::int64_t some = 32;
  const int ranks = request.ranks();
  if (request.universe > 0) return {std::max(ranks, request.universe)};
  if (!request.map.empty()) return {ranks};
  int a_node = 0;
  for (const ProgramRequest& program : request.programs) a_node = std::max(a_node, programs_a_node(program, library));
  if (a_node == 0) return {ranks};
  const std::int64_t places = slots.count() + (parts.with_front_end ? 1 : 0);
  return {static_cast<int>(std::max(std::int64_t{ranks}, std::min(2 * std::int64_t{ranks} + some, places))), a_node};
}

// The nodes of all ranks that there may be but the one that the front end is, if it is one.
std::vector<int> nodes_of_run(const RunRequest& request, const MachineFile& file, const PartsBesideNetwork& parts,
                              const Library& library) {
  const auto [nodes, programs_a_node] = universe_of(request, read_slots(file), parts, library);
  const bool is_dealt_out = request.map.empty() && programs_a_node > 1;
  return nodes_for_ranks(file, parts, is_dealt_out ? fmt::format("cyclic:{}", nodes) : request.map,
                         nodes * programs_a_node);
}

std::vector<mpi::Setting> settings_in(const MachineFile& file) {
  std::vector<mpi::Setting> all;
  for (const Parameter& parameter : file.parameters())
    all.push_back({parameter.key, shown_value(parameter), shown_kind(parameter) + ": " + shown_source(parameter)});
  return all;
}

class Observer final : public programs::ProgramObserver {
 public:
  Observer(RunObserver* run, RunStretches* stretches) : run_(run), stretches_(stretches) {}

  void record(Engine& engine, const MachineFile& machine, const std::vector<int>& nodes) {
    if (run_ == nullptr) return;
    stream_.emplace(engine, run_->begins(machine, nodes));
    engine.set_recorder(&*stream_);
  }
  void is_born(int rank, int node) {
    if (run_ != nullptr) run_->is_born(rank, node);
  }
  void belongs_to(RunningLibrary& library) { library_ = &library; }
  void program_begins(Rank& rank) override { library_->program_begins(rank); }
  std::string complaint_at_exit(Rank& rank) override {
    library_->program_ends(rank);
    return hindcast::complaint_at_exit(rank);
  }
  void starts_thread(Rank& rank) override {
    if (mpi::Process* process = mpi::Process::of(rank)) process->has_threads_now();
  }
  int run_ends(int status) override {
    if (stretches_ != nullptr) status = stretches_->run_ends(status);
    if (run_ == nullptr) return status;
    stream_->finish(is_deadlock_);
    return run_->ends(status);
  }
  void is_in_deadlock() { is_deadlock_ = true; }

 private:
  RunObserver* run_;
  RunStretches* stretches_;
  RunningLibrary* library_ = nullptr;
  std::optional<traces::Stream> stream_;
  bool is_deadlock_ = false;
};

void turn_on_checks(const RunRequest& request, mpi::World& world) {
  if (request.checks_windows) world.look_for_conflicts();
  if (request.separates_windows) world.separate_windows();
  if (request.checks_leniency) world.look_for_leniency();
  if (request.checks_collectives) world.look_for_other_collectives();
  if (!request.checks_messages) return;
  world.look_for_changed_buffers();
  world.look_for_other_elements();
  world.look_for_leftovers();
}

// Says what there is to say of a run whose ranks have all ended.
void say_at_the_end(const RunRequest& request, mpi::World* world, programs::Launch& launch) {
  if (request.launch.tells_what_is_not_charged && !launch.is_computation_declared())
    launch.output().say(note_on_computation);
  if (world == nullptr) return;
  if (request.checks_leniency)
    for (const std::string& line : world->leniency()->lines()) launch.output().say(line);
  if (request.checks_messages)
    for (const std::string& line : world->leftovers()->lines(*world)) launch.output().say(line);
}

// Prints what ranks have written by then, and says why the run ends.
void report_early_end(Ending ending, Engine& engine, programs::Launch& launch) {
  const bool is_ended_from_outside = ending == Ending::interrupted || ending == Ending::out_of_host_time;
  if (is_ended_from_outside) launch.output().print_what_waits();
  launch.print_cut_lines(is_ended_from_outside || ending == Ending::deadlock ? Time::never() : engine.now());
  launch.output().say(
      report_of(engine, ending,
                {[&launch](const Thread& thread) { return launch.place_of(thread); },
                 // Machines' own libraries name their calls themselves.
                 [&launch](const Thread& thread) { return mpi::mpi_name_of(launch.call_of(thread)); }}));
}

}  // namespace

void simulate(const RunRequest& request, RunObserver* run_observer) {
  programs::refuse_ranks_beyond_mappings(request.ranks());
  programs::prepare_process(request.ranks());
  MachineFile file = load_machine(request.machine, request.settings);
  apply_shorthands(request.shorthands, file);
  const Library& library = library_of(file);
  const PartsBesideNetwork parts = library.parts_for(file);
  std::vector<int> nodes = nodes_of_run(request, file, parts, library);

  Engine engine(engine_options(request));
  const auto machine = Machine::build(engine, file, nodes, parts);
  if (parts.with_front_end) nodes.insert(nodes.begin(), machine->front_end_node());
  Observer observer(run_observer, request.stretches.get());
  programs::Launch launch(engine, request.launch, observer);
  programs::are_calls_marked = request.marks_calls;
  if (programs::are_calls_marked || programs::is_computation_measured) mpi::watch_calls();
  const mpi::CollectiveChoices choices = collective_choices(file, request.algorithms);
  const EndRun end_run = [&launch](int status, const std::string& line) { launch.abort_run(status, line); };
  const auto running = start_library(library, {engine, *machine, request.ranks(), choices, end_run, nodes});
  observer.belongs_to(*running);
  mpi::World* const world = running->world();
  if (world != nullptr) {
    turn_on_checks(request, *world);
    world->set_settings([&file] { return settings_in(file); });
  }
  file.refuse_unknown_keys();
  refuse_shared_nodes(*running, nodes);
  Population population(engine, *machine, launch, *running, nodes);
  if (request.built_in)
    population.begin_built_in(request.built_in_ranks, request.built_in);
  else
    population.begin(request.programs, request.separate_worlds);
  nodes.resize(static_cast<std::size_t>(request.ranks()));
  observer.record(engine, file, nodes);
  population.on_birth([&](int rank, int node) { observer.is_born(rank, node); });
  for (const ProgramRequest& program : request.programs)
    if (!program.note.empty() && programs_a_node(program, library) == 0) launch.output().say(program.note);
  if (!request.note.empty()) launch.output().say(request.note);
  engine.on_idle_polls([&] { launch.output().say(warning_of_idle_polls(engine)); });
  engine.run([&](Ending ending) {
    programs::tell_end_has_begun();
    if (ending == Ending::finished) {
      say_at_the_end(request, world, launch);
      launch.end_run(launch.finish());
    }
    if (ending == Ending::deadlock) observer.is_in_deadlock();
    report_early_end(ending, engine, launch);
    if (ending == Ending::interrupted) launch.end_run(programs::status_of_interrupted());
    const int failed = launch.finish();  // ranks that ended before the others came to nothing
    launch.end_run(failed != 0 ? failed : early_end_status);
  });
  std::abort();  // the process ends with the run
}

}  // namespace hindcast
