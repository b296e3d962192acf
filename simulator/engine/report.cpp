#include "simulator/engine/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "simulator/engine/rank.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast {

namespace {

// The rank that alone could end a rank's wait.
std::optional<int> waits_for_one(const Rank& rank) {
  std::optional<int> only;
  for (const auto& thread : rank.threads) {
    if (thread->state() == Thread::State::ended) continue;
    if (thread->state() != Thread::State::waiting || thread->waits_for() == nullptr || only) return std::nullopt;
    const std::vector<int> ranks = thread->waits_for()->describe().ranks;
    if (ranks.size() != 1) return std::nullopt;
    only = ranks.front();
  }
  return only;
}

// What the machine's own library waits in is named after the program's call.
std::string name_of_wait(const Thread& thread, const BlockedOn& blocked, const KnownOfThreads& known) {
  const std::string call = known.call ? known.call(thread) : std::string();
  const bool is_the_librarys = !call.empty() && call != blocked.call;
  std::string name = is_the_librarys ? fmt::format("{} ({})", call, blocked.call) : blocked.call;
  if (!blocked.detail.empty()) name += " " + blocked.detail;
  return name;
}

// It looks, and gives way until its time has come; or it is about to go on.
bool is_polling(const Thread& thread) {
  const bool waits = thread.state() == Thread::State::waiting || thread.state() == Thread::State::ended;
  return !waits && thread.waits_for() != nullptr;
}

// Where all that threads do is to look again and again, one may be found at something that it does in between.
bool is_between_looks(const Thread& thread, bool all_look) {
  return all_look && thread.state() != Thread::State::ended && thread.waits_for() == nullptr;
}

std::string name_of(const Thread& thread) {
  const Rank& rank = thread.rank();
  return rank.threads.size() == 1 ? fmt::format("rank {}", rank.id)
                                  : fmt::format("rank {} thread {}", rank.id, thread.index());
}

std::string line_of(const Thread& thread, const KnownOfThreads& known, bool all_look) {
  const std::string who = name_of(thread);
  const std::string place = known.place ? known.place(thread) : std::string();
  const std::string where = place.empty() ? "" : ", in " + place;
  if (is_between_looks(thread, all_look))
    return fmt::format("  {}: between two looks for what has not come, at {}{}", who, to_text(thread.clock()), where);
  if (thread.waits_for() == nullptr) return fmt::format("  {}: computes, at {}{}", who, to_text(thread.clock()), where);
  const BlockedOn blocked = thread.waits_for()->describe();
  const bool polls = is_polling(thread);
  return fmt::format("  {}: {} {} {} {}{}", who, polls ? "polls in" : "waits in", name_of_wait(thread, blocked, known),
                     polls ? "last at" : "since", to_text(thread.waits_since()), where);
}

// A call that several ranks make together, and those who do something else meanwhile: who is missing is among them.
std::string who_is_missing(const Engine& engine, const KnownOfThreads& known) {
  constexpr std::size_t named_max = 8;
  std::map<std::string, std::vector<int>> ranks_in;
  std::set<std::string> together;
  for (const auto& rank : engine.ranks()) {
    if (rank->threads.empty()) continue;  // it has gone and is buried
    const Thread& thread = *rank->threads.front();
    std::string call = thread.state() == Thread::State::ended ? "the end of its program" : "no call";
    if (thread.state() != Thread::State::ended && thread.waits_for() != nullptr && known.call) {
      const BlockedOn blocked = thread.waits_for()->describe();
      const std::string programs_own = known.call(thread);
      call = programs_own.empty() ? blocked.call : programs_own;
      if (call != blocked.call || blocked.detail.find("inside the collective") != std::string::npos)
        together.insert(call);
    }
    ranks_in[call].push_back(rank->id);
  }
  if (together.size() != 1 || ranks_in.size() < 2) return {};
  std::vector<std::string> others;
  for (const auto& [call, ranks] : ranks_in) {
    if (call == *together.begin()) continue;
    const std::vector<int> named(ranks.begin(),
                                 ranks.begin() + static_cast<std::ptrdiff_t>(std::min(ranks.size(), named_max)));
    others.push_back(fmt::format("rank{} {}{} (in {})", ranks.size() > 1 ? "s" : "", fmt::join(named, ", "),
                                 ranks.size() > named_max ? ", ..." : "", call));
  }
  return fmt::format("\n  in {}: {} of {} ranks; not in it: {}", *together.begin(), ranks_in[*together.begin()].size(),
                     engine.ranks().size(), fmt::join(others, ", "));
}

std::string lines_of(const Rank& rank, const KnownOfThreads& known, bool all_look) {
  constexpr std::size_t threads_told_max = 16;
  std::string lines;
  std::size_t living = 0;
  for (const auto& thread : rank.threads)
    if (thread->state() != Thread::State::ended && ++living <= threads_told_max)
      lines += '\n' + line_of(*thread, known, all_look);
  if (living > threads_told_max)
    lines += fmt::format("\n  and {} more threads of rank {}", living - threads_told_max, rank.id);
  return lines;
}

// The thread that alone could end a thread's wait.
const Thread* waits_for_one_thread(const Thread& thread) {
  if (thread.state() != Thread::State::waiting || thread.waits_for() == nullptr) return nullptr;
  const std::vector<const Thread*> threads = thread.waits_for()->describe().threads;
  return threads.size() == 1 ? threads.front() : nullptr;
}

// Threads each of which waits for the next one, and the last for the first: the first such cycle that is found.
std::string cycle_of_threads(const Engine& engine) {
  constexpr std::size_t told_max = 16;
  std::set<const Thread*> visited;
  for (const auto& rank : engine.ranks()) {
    for (const auto& start : rank->threads) {
      std::vector<const Thread*> path;
      const Thread* at = start.get();
      while (at != nullptr && visited.insert(at).second) {
        path.push_back(at);
        at = waits_for_one_thread(*at);
      }
      const auto first = std::find(path.begin(), path.end(), at);
      if (at == nullptr || first == path.end()) continue;
      std::string text = "\n  the cycle: ";
      const auto told = std::min<std::ptrdiff_t>(path.end() - first, told_max);
      for (auto member = first; member != first + told; ++member) text += name_of(**member) + " waits for ";
      return text + (first + told == path.end() ? name_of(*at) : fmt::format("... ({} in all)", path.end() - first));
    }
  }
  return {};
}

bool has_ended(const Rank& rank) {
  return std::all_of(rank.threads.begin(), rank.threads.end(),
                     [](const auto& thread) { return thread->state() == Thread::State::ended; });
}

// Threads that run ahead of the clock have begun to wait after the engine's now.
Time latest_wait(const Engine& engine) {
  Time latest = engine.now();
  for (const auto& rank : engine.ranks())
    for (const auto& thread : rank->threads)
      if (thread->state() != Thread::State::ended) latest = later_of(latest, thread->waits_since());
  return latest;
}

std::string still_running(const Engine& engine, std::size_t ended) {
  return fmt::format("{} of {} ranks still running", engine.ranks().size() - ended, engine.ranks().size());
}

// A run that ended otherwise, or at whose end something was still to happen, may have had on its way what its ranks
// waited for: they wait for each other then without being stuck.
std::string name_of_cycle(const Engine& engine, Ending ending) {
  const bool for_ever = ending == Ending::deadlock || ending == Ending::idle_polls || engine.is_idle();
  return for_ever ? "the cycle" : "a cycle at this moment, unless what is waited for is on its way";
}

std::string headline_of(const Engine& engine, Ending ending, std::size_t ended) {
  const auto since_then = [&] {
    return fmt::format(
        "\n  nothing has happened since {} but ranks looking again for what has not come, and nothing else is pending",
        to_text(engine.last_outside_event()));
  };
  switch (ending) {
    case Ending::out_of_time:
      return fmt::format("the time limit of {} is reached with {}", to_text(engine.options().max_time),
                         still_running(engine, ended)) +
             (engine.is_idle() ? since_then() : "");
    case Ending::idle_polls:
      return fmt::format("livelock at {}: ranks have looked {} times for what has not come (--max-idle-polls), with {}",
                         to_text(engine.now()), engine.idle_looks().count(), still_running(engine, ended)) +
             since_then();
    case Ending::out_of_host_time:
      return fmt::format("this computer's time is up (--max-host-time) at {} of the simulated, with {}",
                         to_text(latest_wait(engine)), still_running(engine, ended));
    case Ending::interrupted:
      return fmt::format("interrupted at {}, with {}", to_text(latest_wait(engine)), still_running(engine, ended));
    case Ending::deadlock:
    case Ending::finished:
      break;
  }
  return fmt::format("deadlock at {}: {} of {} ranks wait for what can never come", to_text(latest_wait(engine)),
                     engine.ranks().size() - ended, engine.ranks().size());
}

}  // namespace

std::vector<int> cycle_of_waits(const Engine& engine) {
  std::vector<int> next(engine.ranks().size(), -1);
  for (const auto& rank : engine.ranks())
    if (const auto other = waits_for_one(*rank); other && *other >= 0 && *other < static_cast<int>(next.size()))
      next[static_cast<std::size_t>(rank->id)] = *other;
  std::vector<int> visited_from(next.size(), -1);
  for (int start = 0; start < static_cast<int>(next.size()); ++start) {
    int at = start;
    while (at >= 0 && visited_from[static_cast<std::size_t>(at)] < 0) {
      visited_from[static_cast<std::size_t>(at)] = start;
      at = next[static_cast<std::size_t>(at)];
    }
    if (at < 0 || visited_from[static_cast<std::size_t>(at)] != start) continue;
    std::vector<int> cycle;
    for (int member = at; cycle.empty() || member != at; member = next[static_cast<std::size_t>(member)])
      cycle.push_back(member);
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
  }
  return {};
}

std::string report_of(const Engine& engine, Ending ending, const KnownOfThreads& known, std::size_t ranks_max) {
  const auto ended = static_cast<std::size_t>(
      std::count_if(engine.ranks().begin(), engine.ranks().end(), [](const auto& rank) { return has_ended(*rank); }));
  std::string report = headline_of(engine, ending, ended);
  std::size_t told = 0;
  for (const auto& rank : engine.ranks()) {
    if (has_ended(*rank)) continue;
    if (told == ranks_max) {
      report += fmt::format("\n  and {} more ranks", engine.ranks().size() - ended - told);
      break;
    }
    ++told;
    report += lines_of(*rank, known, ending == Ending::idle_polls);
  }
  if (ended > 0) report += fmt::format("\n  {} ranks have ended", ended);
  if (known.call) report += who_is_missing(engine, known);
  const std::vector<int> cycle = cycle_of_waits(engine);
  if (!cycle.empty()) {
    report += fmt::format("\n  {}: ", name_of_cycle(engine, ending));
    for (std::size_t i = 0; i < cycle.size() && i < 16; ++i) report += fmt::format("rank {} waits for ", cycle[i]);
    report +=
        cycle.size() > 16 ? fmt::format("... ({} ranks in all)", cycle.size()) : fmt::format("rank {}", cycle.front());
  } else {
    report += cycle_of_threads(engine);
  }
  return report;
}

std::string warning_of_idle_polls(const Engine& engine) {
  constexpr int told_max = 8;
  std::string text = fmt::format(
      "warning: ranks have looked {} times for what has not come, and since {} nothing else has happened; "
      "--max-idle-polls ends such a run",
      engine.idle_looks().count(), to_text(engine.last_outside_event()));
  int told = 0;
  for (const auto& rank : engine.ranks())
    for (const auto& thread : rank->threads)
      if ((is_polling(*thread) || is_between_looks(*thread, true)) && told++ < told_max)
        text += '\n' + line_of(*thread, {}, true);
  return text;
}

std::string to_text(Time time) {
  const std::int64_t ps = time.in_ps();
  const auto in = [ps](double unit_ps, const char* name) {
    return fmt::format("{:.9g} {}", static_cast<double>(ps) / unit_ps, name);
  };
  if (ps < 1'000'000) return in(1e3, "ns");
  if (ps < 1'000'000'000) return in(1e6, "us");
  if (ps < 1'000'000'000'000) return in(1e9, "ms");
  return in(1e12, "s");
}

}  // namespace hindcast
