// hindcast run: programs on a machine.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "commands/commands.hpp"
#include "commands/machine_options.hpp"
#include "commands/run/computation/choice.hpp"
#include "commands/run/no_program.hpp"
#include "commands/run/output_file.hpp"
#include "commands/run/profile/profile_report.hpp"
#include "commands/run/program_line.hpp"
#include "commands/run/script.hpp"
#include "commands/run/several_observers.hpp"
#include "commands/run/simulation.hpp"
#include "commands/run/step_count_file.hpp"
#include "commands/run/timeline.hpp"
#include "commands/run/trace_file.hpp"
#include "commands/words/option_words.hpp"
#include "simulator/engine/name_and_version.hpp"
#include "simulator/machine/file/quantity.hpp"
#include "simulator/programs/load/program_check.hpp"

namespace hindcast {

namespace {

// Options that belong to one program of a run; the others are the run's.
struct ProgramOptions {
  int ranks = 0;  // not said
  std::string working_directory;
};

struct RunOptions {
  ProgramOptions first;
  RunRequest request;
  std::vector<std::string> exported;
  std::string max_time;
  std::string max_host_time;
  std::string max_spin;
  std::string stack;
  std::string compute;
  std::string computation_file;
  bool is_profiled = false;
  std::string count_file;
  std::string timeline_file;
  std::string trace_file;
  bool is_alone = false;  // the program was started by itself
};

double quantity(const std::string& option, const std::string& text, Quantity kind) {
  const auto parts = split_number_and_unit(text);
  const auto factor = parts ? factor_of(kind, parts->second) : std::nullopt;
  if (!factor || !(parts->first > 0))
    throw std::invalid_argument(
        fmt::format("{} {}: not {} greater than 0 ({})", option, text, name_of(kind), units_of(kind)));
  return parts->first * *factor;
}

// 0 stands for no limit.
double seconds_at_most(const std::string& option, const std::string& text) {
  return text == "0" || text == "0s" ? 0 : quantity(option, text, Quantity::time) / 1e12;
}

Time limit_of_time(const std::string& option, const std::string& text) {
  const double ps = std::nearbyint(quantity(option, text, Quantity::time));
  if (!(ps < 9e18)) throw std::invalid_argument(fmt::format("{} {}: longer than 100 days", option, text));
  if (ps < 1) throw std::invalid_argument(fmt::format("{} {}: less than a picosecond", option, text));
  return Time::ps(static_cast<std::int64_t>(ps));
}

void add_program_options(CLI::App& app, ProgramOptions& options) {
  CLI::Option* ranks =
      app.add_option("-n,--ranks", options.ranks, "how many ranks to start (also -np)")->type_name("RANKS");
  take_whole_number(*ranks, 1, 1'000'000);
  app.add_option("--wdir", options.working_directory, "the directory that its ranks start in (also -wdir)")
      ->type_name("DIR");
}

// As large as a process's usually is. With many ranks that would spread what they use over so much address space that
// the processor's translation of addresses slows everything down.
std::size_t usual_stack_bytes(int ranks) {
  constexpr int few_ranks = 256;
  return ranks <= few_ranks ? 8 << 20 : 1 << 20;
}

// Twice as much as suffices to begin, to call MPI and printf, and to report an overflow: the rest is the program's own.
constexpr std::size_t least_stack_bytes = 16 * 1024;

std::size_t parse_stack_bytes(const std::string& text) {
  const double bytes = quantity("--stack", text, Quantity::size);
  if (bytes < least_stack_bytes)
    throw std::invalid_argument(fmt::format("--stack {}: too small to begin a program on; give {} KiB or more", text,
                                            least_stack_bytes / 1024));
  constexpr double most_bytes = 1e12;  // with as many ranks as there can be, more would not even have addresses
  if (bytes > most_bytes) throw std::invalid_argument(fmt::format("--stack {}: no computer has so much memory", text));
  return static_cast<std::size_t>(bytes);
}

void refuse_small_universe(const RunRequest& request) {
  const int ranks = request.ranks();
  if (request.universe == 0 || request.universe >= ranks) return;
  throw std::invalid_argument(
      fmt::format("--universe {0}: the run begins with {1} ranks already, so give {1} or more, or leave it out",
                  request.universe, ranks));
}

void refuse_files_that_collide(const RunOptions& options) {
  const std::pair<const char*, const std::string&> files[] = {{"--count", options.count_file},
                                                              {"--timeline", options.timeline_file},
                                                              {"--trace", options.trace_file},
                                                              {"--record-computation", options.computation_file}};
  for (auto file = std::begin(files); file != std::end(files); ++file)
    for (auto before = std::begin(files); before != file; ++before)
      if (is_same_file(before->second, file->second))
        throw std::invalid_argument(fmt::format("{} {}: {} is to be written to that file too; give each its own",
                                                file->first, file->second, before->first));
  for (const auto& [option, file] : files)
    if (is_same_file(file, options.request.recorded_file))
      throw std::invalid_argument(fmt::format("{} {}: --compute reads that file; give another", option, file));
  for (const ProgramRequest& program : options.request.programs)
    for (const auto& [option, file] : files)
      if (!file.empty() && is_same_file(file, programs::find_program(program.program, program.working_directory)))
        throw std::invalid_argument(
            fmt::format("{} {}: that is the program, which would be overwritten; give another file", option, file));
}

// -x NAME passes a variable on, as all are; -x NAME=VALUE sets one.
void export_variables(const std::vector<std::string>& variables) {
  for (const std::string& variable : variables) {
    const std::size_t equals = variable.find('=');
    if (equals == 0 || variable.empty())
      throw std::invalid_argument(fmt::format("-x {}: no name; -x NAME or -x NAME=VALUE", variable));
    if (equals == std::string::npos) {
      if (std::getenv(variable.c_str()) == nullptr)
        throw std::invalid_argument(fmt::format("-x {}: not set in the environment", variable));
    } else {
      setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
    }
  }
}

ProgramRequest request_of(const ProgramOptions& options, const std::vector<std::string>& words, bool is_alone) {
  if (words.empty()) throw std::invalid_argument("run: which program? hindcast run -n RANKS PROGRAM ARGUMENTS");
  refuse_what_is_no_program(words.front(), std::max(1, options.ranks));
  ProgramRequest request{
      words.front(), {words.begin() + 1, words.end()}, std::max(1, options.ranks), options.working_directory};
  if (options.ranks == 0 && !is_alone)
    request.note = fmt::format("one rank of {} runs: -n RANKS before it says how many", words.front());
  return request;
}

// What follows a colon: another program of the run, with options of its own.
ProgramRequest parse_further_program(std::vector<std::string> words) {
  CLI::App app("a further program of the run", "run");
  ProgramOptions options;
  add_program_options(app, options);
  refuse_empty_values(app);
  const std::vector<std::string> program = take_program_words(app, words);
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(fmt::format("run, after ':': {}", error.what()));
  }
  return request_of(options, program, false);
}

SeveralObservers observers_asked_for(const RunOptions& options) {
  SeveralObservers observers;
  if (!options.count_file.empty()) observers.add(std::make_unique<StepCountFile>(options.count_file));
  if (!options.timeline_file.empty()) observers.add(std::make_unique<TimelineFile>(options.timeline_file));
  if (!options.trace_file.empty()) observers.add(std::make_unique<TraceFile>(options.trace_file));
  if (options.is_profiled) observers.add(std::make_unique<ProfileReport>());
  return observers;
}

void run(RunOptions& options, const ProgramLine& line) {
  RunRequest& request = options.request;
  export_variables(options.exported);
  request.programs.push_back(request_of(options.first, line.first, options.is_alone));
  if (line.further.empty()) start_if_script(line, options.first.working_directory);
  for (const std::vector<std::string>& words : line.further) request.programs.push_back(parse_further_program(words));
  if (!line.further.empty())
    for (const ProgramRequest& one : request.programs)
      refuse_script("run, with ':'", one.program, one.working_directory);
  if (!options.max_time.empty()) request.max_time = limit_of_time("--max-time", options.max_time);
  if (!options.max_host_time.empty())
    request.launch.host_seconds_max = quantity("--max-host-time", options.max_host_time, Quantity::time) / 1e12;
  if (!options.max_spin.empty()) request.launch.spin_seconds_max = seconds_at_most("--max-spin", options.max_spin);
  choose_computation(options.compute, options.computation_file, request);
  request.launch.stack_bytes =
      options.stack.empty() ? usual_stack_bytes(request.ranks()) : parse_stack_bytes(options.stack);
  refuse_small_universe(request);
  refuse_files_that_collide(options);
  SeveralObservers observers = observers_asked_for(options);
  request.marks_calls = !options.timeline_file.empty() || !options.trace_file.empty() || options.is_profiled;
  simulate(request, observers.is_empty() ? nullptr : &observers);
}

void add_placement_options(CLI::App& command, RunOptions& options) {
  command.add_option("-m,--machine", options.request.machine, "a machine's name, or the path of its file")
      ->envname("HINDCAST_MACHINE")
      ->capture_default_str()
      ->type_name("MACHINE");
  add_program_options(command, options.first);
  command.add_option("-x", options.exported, "an environment variable for the ranks, who have the launcher's already")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("NAME[=VALUE]");
  command
      .add_option("--map", options.request.map,
                  "which nodes: slot (each processor in turn, the default), node (round and round), "
                  "block[:RANKS_PER_NODE], cyclic:NODES, reverse, random:SEED, a list as 0,3,1,2, or a file of one")
      ->type_name("MAP");
  CLI::Option* universe =
      command
          .add_option("--universe", options.request.universe,
                      "how many ranks there may be at a time, with those that programs start (MPI_Comm_spawn)")
          ->type_name("RANKS");
  take_whole_number(*universe, 1, 1'000'000);
  command.add_flag("--separate-worlds", options.request.separate_worlds,
                   "each of several programs has an MPI_COMM_WORLD of its own; they can find each other by ports");
}

void add_machine_options(CLI::App& command, RunOptions& options) {
  add_shorthands(command, options.request.shorthands);
  add_settings(command, options.request.settings);
  command
      .add_option("--coll", options.request.algorithms,
                  "algorithms of collectives, as bcast=binomial,gather=knomial:radix=8 ('hindcast collectives')")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("OPERATION=NAME,...");
  command
      .add_option(
          "--compute", options.compute,
          "what computation takes: nothing, what programs declare (hindcast.h; unless given), what this "
          "computer takes times FACTOR, or its instructions at the machine's rate, both not repeatable, or what "
          "an earlier run has recorded")
      ->type_name(ways_to_compute);
}

// Sizes and times that a run is not to exceed.
void add_limits(CLI::App& command, RunOptions& options) {
  command.add_option("--max-time", options.max_time, "end the run at this simulated time, as 10s or 5ms")
      ->type_name("TIME");
  command
      .add_option("--max-host-time", options.max_host_time,
                  "end the run after so much of this computer's time, as 30s, and say where each rank is")
      ->type_name("TIME");
  command
      .add_option("--max-spin", options.max_spin,
                  "end the run when a thread has taken so much of this computer's time without giving way to other "
                  "threads of its rank that could run; 10s unless given, 0s: never")
      ->type_name("TIME");
  CLI::Option* polls_told =
      command
          .add_option(
              "--warn-idle-polls", options.request.idle_polls_told,
              "warn when ranks have looked so often for what has not come while nothing else happened; 0: never")
          ->capture_default_str()
          ->type_name("COUNT");
  CLI::Option* polls_max =
      command.add_option("--max-idle-polls", options.request.idle_polls_max, "and end the run after so many")
          ->type_name("COUNT");
  for (CLI::Option* count : {polls_told, polls_max}) take_whole_number(*count, 0, INT64_MAX);
  command
      .add_option("--stack", options.stack,
                  "each rank's stack, as 256KiB, 16KiB at least; 8MiB unless given, 1MiB with more than 256 ranks")
      ->type_name("SIZE");
}

void add_output_options(CLI::App& command, RunOptions& options) {
  command.add_flag("--profile", options.is_profiled,
                   "say at the end which calls the run's time went to: a line each function");
  command
      .add_option("--count", options.count_file,
                  "write how often each sort of step was taken, by rank, and what time it took (JSON)")
      ->type_name("FILE");
  command
      .add_option("--timeline", options.timeline_file,
                  "draw what each rank did when: its calls, its work in them, its waits, and the messages (SVG)")
      ->type_name("FILE");
  command
      .add_option("--trace", options.trace_file,
                  "write each call, step and message, for viewers of traces such as Perfetto (JSON)")
      ->type_name("FILE");
  command
      .add_option("--record-computation", options.computation_file,
                  "write what each rank computes before each of its calls, as --compute measured:FACTOR or counted "
                  "finds it, for --compute recorded:FILE (CSV)")
      ->type_name("FILE");
  command.add_flag("--label", options.request.launch.label_lines, "put the rank before each line of output");
}

void add_checks(CLI::App& command, RunRequest& request) {
  command.add_flag_callback(
      "--check",
      [&request] {
        request.checks_windows = request.checks_leniency = true;
        request.checks_messages = request.checks_collectives = true;
      },
      "find mistakes that go unnoticed: as --check-windows, refuse changes to what sends and collectives in progress "
      "send, messages received as other numbers than were sent and collective calls that are not those of the other "
      "ranks, and name at the end what the standard does not define, what no receive has taken and what no wait has "
      "completed");
  command.add_flag("--check-windows", request.checks_windows,
                   "refuse accesses to a window that conflict with others under way (MPI_ERR_RMA_CONFLICT)");
  command.add_flag("--separate-windows", request.separates_windows,
                   "give windows a public copy that meets the rank's own in its synchronization (MPI_WIN_SEPARATE)");
}

}  // namespace

void add_run_command(CLI::App& app, const ProgramLine& line) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "run a program on a simulated machine");
  command->footer("hindcast run [OPTIONS] [--] PROGRAM ARGUMENTS [: -n RANKS PROGRAM ARGUMENTS ...]");
  // Build systems ask an mpiexec for it.
  command->set_version_flag("-V,--version", name_and_version, "print which hindcast this is and exit");
  add_placement_options(*command, *options);
  add_machine_options(*command, *options);
  add_limits(*command, *options);
  add_output_options(*command, *options);
  add_checks(*command, options->request);
  command->add_flag("--lockstep", options->request.lockstep,
                    "no rank runs ahead of the clock: slower, with the same result");
  command->add_flag("--separate-files", options->request.launch.separate_files,
                    "load a copy of the program for each rank, for debuggers");
  command->add_flag(alone, options->is_alone)->group("");
  command->callback([options, &line] { run(*options, line); });
}

}  // namespace hindcast
