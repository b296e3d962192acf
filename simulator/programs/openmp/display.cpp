// What OpenMP tells of itself: of a thread, in a format of the program's, and of what the environment has set.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>

#include "simulator/programs/openmp/team.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs::openmp {

namespace {

struct Field {
  char letter;
  std::string_view name;
  std::string (*text)(const Member& member);
};

std::string team_number(const Member& member) { return std::to_string(member.team->threads->team); }
std::string teams(const Member& member) { return std::to_string(member.team->threads->teams); }
std::string level(const Member& member) {
  int regions = 0;
  for (const Member* each = &member; each->outer != nullptr; each = each->outer) ++regions;
  return std::to_string(regions);
}
std::string number(const Member& member) { return std::to_string(member.number); }
std::string threads(const Member& member) { return std::to_string(member.team->size); }
std::string ancestor(const Member& member) {
  return member.outer != nullptr ? std::to_string(member.outer->number) : "-1";
}
std::string host(const Member&) { return RunningProgram::calling("OpenMP").host_name(); }
std::string process(const Member&) { return std::to_string(hindcast_rank_process()); }
std::string thread_in_system(const Member&) {
  return std::to_string(ProgramThreads::calling("OpenMP").system_number());
}
// A thread may be on any of its rank's processors.
std::string affinity(const Member&) {
  const int processors = RunningProgram::calling("OpenMP").processors().count;
  return processors > 1 ? fmt::format("0-{}", processors - 1) : "0";
}

constexpr Field fields[] = {{'t', "team_num", team_number},
                            {'T', "num_teams", teams},
                            {'L', "nesting_level", level},
                            {'n', "thread_num", number},
                            {'N', "num_threads", threads},
                            {'a', "ancestor_tnum", ancestor},
                            {'H', "host", host},
                            {'P', "process_id", process},
                            {'i', "native_thread_id", thread_in_system},
                            {'A', "thread_affinity", affinity}};

// The name of a field, with what stands before it: "%0.8n", or "%{thread_num}". `at` is behind the percent sign, and
// then behind the field.
std::string text_of_field(const std::string& format, std::size_t& at, const Member& member) {
  const auto next = [&] { return at < format.size() ? format[at] : '\0'; };
  const bool has_zeros = next() == '0';
  at += has_zeros ? 1 : 0;
  const bool is_at_right = next() == '.';
  at += is_at_right ? 1 : 0;
  std::size_t width = 0;
  for (; std::isdigit(static_cast<unsigned char>(next())) != 0; ++at)
    width = std::min<std::size_t>(10 * width + static_cast<std::size_t>(next() - '0'), 1000);
  std::string_view name = std::string_view(format).substr(at, 1);
  if (next() == '{') {
    const std::size_t end = std::min(format.find('}', at), format.size());
    name = std::string_view(format).substr(at + 1, end - at - 1);
    at = end;
  }
  ++at;
  const auto* field = std::find_if(std::begin(fields), std::end(fields), [&](const Field& each) {
    return name == each.name || name == std::string_view(&each.letter, 1);
  });
  const std::string text = field != std::end(fields) ? field->text(member) : "undefined";
  if (!is_at_right) return fmt::format("{:<{}}", text, width);
  const bool is_number = text.find_first_not_of("-0123456789") == std::string::npos && text.find('-', 1) > text.size();
  if (!has_zeros || !is_number) return fmt::format("{:>{}}", text, width);
  return fmt::format("{:0>{}}", std::stol(text), width);
}

std::string text_of_thread(std::string format) {
  const Member& member = Runtime::member("OpenMP");
  if (format.empty()) format = Runtime::calling("OpenMP").affinity_format;
  std::string text;
  for (std::size_t at = 0; at < format.size();) {
    const char letter = format[at++];
    if (letter != '%') {
      text += letter;
    } else if (at < format.size() && format[at] == '%') {
      text += format[at++];
    } else {
      text += text_of_field(format, at, member);
    }
  }
  return text;
}

void print(std::string_view text) { RunningProgram::calling("OpenMP").write(2, text); }

// As much as there is room for, with an end as C's texts have it; how long it is whole.
std::size_t give_text(const std::string& text, char* to, std::size_t room) {
  if (room > 0) to[text.copy(to, room - 1)] = '\0';
  return text.size();
}
// As Fortran has them: blanks follow.
std::size_t give_blank_padded(const std::string& text, char* to, std::size_t room) {
  if (room > 0) std::memset(to + text.copy(to, room), ' ', room - std::min(room, text.size()));
  return text.size();
}
std::string without_blanks(const char* text, std::size_t length) {
  const std::string_view whole(text, length);
  return std::string(whole.substr(0, whole.find_last_not_of(' ') + 1));
}
std::string text_or_empty(const char* text) { return text != nullptr ? text : ""; }

const char* word_of(bool is_true) { return is_true ? "TRUE" : "FALSE"; }

std::string schedule_of(const ScheduleOfRun& of_run) {
  const bool is_in_blocks = of_run.schedule == WorkShare::Schedule::in_blocks;
  const char* kind = of_run.is_automatic                               ? "AUTO"
                     : is_in_blocks                                    ? "STATIC"
                     : of_run.schedule == WorkShare::Schedule::dynamic ? "DYNAMIC"
                                                                       : "GUIDED";
  const std::string text = fmt::format("{}{}", of_run.is_monotonic && !is_in_blocks ? "MONOTONIC:" : "", kind);
  return of_run.chunk == (is_in_blocks ? 0 : 1) ? text : fmt::format("{},{}", text, of_run.chunk);
}

}  // namespace

std::string settings_shown(const Runtime& runtime) {
  const Settings& settings = runtime.settings_at_first;
  std::string text = "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n";
  const auto add = [&](const char* name, const auto& value) { text += fmt::format("  {} = '{}'\n", name, value); };
  add("_OPENMP", 201511);
  add("OMP_DYNAMIC", word_of(settings.is_dynamic));
  add("OMP_NESTED", word_of(settings.levels_max > 1));
  add("OMP_NUM_THREADS", fmt::format("{}", fmt::join(runtime.threads_by_level, ",")));
  add("OMP_SCHEDULE", schedule_of(settings.schedule));
  add("OMP_PROC_BIND", word_of(false));
  add("OMP_PLACES", "");
  add("OMP_THREAD_LIMIT", settings.threads_max);
  add("OMP_MAX_ACTIVE_LEVELS", settings.levels_max);
  add("OMP_NUM_TEAMS", runtime.teams_max);
  add("OMP_TEAMS_THREAD_LIMIT", runtime.threads_of_team_max);
  add("OMP_CANCELLATION", word_of(runtime.can_cancel));
  add("OMP_DEFAULT_DEVICE", settings.device);
  add("OMP_MAX_TASK_PRIORITY", runtime.priority_max);
  add("OMP_DISPLAY_AFFINITY", word_of(runtime.shows_affinity));
  add("OMP_AFFINITY_FORMAT", runtime.affinity_format);
  add("OMP_ALLOCATOR", settings.allocator);
  add("OMP_STACKSIZE", runtime.stack_bytes);
  add("OMP_TARGET_OFFLOAD", runtime.needs_device ? "MANDATORY" : "DEFAULT");
  return text + "OPENMP DISPLAY ENVIRONMENT END\n";
}

void print_affinity_if_new(Runtime& runtime) {
  std::string text = text_of_thread({}) + "\n";
  std::string& before = runtime.affinity_shown[ProgramThreads::calling("OpenMP").number];
  if (text == before) return;
  print(text);
  before = std::move(text);
}

}  // namespace hindcast::programs::openmp

using namespace hindcast::programs::openmp;

extern "C" {

void hindcast_omp_display_env(int) { print(settings_shown(Runtime::calling("omp_display_env"))); }
void hindcast_omp_display_env_(const int*) { hindcast_omp_display_env(0); }
void hindcast_omp_display_env_8_(const long*) { hindcast_omp_display_env(0); }

void hindcast_omp_set_affinity_format(const char* format) {
  Runtime::calling("omp_set_affinity_format").affinity_format = text_or_empty(format);
}
void hindcast_omp_set_affinity_format_(const char* format, std::size_t length) {
  Runtime::calling("omp_set_affinity_format").affinity_format = without_blanks(format, length);
}
std::size_t hindcast_omp_get_affinity_format(char* to, std::size_t room) {
  return give_text(Runtime::calling("omp_get_affinity_format").affinity_format, to, room);
}
int hindcast_omp_get_affinity_format_(char* to, std::size_t room) {
  return static_cast<int>(give_blank_padded(Runtime::calling("omp_get_affinity_format").affinity_format, to, room));
}
void hindcast_omp_display_affinity(const char* format) { print(text_of_thread(text_or_empty(format)) + "\n"); }
void hindcast_omp_display_affinity_(const char* format, std::size_t length) {
  print(text_of_thread(without_blanks(format, length)) + "\n");
}
std::size_t hindcast_omp_capture_affinity(char* to, std::size_t room, const char* format) {
  return give_text(text_of_thread(text_or_empty(format)), to, room);
}
int hindcast_omp_capture_affinity_(char* to, const char* format, std::size_t room, std::size_t length) {
  return static_cast<int>(give_blank_padded(text_of_thread(without_blanks(format, length)), to, room));
}

}  // extern "C"
