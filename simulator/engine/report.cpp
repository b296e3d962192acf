#include "simulator/engine/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

std::string line_of(const Thread& thread, const Rank& rank) {
  const std::string who = rank.threads.size() == 1 ? fmt::format("rank {}", rank.id)
                                                   : fmt::format("rank {} thread {}", rank.id, thread.index());
  if (thread.waits_for() == nullptr) return fmt::format("  {}: computes, at {}", who, to_text(thread.clock()));
  const BlockedOn blocked = thread.waits_for()->describe();
  const bool polls = thread.state() == Thread::State::settling;
  return fmt::format("  {}: {} {}{}{} since {}", who, polls ? "polls in" : "waits in", blocked.call,
                     blocked.detail.empty() ? "" : " ", blocked.detail, to_text(thread.waits_since()));
}

bool has_ended(const Rank& rank) {
  return std::all_of(rank.threads.begin(), rank.threads.end(),
                     [](const auto& thread) { return thread->state() == Thread::State::ended; });
}

std::string headline_of(const Engine& engine, Ending ending, std::size_t ended) {
  const std::size_t left = engine.ranks().size() - ended;
  std::string line = ending == Ending::deadlock
                         ? fmt::format("deadlock at {}: {} of {} ranks wait for what can never come",
                                       to_text(engine.now()), left, engine.ranks().size())
                         : fmt::format("the time limit of {} is reached with {} of {} ranks still running",
                                       to_text(engine.options().max_time), left, engine.ranks().size());
  if (ending == Ending::out_of_time && engine.only_wake_ups_pending())
    line += fmt::format(
        "\n  nothing has happened since {} but ranks looking again for what never came, and nothing else could",
        to_text(engine.last_outside_event()));
  return line;
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

std::string report_of(const Engine& engine, Ending ending, std::size_t ranks_max) {
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
    for (const auto& thread : rank->threads)
      if (thread->state() != Thread::State::ended) report += '\n' + line_of(*thread, *rank);
  }
  if (ended > 0) report += fmt::format("\n  {} ranks have ended", ended);
  const std::vector<int> cycle = cycle_of_waits(engine);
  if (!cycle.empty()) {
    report += "\n  the cycle: ";
    for (std::size_t i = 0; i < cycle.size() && i < 16; ++i) report += fmt::format("rank {} waits for ", cycle[i]);
    report +=
        cycle.size() > 16 ? fmt::format("... ({} ranks in all)", cycle.size()) : fmt::format("rank {}", cycle.front());
  }
  return report;
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
