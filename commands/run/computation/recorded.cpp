#include "commands/run/computation/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <istream>
#include <stdexcept>

#include "commands/run/computation/recording.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/machine/file/trimmed.hpp"

namespace hindcast {

using namespace recorded_computation;
using programs::Measuring;

namespace {

// How often a program calls these may depend on what has come, and so on the machine.
constexpr std::array<std::string_view, 38> looks = {"MPI_Iprobe",
                                                    "MPI_Improbe",
                                                    "MPI_Test",
                                                    "MPI_Testall",
                                                    "MPI_Testany",
                                                    "MPI_Testsome",
                                                    "MPI_Waitsome",
                                                    "MPI_Request_get_status",
                                                    "MPI_Win_test",
                                                    "MPI_Win_sync",
                                                    "MPI_Wtime",
                                                    "clock",
                                                    "clock_gettime",
                                                    "clock_nanosleep",
                                                    "ftime",
                                                    "getrusage",
                                                    "gettimeofday",
                                                    "nanosleep",
                                                    "omp_get_wtime",
                                                    "omp_test_lock",
                                                    "omp_test_nest_lock",
                                                    "poll",
                                                    "ppoll",
                                                    "pselect",
                                                    "pthread_mutex_trylock",
                                                    "pthread_rwlock_tryrdlock",
                                                    "pthread_rwlock_trywrlock",
                                                    "pthread_spin_trylock",
                                                    "pthread_tryjoin_np",
                                                    "pthread_yield",
                                                    "sched_yield",
                                                    "select",
                                                    "sem_trywait",
                                                    "sleep",
                                                    "time",
                                                    "times",
                                                    "timespec_get",
                                                    "usleep"};

bool is_look(std::string_view call) { return std::ranges::find(looks, call) != looks.end(); }

template <typename Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Up to the next comma, which is taken too.
std::string_view take_field(std::string_view& line) {
  const std::size_t comma = line.find(',');
  const std::string_view field = line.substr(0, comma);
  line = comma == std::string_view::npos ? std::string_view() : line.substr(comma + 1);
  return field;
}

std::string name_of(const std::pair<int, int>& rank_and_thread) {
  const auto& [rank, thread] = rank_and_thread;
  return thread == 0 ? fmt::format("rank {}", rank) : fmt::format("rank {}, thread {}", rank, thread);
}

}  // namespace

RecordedComputation::RecordedComputation(const std::string& path) : path_(path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path))
    throw std::runtime_error(
        fmt::format("--compute recorded:{}: cannot be read: {}", path, file ? "a directory" : std::strerror(errno)));
  read(file);
}

void RecordedComputation::refuse_line(const std::string& what) const {
  throw std::runtime_error(fmt::format("{}, line {}: {}", path_, line_, what));
}

void RecordedComputation::read(std::istream& file) {
  std::string line;
  while (std::getline(file, line)) {
    ++line_;
    if (line.ends_with('\r')) line.pop_back();
    if (trimmed(line).empty()) continue;
    if (line.starts_with('#')) {
      read_comment(line);
    } else if (unit_ != Measuring::nothing) {
      read_stretch(line);
    } else if (line == columns_of_time) {
      unit_ = Measuring::time;
    } else if (line == columns_of_instructions) {
      unit_ = Measuring::instructions;
    } else {
      refuse_line(
          fmt::format("not the columns {} (or instructions) that --record-computation writes", columns_of_time));
    }
  }
  if (unit_ == Measuring::nothing)
    throw std::runtime_error(fmt::format(
        "{}: there are no columns {} (or instructions), as --record-computation writes", path_, columns_of_time));
}

// A factor that is not written as it has to be would be taken for a comment, and all times be wrong.
void RecordedComputation::read_comment(std::string_view text) {
  constexpr std::string_view factor = "factor";
  std::string_view rest = trimmed(text.substr(1));
  const auto is_same_letter = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  if (!std::ranges::equal(rest.substr(0, factor.size()), factor, is_same_letter)) return;
  if (has_factor_ || unit_ != Measuring::nothing) refuse_line("a factor comes once, and before the columns");
  rest = trimmed(rest.substr(factor.size()));
  const bool has_colon = rest.starts_with(':');
  if (!has_colon || !read_number(trimmed(rest.substr(1)), factor_) || !(factor_ > 0) || !std::isfinite(factor_))
    refuse_line(fmt::format("'{}': not '{}' with a number greater than 0", text, head_of_factor));
  has_factor_ = true;
}

void RecordedComputation::read_stretch(std::string_view line) {
  const std::string_view whole = line;
  const std::string_view rank_text = take_field(line);
  const std::string_view thread_text = take_field(line);
  const std::string_view name = take_field(line);
  RankAndThread rank_and_thread;
  std::uint64_t amount = 0;
  if (!read_number(rank_text, rank_and_thread.first) || !read_number(thread_text, rank_and_thread.second) ||
      rank_and_thread.first < 0 || rank_and_thread.second < 0 || name.empty() || !read_number(line, amount))
    refuse_line(fmt::format("'{}': not a rank, a thread, the name of a call and a whole number", whole));
  threads_[rank_and_thread].all.push_back({&call_of(name), amount});
}

const RecordedComputation::Call& RecordedComputation::call_of(std::string_view name) {
  const auto known = calls_.find(name);
  return known != calls_.end() ? *known : *calls_.emplace(name, is_look(name)).first;
}

RecordedComputation::OfThread& RecordedComputation::recorded_of(const Thread& thread) {
  const auto found = threads_.find({thread.rank().id, thread.index()});
  if (found == threads_.end())
    throw std::runtime_error(fmt::format("{} has nothing of {}: the run that was recorded had none such", path_,
                                         name_of({thread.rank().id, thread.index()})));
  return found->second;
}

std::size_t RecordedComputation::count_before(const Call& call, const OfThread& recorded) {
  for (std::size_t i = recorded.charged; i < recorded.all.size(); ++i) {
    if (recorded.all[i].before == &call) return i + 1 - recorded.charged;
    if (!looks_again(*recorded.all[i].before)) break;
  }
  return 0;
}

std::uint64_t RecordedComputation::charged_before(const char* name, const Thread& thread, std::uint64_t) {
  const Call& call = call_of(name);
  OfThread& recorded = recorded_of(thread);
  const std::size_t count = count_before(call, recorded);
  if (count == 0 && !looks_again(call)) {
    const bool is_over = recorded.charged == recorded.all.size();
    throw std::runtime_error(fmt::format(
        "its call {} is {}, where {} has {}: the program has gone another way than in the run that was recorded, so "
        "that what it computes is not known",
        recorded.charged + 1, name, path_, is_over ? "no more" : recorded.all[recorded.charged].before->first));
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += recorded.all[recorded.charged++].amount;
  return sum;
}

// A run that has failed need not have come to the end of what was recorded.
int RecordedComputation::run_ends(int status) {
  if (status != 0) return status;
  for (const auto& [rank_and_thread, recorded] : threads_) {
    const auto rest = recorded.all.begin() + static_cast<std::ptrdiff_t>(recorded.charged);
    const auto missed =
        std::find_if(rest, recorded.all.end(), [](const Stretch& one) { return !looks_again(*one.before); });
    if (missed == recorded.all.end()) continue;
    if (recorded.charged == 0) {
      fmt::print(stderr, "hindcast: {} has computation of {}, which has made no call in this run\n", path_,
                 name_of(rank_and_thread));
      return 1;
    }
    fmt::print(
        stderr,
        "hindcast: {} has ended after {} calls, where {} goes on with {}: the program has gone another way than in the "
        "run that was recorded\n",
        name_of(rank_and_thread), recorded.charged, path_, missed->before->first);
    return 1;
  }
  return status;
}

}  // namespace hindcast
