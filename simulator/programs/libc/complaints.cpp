// err, warn, error and their kin: libc's would name the simulator's command, and end all ranks at once.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

namespace {

const hindcast_program& complainer(const char* function) { return RunningProgram::calling(function).entry_points(); }

// An error of -1 is none.
void complain(const hindcast_program& program, const char* format, va_list arguments, int error) {
  std::fprintf(stderr, "%s: ", *program.invocation_short_name);
  if (format != nullptr) std::vfprintf(stderr, format, arguments);
  if (error >= 0) std::fprintf(stderr, "%s%s", format != nullptr ? ": " : "", std::strerror(error));
  std::fputc('\n', stderr);
}

void begin_error(const hindcast_program& program, const char* after_name) {
  std::fflush(stdout);
  if (auto* const print_name = *program.complaints->print_name; print_name != nullptr)
    print_name();
  else
    std::fprintf(stderr, "%s:%s", *program.invocation_name, after_name);
}

void end_error(const hindcast_program& program, int status, int error, const char* format, va_list arguments) {
  std::vfprintf(stderr, format, arguments);
  ++*program.complaints->count;
  if (error != 0) std::fprintf(stderr, ": %s", std::strerror(error));
  std::fputc('\n', stderr);
  if (status != 0) program.exit(status);
}

// Where the program wants to be told of each line once.
bool has_been_told_of(hindcast_complaints& complaints, const char* file, unsigned line) {
  if (*complaints.one_per_line == 0) return false;
  const char* const last = complaints.last_file;
  const bool is_same_file = file == last || (file != nullptr && last != nullptr && std::strcmp(file, last) == 0);
  if (is_same_file && line == complaints.last_line) return true;
  complaints.last_file = file;
  complaints.last_line = line;
  return false;
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast::programs;

extern "C" {

void hindcast_vwarn(const char* format, va_list arguments) {
  const int error = errno;
  complain(complainer("vwarn"), format, arguments, error);
}
void hindcast_vwarnx(const char* format, va_list arguments) { complain(complainer("vwarnx"), format, arguments, -1); }

void hindcast_verr(int status, const char* format, va_list arguments) {
  hindcast_vwarn(format, arguments);
  complainer("verr").exit(status);
}
void hindcast_verrx(int status, const char* format, va_list arguments) {
  hindcast_vwarnx(format, arguments);
  complainer("verrx").exit(status);
}

void hindcast_warn(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  hindcast_vwarn(format, arguments);
  va_end(arguments);
}
void hindcast_warnx(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  hindcast_vwarnx(format, arguments);
  va_end(arguments);
}
void hindcast_err(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  hindcast_verr(status, format, arguments);
  va_end(arguments);
}
void hindcast_errx(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  hindcast_verrx(status, format, arguments);
  va_end(arguments);
}

void hindcast_error(int status, int number, const char* format, ...) {
  const hindcast_program& program = complainer("error");
  va_list arguments;
  va_start(arguments, format);
  begin_error(program, " ");
  end_error(program, status, number, format, arguments);
  va_end(arguments);
}

void hindcast_error_at_line(int status, int number, const char* file, unsigned line, const char* format, ...) {
  const hindcast_program& program = complainer("error_at_line");
  if (has_been_told_of(*program.complaints, file, line)) return;
  va_list arguments;
  va_start(arguments, format);
  begin_error(program, "");
  if (file != nullptr)
    std::fprintf(stderr, "%s:%u: ", file, line);
  else
    std::fputc(' ', stderr);
  end_error(program, status, number, format, arguments);
  va_end(arguments);
}

}  // extern "C"
