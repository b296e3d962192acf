// What the variables of the environment say of OpenMP: words in either case, with blanks around them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "simulator/programs/launcher.hpp"
#include "simulator/programs/openmp/team.hpp"
#include "simulator/programs/process/running_program.hpp"

namespace hindcast::programs::openmp {

namespace {

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  const auto to_small = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  };
  std::transform(small.begin(), small.end(), small.begin(), to_small);
  return small;
}

// What is before the separator; `rest` goes on behind it, and is nothing where there is none.
std::string_view next_part(std::optional<std::string_view>& rest, char separator) {
  const std::string_view whole = *rest;
  const std::size_t end = whole.find(separator);
  rest = end == std::string_view::npos ? std::nullopt : std::optional(whole.substr(end + 1));
  return without_blanks(whole.substr(0, end));
}

// The greatest there is stands for all that are greater.
std::optional<int> number_in(std::string_view text, int least) {
  long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range && text.front() != '-') return INT32_MAX;
  if (error != std::errc{} || end != text.data() + text.size() || number < least) return std::nullopt;
  return static_cast<int>(std::min<long>(number, INT32_MAX));
}

std::optional<bool> truth_in(const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return std::nullopt;
}

std::optional<std::vector<unsigned>> threads_in(std::string_view text) {
  std::vector<unsigned> by_level;
  for (std::optional<std::string_view> rest = text; rest;) {
    const std::optional<int> threads = number_in(next_part(rest, ','), 1);
    if (!threads) return std::nullopt;
    by_level.push_back(static_cast<unsigned>(*threads));
  }
  return by_level;
}

// As guided,4, or monotonic:guided,4. A static one is monotonic unless it says otherwise.
std::optional<ScheduleOfRun> schedule_in(std::string_view text) {
  std::optional<std::string_view> rest = text;
  const bool has_modifier = text.find(':') != std::string_view::npos;
  const std::string_view modifier = has_modifier ? next_part(rest, ':') : std::string_view();
  if (has_modifier && modifier != "monotonic" && modifier != "nonmonotonic") return std::nullopt;
  const std::string_view kind = next_part(rest, ',');
  ScheduleOfRun schedule;
  schedule.is_automatic = kind == "auto";
  const bool is_static = kind == "static";
  if (is_static || schedule.is_automatic)
    schedule.schedule = WorkShare::Schedule::in_blocks;
  else if (kind == "guided")
    schedule.schedule = WorkShare::Schedule::guided;
  else if (kind != "dynamic")
    return std::nullopt;
  schedule.is_monotonic = modifier == "monotonic" || (is_static && !has_modifier);
  const int usual = schedule.schedule == WorkShare::Schedule::in_blocks ? 0 : 1;
  const std::optional<int> chunk = rest ? number_in(without_blanks(*rest), 0) : usual;
  if (!chunk) return std::nullopt;
  schedule.chunk = schedule.is_automatic ? 0 : std::max(*chunk, usual);
  return schedule;
}

// In K, unless a letter says otherwise.
std::optional<std::size_t> bytes_in(std::string_view text) {
  constexpr std::string_view units = "bkmg";
  const std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
  if (unit != std::string_view::npos) text.remove_suffix(1);
  const std::optional<int> number = number_in(without_blanks(text), 1);
  if (!number) return std::nullopt;
  return static_cast<std::size_t>(*number) << (10 * (unit != std::string_view::npos ? unit : 1));
}

std::optional<std::uintptr_t> allocator_in(std::string_view text) {
  constexpr std::string_view names[] = {"default", "large_cap", "const", "high_bw",
                                        "low_lat", "cgroup",    "pteam", "thread"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (text == fmt::format("omp_{}_mem_alloc", names[i])) return i + 1;
  return std::nullopt;
}

// Of an enumeration the words that there may be.
template <std::size_t count>
std::optional<std::size_t> word_in(std::string_view text, const std::string_view (&words)[count]) {
  const auto found = std::find(std::begin(words), std::end(words), text);
  if (found == std::end(words)) return std::nullopt;
  return static_cast<std::size_t>(found - std::begin(words));
}

class Environment {
 public:
  explicit Environment(RunningProgram& program) : program_(program) {}

  // Gives `target` what `read` makes of the variable, if it is there and makes sense.
  template <typename Target, typename Read>
  bool set(Target& target, const char* name, Read read) const {
    const char* const text = std::getenv(name);
    if (text == nullptr) return false;
    const auto value = read(in_small_letters(without_blanks(text)));
    if (value)
      target = static_cast<Target>(*value);
    else if (program_.rank().id == 0)
      program_.launch().output().say(
          fmt::format("{}={} is nothing that OpenMP knows, and changes nothing", name, text));
    return value.has_value();
  }
  template <typename Target>
  bool set_number(Target& target, const char* name, int least) const {
    return set(target, name, [&](const std::string& text) { return number_in(text, least); });
  }
  bool set_truth(bool& target, const char* name) const { return set(target, name, truth_in); }

 private:
  RunningProgram& program_;
};

}  // namespace

void read_environment(Runtime& runtime, RunningProgram& program) {
  const Environment environment(program);
  Settings& settings = runtime.settings_at_first;
  environment.set(runtime.threads_by_level, "OMP_NUM_THREADS", threads_in);
  settings.threads_wanted = runtime.threads_by_level.front();
  bool is_nested = false;
  environment.set_truth(is_nested, "OMP_NESTED");
  settings.levels_max = is_nested ? Runtime::levels_supported : static_cast<unsigned>(runtime.threads_by_level.size());
  environment.set_number(settings.levels_max, "OMP_MAX_ACTIVE_LEVELS", 0);
  settings.levels_max = std::min<unsigned>(settings.levels_max, Runtime::levels_supported);
  environment.set_number(settings.threads_max, "OMP_THREAD_LIMIT", 1);
  environment.set_number(settings.device, "OMP_DEFAULT_DEVICE", 0);
  environment.set(settings.schedule, "OMP_SCHEDULE", schedule_in);
  environment.set(settings.allocator, "OMP_ALLOCATOR", allocator_in);
  environment.set_truth(settings.is_dynamic, "OMP_DYNAMIC");
  environment.set_truth(runtime.can_cancel, "OMP_CANCELLATION");
  environment.set_truth(runtime.shows_affinity, "OMP_DISPLAY_AFFINITY");
  environment.set_number(runtime.teams_max, "OMP_NUM_TEAMS", 1);
  environment.set_number(runtime.threads_of_team_max, "OMP_TEAMS_THREAD_LIMIT", 1);
  environment.set_number(runtime.priority_max, "OMP_MAX_TASK_PRIORITY", 0);
  environment.set(runtime.stack_bytes, "OMP_STACKSIZE", bytes_in);
  environment.set(runtime.needs_device, "OMP_TARGET_OFFLOAD", [](const std::string& text) {
    constexpr std::string_view words[] = {"default", "mandatory", "disabled"};
    const auto word = word_in(text, words);
    return word ? std::optional(*word == 1) : std::nullopt;
  });
  std::size_t policy = 0;  // makes no difference
  environment.set(policy, "OMP_WAIT_POLICY", [](const std::string& text) {
    constexpr std::string_view words[] = {"active", "passive"};
    return word_in(text, words);
  });
  if (const char* format = std::getenv("OMP_AFFINITY_FORMAT")) runtime.affinity_format = format;
  bool shows_all = false;
  environment.set(shows_all, "OMP_DISPLAY_ENV",
                  [](const std::string& text) { return text == "verbose" ? std::optional(true) : truth_in(text); });
  if (shows_all) program.write(2, settings_shown(runtime));
}

}  // namespace hindcast::programs::openmp
