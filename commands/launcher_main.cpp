// The launcher's commands, all of them in libhindcast.so: bin/hindcast itself is only a door to them.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include "commands/commands.hpp"
#include "commands/lost_output.hpp"
#include "commands/run/program_line.hpp"
#include "commands/words/option_words.hpp"
#include "simulator/engine/name_and_version.hpp"
#include "simulator/machine/file/nearest_name.hpp"

namespace {

constexpr int failed = 1;

void refuse_unknown_option(const CLI::App& app, const std::string& word) {
  if (app.get_option_no_throw(word) != nullptr) return;
  const std::string meant = hindcast::nearest_option(app, word);
  throw std::runtime_error(fmt::format(
      "{}: no such option{} (hindcast --help); a command's options stand behind it, as in 'hindcast run -n 4 "
      "PROGRAM'",
      word, meant.empty() ? "" : fmt::format(", did you mean '{}'?", meant)));
}

// What was meant instead of a command that there is not.
void refuse_unknown_command(const CLI::App& app, const std::string& word) {
  if (word.starts_with("-")) return refuse_unknown_option(app, word);
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  const std::string meant = hindcast::nearest_name(word, names);
  std::error_code error;
  const bool is_file = meant.empty() && std::filesystem::is_regular_file(word, error);
  throw std::runtime_error(fmt::format("unknown command '{}'{} (hindcast --help lists them)", word,
                                       is_file         ? fmt::format(", did you mean 'hindcast run -n RANKS {}'?", word)
                                       : meant.empty() ? ""
                                                       : fmt::format(", did you mean '{}'?", meant)));
}

int run_command_line(std::vector<std::string> words) {
  CLI::App app("Message-passing programs on simulated multicomputers of the past.", "hindcast");
  app.require_subcommand(1);
  app.set_version_flag("--version", hindcast::name_and_version);
  hindcast::ProgramLine line;
  hindcast::add_run_command(app, line);
  hindcast::add_explain_command(app, line);
  hindcast::add_compiler_commands(app);
  hindcast::add_check_command(app);
  hindcast::add_collectives_command(app);
  hindcast::add_machines_command(app);
  hindcast::add_show_command(app);
  hindcast::add_platform_command(app);
  hindcast::add_python_commands(app);
  hindcast::refuse_empty_values(app);

  if (!words.empty()) refuse_unknown_command(app, words.front());
  const std::string command = words.empty() || words.front().starts_with("-") ? "" : words.front();
  if (!words.empty() && (words.front() == "run" || words.front() == "explain")) {
    std::vector<std::string> after(words.begin() + 1, words.end());
    line = hindcast::take_program_line(*app.get_subcommand(words.front()), after);
    words.resize(1);
    words.insert(words.end(), after.begin(), after.end());
  } else if (!command.empty()) {
    hindcast::refuse_long_words_of_one_dash(*app.get_subcommand(command), {words.begin() + 1, words.end()});
  }
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();  // the command has said why
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help, or the version
    throw std::runtime_error(command.empty() ? fmt::format("{} (hindcast --help)", error.what())
                                             : fmt::format("{0}: {1} (hindcast {0} --help)", command, error.what()));
  }
  return 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int hindcast_main(int argc, char** argv) {
  int status = failed;
  try {
    status = run_command_line({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    // Written without a look at whether that succeeds: fmt::print would throw where stderr is full. Lost output is told
    // of below.
    if (!hindcast::is_output_lost()) std::fputs(fmt::format("hindcast: {}\n", error.what()).c_str(), stderr);
  }
  status = hindcast::status_after_output(status);
  std::fflush(nullptr);
  return status;
}
