// hindcast run: programs on a machine.

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>

#include "commands/commands.hpp"
#include "commands/run/program_line.hpp"
#include "commands/run/simulation.hpp"
#include "commands/run/step_count_file.hpp"
#include "simulator/machine/file/quantity.hpp"

namespace hindcast {

namespace {

// Options that belong to one program of a run; the others are the run's.
struct ProgramOptions {
  int ranks = 1;
  std::string working_directory;
};

struct RunOptions {
  ProgramOptions first;
  RunRequest request;
  std::vector<std::string> exported;
  std::string max_time;
  std::string stack;
  std::string compute = "charged";
  std::string count_file;
};

double quantity(const std::string& option, const std::string& text, Quantity kind) {
  const auto parts = split_number_and_unit(text);
  const auto factor = parts ? factor_of(kind, parts->second) : std::nullopt;
  if (!factor || !(parts->first > 0))
    throw std::invalid_argument(
        fmt::format("{} {}: not {} greater than 0 ({})", option, text, name_of(kind), units_of(kind)));
  return parts->first * *factor;
}

void add_program_options(CLI::App& app, ProgramOptions& options) {
  app.add_option("-n,--ranks", options.ranks, "how many ranks to start (also -np)")
      ->check(CLI::Range(1, 1'000'000).description(""))
      ->type_name("RANKS");
  app.add_option("--wdir", options.working_directory, "the directory that its ranks start in (also -wdir)")
      ->type_name("DIR");
}

// As large as a process's usually is. With many ranks that would spread what they use over so much address space that
// the processor's translation of addresses slows everything down.
std::size_t usual_stack_bytes(int ranks) {
  constexpr int few_ranks = 256;
  return ranks <= few_ranks ? 8 << 20 : 1 << 20;
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

ProgramRequest request_of(const ProgramOptions& options, const std::vector<std::string>& words) {
  if (words.empty()) throw std::invalid_argument("run: which program? hindcast run -n RANKS PROGRAM ARGUMENTS");
  return {words.front(), {words.begin() + 1, words.end()}, options.ranks, options.working_directory};
}

// What follows a colon: another program of the run, with options of its own.
ProgramRequest parse_further_program(std::vector<std::string> words) {
  CLI::App app("a further program of the run", "hindcast run PROGRAM :");
  ProgramOptions options;
  add_program_options(app, options);
  const std::vector<std::string> program = take_program_words(app, words);
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(fmt::format("run, after ':': {}", error.what()));
  }
  return request_of(options, program);
}

void run(RunOptions& options, const ProgramLine& line) {
  RunRequest& request = options.request;
  request.programs.push_back(request_of(options.first, line.first));
  for (const std::vector<std::string>& words : line.further) request.programs.push_back(parse_further_program(words));
  if (!options.max_time.empty())
    request.max_time = Time::ps(std::llround(quantity("--max-time", options.max_time, Quantity::time)));
  request.launch.stack_bytes = options.stack.empty()
                                   ? usual_stack_bytes(request.ranks())
                                   : static_cast<std::size_t>(quantity("--stack", options.stack, Quantity::size));
  request.launch.compute_is_free = options.compute == "free";
  export_variables(options.exported);
  std::optional<StepCountFile> counts;
  if (!options.count_file.empty()) counts.emplace(options.count_file);
  simulate(request, counts ? &*counts : nullptr);
}

}  // namespace

void add_run_command(CLI::App& app, const ProgramLine& line) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "run a program on a simulated machine");
  command->footer("hindcast run [OPTIONS] [--] PROGRAM ARGUMENTS [: -n RANKS PROGRAM ARGUMENTS ...]");
  command->add_option("-m,--machine", options->request.machine, "a machine's name, or the path of its file")
      ->envname("HINDCAST_MACHINE")
      ->capture_default_str()
      ->type_name("MACHINE");
  add_program_options(*command, options->first);
  command->add_option("-x", options->exported, "an environment variable for the ranks, who have the launcher's already")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("NAME[=VALUE]");
  command
      ->add_option("--map", options->request.map,
                   "which nodes: slot (each processor in turn, the default), node (round and round), "
                   "block[:RANKS_PER_NODE], cyclic:NODES, reverse, random:SEED, a list as 0,3,1,2, or a file of one")
      ->type_name("MAP");
  add_shorthands(*command, options->request.shorthands);
  command
      ->add_option("--set", options->request.settings, "change a parameter of the machine (several times if need be)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("KEY=VALUE");
  command
      ->add_option("--coll", options->request.algorithms,
                   "algorithms of collectives, as bcast=binomial,gather=knomial:radix=8 ('hindcast collectives')")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("OPERATION=NAME,...");
  command->add_option("--compute", options->compute, "whether work that programs declare (hindcast.h) takes time")
      ->check(CLI::IsMember({"free", "charged"}))
      ->capture_default_str()
      ->type_name("free|charged");
  command->add_option("--max-time", options->max_time, "end the run at this simulated time, as 10s or 5ms")
      ->type_name("TIME");
  command
      ->add_option("--stack", options->stack,
                   "each rank's stack, as 256KiB; 8MiB unless given, 1MiB with more than 256 ranks")
      ->type_name("SIZE");
  command
      ->add_option("--count", options->count_file,
                   "write how often each sort of step was taken, by rank, and what time it took (JSON)")
      ->type_name("FILE");
  command->add_flag("--label", options->request.launch.label_lines, "put the rank before each line of output");
  command->add_flag("--lockstep", options->request.lockstep,
                    "no rank runs ahead of the clock: slower, with the same result");
  command->add_flag("--separate-files", options->request.launch.separate_files,
                    "load a copy of the program for each rank, for debuggers");
  command->add_flag(alone)->group("");
  command->callback([options, &line] { run(*options, line); });
}

}  // namespace hindcast
