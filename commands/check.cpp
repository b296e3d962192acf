// hindcast check: what of MPI a program calls, what of that is missing here, and what else would keep it from running.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string_view>

#include "commands/commands.hpp"
#include "commands/json_text.hpp"
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

struct Findings {
  std::string program;
  std::string problem;  // empty if there is none
  Names called;
  Names missing;

  bool is_fit() const { return problem.empty() && missing.empty(); }
};

// MPI_Send and PMPI_Send in C; mpi_send_ and pmpi_send_ in Fortran, and what mpi_f08 calls where buffers have shapes.
bool is_of_mpi(std::string_view name) {
  const bool is_fortran = (name.starts_with("mpi_") || name.starts_with("pmpi_")) && name.ends_with("_");
  return name.starts_with("MPI_") || name.starts_with("PMPI_") || name.starts_with("hindcast_f08_") || is_fortran;
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

// The program's own libraries may call MPI too, and may define what others call.
Findings examine(const std::string& name) {
  const programs::ElfImage image(programs::find_program(name, ""));
  Findings findings{image.path(), {}, {}, {}};
  try {
    programs::check_program(image);
  } catch (const programs::ProgramError& error) {
    findings.problem = error.what();
  }
  Names defined;
  add_calls(image, findings.called, defined);
  for (const programs::OwnLibrary& library : programs::own_libraries(image))
    add_calls(programs::ElfImage(library.path), findings.called, defined);
  for (const std::string& called : findings.called)
    if (!exists(called) && !defined.contains(called)) findings.missing.insert(called);
  return findings;
}

std::string verdict(const Findings& findings) {
  if (!findings.problem.empty()) return findings.problem;
  return findings.program + (findings.missing.empty() ? ": ready to run" : ": calls what is missing");
}

void print_text(const Findings& findings) {
  fmt::print("{}\n", verdict(findings));
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

}  // namespace

void add_check_command(CLI::App& app) {
  struct Options {
    std::string program;
    bool as_json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("check", "say what of MPI a program calls, what of it is missing, and whether it can run");
  command->add_option("program", options->program, "a program, as 'hindcast run' would be given it")->required();
  command->add_flag("--json", options->as_json, "for programs to read");
  command->callback([options] {
    const Findings findings = examine(options->program);
    options->as_json ? print_json(findings) : print_text(findings);
    if (!findings.is_fit()) throw CLI::RuntimeError(1);
  });
}

}  // namespace hindcast
