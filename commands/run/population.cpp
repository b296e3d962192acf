#include "commands/run/population.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/programs/load/program_error.hpp"

namespace hindcast {

namespace {

programs::ProcessorCosts costs_of(const Processor& processor) {
  return {processor.clock_read, processor.poll, processor.flop_rate, processor.memory_bandwidth};
}

// A node's processors are shared out evenly to its places, so that what one rank's threads do is no affair of
// another's.
programs::ProcessorShare share_of(const Machine& machine, int node, std::ptrdiff_t places) {
  if (machine.has_front_end() && node == machine.front_end_node()) return {};
  const NodeKind& kind = machine.kind_of(node);
  programs::ProcessorShare share{std::max(1, kind.processors / static_cast<int>(places))};
  if (!kind.takes_turns) return share;
  share.slice = kind.time_slice;
  share.switching = {{"task switch", "task_switch"}, kind.task_switch};
  return share;
}

bool has_gone(const Rank& rank) {
  return std::all_of(rank.threads.begin(), rank.threads.end(),
                     [](const auto& thread) { return thread->state() == Thread::State::ended; });
}

}  // namespace

Population::Population(Engine& engine, const Machine& machine, programs::Launch& launch, RunningLibrary& library,
                       std::vector<int> nodes)
    : engine_(engine),
      machine_(machine),
      launch_(launch),
      library_(library),
      nodes_(std::move(nodes)),
      ranks_(nodes_.size()) {
  library_.set_births(*this);
  mpi::World* const world = library_.world();
  if (world == nullptr) return;
  world->set_universe_size(static_cast<int>(nodes_.size()));
  world->set_births(*this);
}

void Population::begin(const std::vector<ProgramRequest>& programs, bool have_worlds_of_their_own) {
  std::vector<Birth> births;
  std::vector<int> sizes;
  for (const ProgramRequest& program : programs) {
    births.push_back({program.program, program.arguments, program.working_directory, program.ranks});
    sizes.push_back(program.ranks);
  }
  if (have_worlds_of_their_own && library_.world() != nullptr) library_.world()->divide(sizes);
  start(births);
}

void Population::begin_built_in(int ranks, const std::function<void()>& body) {
  const auto count = static_cast<std::size_t>(ranks);
  for (Berth berth = 0; berth < count; ++berth)
    engine_.start_thread(engine_.add_rank(machine_.node_name(nodes_[berth])), body);
  for (Berth berth = 0; berth < count; ++berth) add_to_library(berth, berth, 0);
}

void Population::bear(const std::vector<Birth>& births) {
  int wanted = 0;
  for (const Birth& birth : births) wanted += birth.ranks;
  if (const int free = free_places(); wanted > free)
    throw BirthError(
        fmt::format("{} processes are asked for, and there are places for {} more (hindcast run "
                    "--universe says how many processes there may be at a time)",
                    wanted, free));
  try {
    start(births);
  } catch (const programs::ProgramError& error) {
    throw BirthError(error.what());
  }
}

int Population::free_places() {
  bury_the_gone();
  return static_cast<int>(find_free_berths().size());
}

std::vector<int> Population::nodes_of_free_places() {
  bury_the_gone();
  std::vector<int> nodes;
  for (const Berth berth : find_free_berths()) nodes.push_back(nodes_[berth]);
  return nodes;
}

void Population::start(const std::vector<Birth>& births) {
  const std::vector<Berth> taken = berths_for(births);
  auto next = taken.begin();
  std::vector<programs::Application> applications;
  for (const Birth& birth : births) {
    applications.push_back({birth.program, birth.arguments, birth.working_directory, {}});
    for (int i = 0; i < birth.ranks; ++i, ++next) applications.back().places.push_back(place_of_program(nodes_[*next]));
  }
  std::size_t rank = engine_.ranks().size();
  launch_.start(applications);
  next = taken.begin();
  for (std::size_t i = 0; i < births.size(); ++i)
    for (int j = 0; j < births[i].ranks; ++j, ++next, ++rank) add_to_library(rank, *next, static_cast<int>(i));
}

// One for each rank: of those on the node that it is to be on, or of all, the first.
std::vector<Population::Berth> Population::berths_for(const std::vector<Birth>& births) const {
  std::vector<Berth> free = find_free_berths();
  std::vector<Berth> taken;
  for (const Birth& birth : births)
    for (std::size_t i = 0; i < static_cast<std::size_t>(birth.ranks); ++i) {
      const bool will_do_anywhere = birth.nodes.empty();
      const auto berth = std::find_if(free.begin(), free.end(),
                                      [&](Berth each) { return will_do_anywhere || nodes_[each] == birth.nodes[i]; });
      if (berth == free.end())
        throw BirthError(fmt::format("there is no place on {}", machine_.node_name(birth.nodes[i])));
      taken.push_back(*berth);
      free.erase(berth);
    }
  return taken;
}

programs::Place Population::place_of_program(int node) const {
  return {machine_.node_name(node), machine_.node_name(node), costs_of(machine_.processor_of(node)),
          share_of(machine_, node, std::count(nodes_.begin(), nodes_.end(), node))};
}

void Population::add_to_library(std::size_t rank, Berth berth, int application) {
  ranks_[berth] = engine_.ranks()[rank].get();
  if (tell_birth_) tell_birth_(static_cast<int>(rank), nodes_[berth]);
  add_rank(library_, machine_, *ranks_[berth], nodes_[berth], application);
}

std::vector<Population::Berth> Population::find_free_berths() const {
  std::vector<Berth> free;
  for (Berth berth = 0; berth < ranks_.size(); ++berth)
    if (ranks_[berth] == nullptr) free.push_back(berth);
  return free;
}

// All layers in turn, from the top. What a rank's threads have put off quietly still finds the library's part of it.
void Population::bury_the_gone() {
  for (Rank*& rank : ranks_) {
    if (rank == nullptr || !has_gone(*rank)) continue;
    for (const auto& thread : rank->threads) thread->fire_quiet_acts();
    if (!library_.forget_rank(*rank)) continue;
    launch_.bury(*rank);
    rank = nullptr;
  }
}

}  // namespace hindcast
