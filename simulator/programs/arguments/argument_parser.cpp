// argp_parse is libc's. Its --version and --help, and mistakes in the arguments, end the process by libc's exit, which
// nobody can put another function in the place of; but what is registered with it can go on in the rank instead.

#include <argp.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

namespace {

void leave_rank_instead(int status, void*) {
  RunningProgram* const program = RunningProgram::current();
  if (program == nullptr || !std::exchange(program->parses_arguments, false)) return;
  program->entry_points().exit(status);
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast::programs;

// Each call registers anew, as exit uses up what it has called, and calls the latest first.
extern "C" int hindcast_rank_parse_arguments(const hindcast_argument_variables* variables, const argp* parser, int argc,
                                             char** argv, unsigned flags, int* index, void* input) {
  argp_program_version = variables->version;
  argp_program_bug_address = variables->bug_address;
  argp_program_version_hook = variables->version_hook;
  argp_err_exit_status = variables->error_status;
  RunningProgram& program = RunningProgram::calling("argp_parse");
  if (on_exit(leave_rank_instead, nullptr) != 0) return ENOMEM;
  program.parses_arguments = true;
  const error_t result = argp_parse(parser, argc, argv, flags, index, input);
  program.parses_arguments = false;
  return result;
}
