#include "mpi_impl/core/process.hpp"

#include "mpi_impl/core/files/files.hpp"
#include "mpi_impl/core/processes/ports.hpp"
#include "mpi_impl/core/tools/tools.hpp"
#include "mpi_impl/core/windows/windows.hpp"
#include "mpi_impl/transport/contexts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace hindcast::mpi {

constinit thread_local bool on_simulation_thread = false;

World::World(Engine& engine, int size, const CollectiveChoices& choices, EndRun end_run)
    : engine_(engine),
      universe_size_(size),
      ports_(std::make_unique<Ports>()),
      choices_(choices),
      end_run_(std::move(end_run)) {
  on_simulation_thread = true;
  cohorts_.emplace_back(0, 0, size, nullptr, 0);
}

World::~World() = default;

void World::divide(const std::vector<int>& sizes) {
  cohorts_.clear();
  for (const int size : sizes) {
    const int first = cohorts_.empty() ? 0 : cohorts_.back().end;
    cohorts_.emplace_back(static_cast<int>(cohorts_.size()), first, size, nullptr, 0);
  }
}

const World::Cohort& World::cohort_of(int rank) const {
  const auto found = std::upper_bound(cohorts_.begin(), cohorts_.end(), rank,
                                      [](int number, const Cohort& cohort) { return number < cohort.end; });
  return *found;
}

const World::Cohort& World::bear(const std::vector<Birth>& births, GroupPointer parents, std::uint32_t context) {
  int ranks = 0;
  for (const Birth& birth : births) ranks += birth.ranks;
  cohorts_.emplace_back(cohorts_.back().number + 1, cohorts_.back().end, ranks, std::move(parents), context);
  try {
    births_->bear(births);
  } catch (...) {
    cohorts_.pop_back();
    throw;
  }
  return cohorts_.back();
}

std::uint32_t World::new_context() {
  if (next_context_ > UINT32_MAX - Comm::contexts) return 0;
  const std::uint32_t context = next_context_;
  next_context_ += Comm::contexts;
  return context;
}

const Levels* World::levels_of(Comm& comm) {
  if (comm.levels == nullptr && !places_.are_all_alike()) comm.levels = levels_.of(comm.group, places_);
  return comm.levels.get();
}

int World::node_number(const std::string& node) {
  return node_numbers_.emplace(node, static_cast<int>(node_numbers_.size())).first->second;
}

int World::hand_over(GroupPointer group, int takers) {
  handovers_.emplace(next_handover_, Handover{std::move(group), takers});
  return next_handover_++;
}

GroupPointer World::take_over(int number) {
  const auto found = handovers_.find(number);
  GroupPointer group = found->second.group;
  if (--found->second.still_to_take == 0) handovers_.erase(found);
  return group;
}

Process::Process(World& world, Rank& rank, Endpoint& endpoint, int application_number)
    : rank_(rank),
      endpoint_(endpoint),
      longest_message(endpoint.longest_message()),
      application(application_number),
      tag_upper_bound(endpoint.tag_upper_bound()),
      alarms(world.engine()),
      world_(world) {
  rank.library = this;
  rank.main_thread().goes_with_stack(this, 4);  // what every call looks at
  Errhandler& fatal = *predefined_errhandler(MPI_ERRORS_ARE_FATAL);
  const World::Cohort& cohort = world.cohort_of(rank.id);
  Contexts* const limited = endpoint.contexts();
  const std::uint32_t context_of_world = limited != nullptr ? limited->of_world(cohort.number) : context_of_first_world;
  if (limited != nullptr)
    for (const std::uint32_t context : {context_of_world, context_of_first_world}) limited->begin_with(context);
  comm_world_ = &make_predefined_comm(*this, context_of_world, cohort.pointer, fatal);
  comm_self_ = &make_predefined_comm(*this, Comm::contexts, std::make_shared<const Group>(rank.id, 1, 1), fatal);
  rank.main_thread().goes_with_stack(comm_world_, 2);
  if (cohort.parents != nullptr) {
    if (limited != nullptr) limited->begin_with(cohort.context_with_parents);
    parent = &make_intercomm(*this, cohort.context_with_parents, cohort.pointer, cohort.parents, fatal);
    parent->given_name = std::make_unique<std::string>("MPI_COMM_PARENT");
  }
}

Process::~Process() { rank_.library = nullptr; }

AddedErrors& Process::added_errors() {
  if (added_errors_ == nullptr) added_errors_ = std::make_unique<AddedErrors>();
  return *added_errors_;
}

Info& Process::info_env() {
  if (info_env_ == nullptr) {
    info_env_ = std::make_unique<Info>();
    info_env_->handle = MPI_INFO_ENV;
    info_env_->hints = hints_of_start(*this);
  }
  return *info_env_;
}

Windows& Process::windows() {
  if (windows_ == nullptr) windows_ = std::make_unique<Windows>(*this);
  return *windows_;
}

Files& Process::files() {
  if (files_ == nullptr) files_ = std::make_unique<Files>();
  return *files_;
}

Tools& Process::tools() {
  if (tools_ == nullptr) tools_ = std::make_unique<Tools>();
  return *tools_;
}

BufferedSends& Process::buffered_sends() {
  if (buffered_sends_ == nullptr) buffered_sends_ = std::make_unique<BufferedSends>();
  return *buffered_sends_;
}

void Process::end_run(const std::string& line, int status) { world_.end_run()(status, line); }

void Process::initialize(int level) {
  phase = Phase::initialized;
  thread_level = world_.level_granted(level);
  main_thread_ = Thread::current()->index();
  restrict_threads();
}

std::string Process::enter_restricted() {
  if (thread_level == MPI_THREAD_MULTIPLE) {
    endpoint_.threads_in_turn()->enter();
    return {};
  }
  const Thread& thread = *Thread::current();
  if (thread_level < MPI_THREAD_SERIALIZED) {
    if (is_main_thread(thread)) return {};
    const char* granted = thread_level == MPI_THREAD_SINGLE
                              ? "MPI_THREAD_SINGLE was granted, which is all that MPI_Init grants"
                              : "MPI_THREAD_FUNNELED was granted";
    return fmt::format(
        "called on thread {}, but only the thread that initialized MPI may call it, as {}; ask MPI_Init_thread for "
        "MPI_THREAD_MULTIPLE",
        thread.index(), granted);
  }
  if (thread_in_call_ != nullptr && thread_in_call_ != &thread)
    return fmt::format(
        "called on thread {} while thread {} is in a call, but MPI_Init_thread has granted "
        "MPI_THREAD_SERIALIZED; ask it for MPI_THREAD_MULTIPLE",
        thread.index(), thread_in_call_->index());
  thread_in_call_ = &thread;
  ++calls_within_;
  return {};
}

void Process::leave_restricted() {
  if (thread_level == MPI_THREAD_MULTIPLE) return endpoint_.threads_in_turn()->leave();
  if (thread_in_call_ == Thread::current() && --calls_within_ == 0) thread_in_call_ = nullptr;
}

}  // namespace hindcast::mpi
