// hindcast check: what of MPI a program calls, what of that is missing here, and what else would keep it from running.
// Of a machine's file: whether programs can be run on what it describes.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "commands/check/machine_check.hpp"
#include "commands/check/object_symbols.hpp"
#include "commands/collectives/collective_choices.hpp"
#include "commands/commands.hpp"
#include "commands/json_text.hpp"
#include "commands/machine_options.hpp"
#include "commands/run/no_program.hpp"
#include "commands/run/script.hpp"
#include "commands/words/option_words.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/programs/load/elf_image.hpp"
#include "simulator/programs/load/own_libraries.hpp"
#include "simulator/programs/load/program_check.hpp"
#include "simulator/programs/load/program_error.hpp"

namespace hindcast {

namespace {

using Names = std::set<std::string>;

constexpr std::string_view functions[] = {
#include "mpi_impl/api/function_names.inc"
};
constexpr std::string_view functions_for_fortran[] = {
#include "mpi_impl/api/fortran/function_names.inc"
};

constexpr std::string_view script = "a script";

struct Findings {
  std::string program;
  std::string problem;  // empty if there is none
  std::string kind;     // of what has to be linked yet; empty of a program
  Names called;
  Names missing;

  bool is_fit() const { return problem.empty() && missing.empty(); }
};

// MPI_Send and PMPI_Send in C; mpi_send_ and pmpi_send_ in Fortran, and mpi_send_f08ts_ where buffers have shapes.
bool is_of_mpi(std::string_view name) {
  const bool is_fortran = (name.starts_with("mpi_") || name.starts_with("pmpi_")) && name.ends_with("_");
  return name.starts_with("MPI_") || name.starts_with("PMPI_") || is_fortran;
}

bool exists(std::string_view name) {
  name.remove_prefix(name.starts_with("P") || name.starts_with("p") ? 1 : 0);
  return std::ranges::find(functions, name) != std::end(functions) ||
         std::ranges::find(functions_for_fortran, name) != std::end(functions_for_fortran);
}

void add_calls(const programs::ElfImage& image, Names& called, Names& defined) {
  for (std::uint32_t index = 0; index < image.symbol_count(); ++index) {
    const std::string name = image.symbol_name(index);
    if (is_of_mpi(name)) (image.symbol(index).st_shndx == SHN_UNDEF ? called : defined).insert(name);
  }
}

void find_missing(const Names& defined, Findings& findings) {
  for (const std::string& called : findings.called)
    if (!exists(called) && !defined.contains(called)) findings.missing.insert(called);
}

// A program that an older hindcast has linked asks for what the library no longer has.
void find_undefined(const programs::ElfImage& program, Findings& findings) {
  for (const std::string& name : programs::undefined_symbols(program)) {
    if (name.starts_with("hindcast_"))
      findings.problem = findings.program + ": not linked by this hindcast; link it with hindcast-mpicc";
    findings.missing.insert(name);
  }
}

Findings examine_objects(const std::string& path, const ObjectSymbols& symbols) {
  Findings findings{path, {}, symbols.kind, {}, {}};
  std::copy_if(symbols.called.begin(), symbols.called.end(), std::inserter(findings.called, findings.called.end()),
               is_of_mpi);
  for (const std::string& defined : symbols.defined) findings.called.erase(defined);
  find_missing(symbols.defined, findings);
  return findings;
}

// The program's own libraries may call MPI too, and may define what others call.
Findings examine(const std::string& name) {
  if (const auto symbols = read_object_symbols(name)) return examine_objects(name, *symbols);
  refuse_what_is_no_program(name, 1);
  const bool is_library = std::filesystem::path(name).filename().string().find(".so") != std::string::npos;
  const std::string path = is_library ? name : programs::find_program(name, "");
  if (is_script(path)) return {path, {}, std::string(script), {}, {}};
  const programs::ElfImage image(path);
  Findings findings{image.path(), {}, is_library ? "a shared library" : "", {}, {}};
  try {
    if (!is_library) programs::check_program(image);
  } catch (const programs::ProgramError& error) {
    findings.problem = error.what();
  }
  Names defined;
  add_calls(image, findings.called, defined);
  for (const programs::OwnLibrary& library : programs::own_libraries(image))
    add_calls(programs::ElfImage(library.path), findings.called, defined);
  find_missing(defined, findings);
  if (!is_library && findings.problem.empty()) find_undefined(image, findings);
  return findings;
}

std::string verdict(const Findings& findings) {
  if (!findings.problem.empty()) return findings.problem;
  if (!findings.missing.empty()) return findings.program + ": calls what is missing";
  if (findings.kind.empty()) return findings.program + ": ready to run";
  if (findings.kind == script)
    return findings.program +
           ": a script, which 'hindcast run' starts once, and each program that it starts as a run of its own; check "
           "those programs";
  return fmt::format("{}: {}, no program yet: a program linked with it by hindcast cc or c++ lacks nothing of it",
                     findings.program, findings.kind);
}

void print_text(const Findings& findings) {
  fmt::print("{}\n", verdict(findings));
  if (findings.kind == script) return;
  fmt::print("calls {} of MPI's functions{}{}\n", findings.called.size(), findings.called.empty() ? "" : ": ",
             fmt::join(findings.called, ", "));
  if (!findings.missing.empty())
    fmt::print("missing {}: {}\n", findings.missing.size(), fmt::join(findings.missing, ", "));
}

std::string json_list(const Names& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + json_text(name);
  return "[" + list + "]";
}

void print_json(const Findings& findings) {
  fmt::print("{{\"program\": {}, \"fit\": {}, \"problem\": {}, \"called\": {}, \"missing\": {}}}\n",
             json_text(findings.program), findings.is_fit(),
             findings.problem.empty() ? "null" : json_text(findings.problem), json_list(findings.called),
             json_list(findings.missing));
}

// A file may have any name.
bool has_table_of_machine(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line == "[machine]") return true;
  return false;
}

bool is_machine(const std::string& name) {
  const auto has_this_name = [&](const std::string& path) { return std::filesystem::path(path).stem() == name; };
  const std::vector<std::string> paths = machine_paths();
  if (name.ends_with(".toml") || std::any_of(paths.begin(), paths.end(), has_this_name)) return true;
  return name.find('/') != std::string::npos && has_table_of_machine(name);
}

struct CheckOptions {
  std::string subject;
  std::vector<std::string> settings;
  int ranks = 0;  // not said
  std::string map;
  bool as_json = false;
};

void print_machine_json(const std::string& machine, const std::string& problem, int nodes, std::size_t parameters,
                        const std::string& note) {
  fmt::print("{{\"machine\": {}, \"fit\": {}, \"problem\": {}, \"nodes\": {}, \"parameters\": {}, \"note\": {}}}\n",
             json_text(machine), problem.empty(), problem.empty() ? "null" : json_text(problem),
             problem.empty() ? fmt::format("{}", nodes) : "null",
             problem.empty() ? fmt::format("{}", parameters) : "null", note.empty() ? "null" : json_text(note));
}

void check_machine_file(const CheckOptions& options) {
  const MachineFile file = load_machine(options.subject, options.settings);
  check_machine(file, {options.ranks, options.map});
  const std::string note = note_on_collectives(file);
  const int nodes = node_range(file).most;
  if (options.as_json) return print_machine_json(file.path(), {}, nodes, file.parameters().size(), note);
  fmt::print("{}: ready to run on: 1-{} nodes, {} parameters\n", file.path(), nodes, file.parameters().size());
  if (options.ranks > 0) fmt::print("there is room for {} ranks\n", options.ranks);
  if (!note.empty()) fmt::print("{}\n", note);
}

void check_program_file(const CheckOptions& options) {
  for (const auto& [option, is_given] :
       {std::pair{"--set changes", !options.settings.empty()}, std::pair{"-n puts ranks on", options.ranks > 0}})
    if (is_given)
      throw std::invalid_argument(
          fmt::format("check: {} a machine, and {} is none; leave it out", option, options.subject));
  const Findings findings = examine(options.subject);
  options.as_json ? print_json(findings) : print_text(findings);
  if (!findings.is_fit()) throw CLI::RuntimeError(1);
}

void check(const CheckOptions& options) {
  if (!options.map.empty() && options.ranks == 0)
    throw std::invalid_argument(fmt::format("check: --map {} places ranks: give -n, how many", options.map));
  const bool is_of_machine = is_machine(options.subject);
  try {
    is_of_machine ? check_machine_file(options) : check_program_file(options);
  } catch (const CLI::Error&) {
    throw;
  } catch (const std::exception& error) {
    if (!options.as_json) throw;
    if (is_of_machine)
      print_machine_json(options.subject, error.what(), 0, 0, {});
    else
      print_json({options.subject, error.what(), {}, {}, {}});
    throw CLI::RuntimeError(1);
  }
}

}  // namespace

void add_check_command(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand(
      "check", "say whether a program can run, and what of MPI it calls; or whether a machine's file is right");
  command
      ->add_option("subject", options->subject,
                   "a program, as 'hindcast run' would be given it; an object file or a library; or a machine")
      ->required()
      ->type_name("PROGRAM|MACHINE");
  add_settings(*command, options->settings);
  CLI::Option* ranks =
      command->add_option("-n,--ranks", options->ranks, "whether a run of so many ranks could begin on the machine")
          ->type_name("RANKS");
  take_whole_number(*ranks, 1, 1'000'000);
  command->add_option("--map", options->map, "with these nodes, as 'hindcast run' would be given them")
      ->type_name("MAP");
  command->add_flag("--json", options->as_json, "for programs to read");
  command->callback([options] { check(*options); });
}

}  // namespace hindcast
