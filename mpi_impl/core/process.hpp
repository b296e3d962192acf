// What MPI keeps for one rank, and what all ranks of a run share.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mpi_impl/core/call.hpp"
#include "mpi_impl/core/communicators/collective_order.hpp"
#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/core/communicators/group.hpp"
#include "mpi_impl/core/communicators/levels.hpp"
#include "mpi_impl/core/datatypes/datatype.hpp"
#include "mpi_impl/core/error.hpp"
#include "mpi_impl/core/handle.hpp"
#include "mpi_impl/core/info.hpp"
#include "mpi_impl/core/leniency.hpp"
#include "mpi_impl/core/reduction.hpp"
#include "mpi_impl/core/requests/alarm.hpp"
#include "mpi_impl/core/requests/background.hpp"
#include "mpi_impl/core/requests/buffered_send.hpp"
#include "mpi_impl/core/requests/leftovers.hpp"
#include "mpi_impl/core/requests/request.hpp"
#include "mpi_impl/core/requests/sent_buffers.hpp"
#include "mpi_impl/core/requests/sent_elements.hpp"
#include "mpi_impl/core/uncounted.hpp"
#include "mpi_impl/transport/endpoint.hpp"
#include "simulator/engine/end_run.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/engine/memory/buffer_pool.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/programs/births.hpp"
#include "traces/message_label.hpp"

namespace hindcast::mpi {

class CollectiveChoices;
class Files;
class Ports;
class Tools;
class Windows;

// What the machine's file says of something, for people.
struct Setting {
  std::string name;
  std::string value;
  std::string description;
};

// One per run, made by whoever starts it, on the operating system's thread that will run the engine. It grows by the
// ranks that are born in mid-run.
class World {
 public:
  // Of so many ranks in the beginning.
  World(Engine& engine, int size, const CollectiveChoices& choices, EndRun end_run);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  Engine& engine() { return engine_; }
  // Ranks that were born together: they have an MPI_COMM_WORLD of their own, and the ranks who had them born, if
  // anybody did, are the remote group of a communicator with this context. Groups last as long as the world.
  struct Cohort {
    const int number;
    const Group group;
    const GroupPointer pointer;  // nobody counts its owners
    const int end;
    const GroupPointer parents;
    const std::uint32_t context_with_parents = 0;
    Cohort(int which, int first, int size, GroupPointer of, std::uint32_t context)
        : number(which),
          group(first, 1, size),
          pointer(uncounted(group)),
          end(first + size),
          parents(std::move(of)),
          context_with_parents(context) {}
  };
  const Cohort& cohort_of(int rank) const;
  const std::deque<Cohort>& cohorts() const { return cohorts_; }
  // Before any rank is added: the ranks of the beginning are several cohorts, of so many ranks each.
  void divide(const std::vector<int>& sizes);
  // In a handler: has children born. Throws BirthError, and none is.
  const Cohort& bear(const std::vector<Birth>& births, GroupPointer parents, std::uint32_t context);
  // Who starts programs in mid-run; outlives the run.
  void set_births(Births& births) { births_ = &births; }
  Births& births() { return *births_; }
  // Where ranks find each other that are not of one cohort.
  Ports& ports() { return *ports_; }
  // How many ranks there can be at a time: those of the beginning, unless more places are kept.
  const int& universe_size() const { return universe_size_; }
  void set_universe_size(int size) { universe_size_ = size; }
  // Whether ranks have MPI_THREAD_MULTIPLE: all or none, as the first that begins has it. Another is given less.
  bool has_several_threads() const { return has_several_threads_.value_or(false); }
  int level_granted(int level) {
    if (!has_several_threads_) has_several_threads_ = level == MPI_THREAD_MULTIPLE;
    return *has_several_threads_ ? level : std::min(level, MPI_THREAD_SERIALIZED);
  }
  // Whether accesses to windows are refused that conflict with others; before any window is made.
  bool looks_for_conflicts() const { return looks_for_conflicts_; }
  void look_for_conflicts() { looks_for_conflicts_ = true; }
  // Whether windows have public copies of their own; before any window is made.
  bool separates_windows() const { return separates_windows_; }
  void separate_windows() { separates_windows_ = true; }
  // Null unless it is looked for what the standard does not promise.
  Leniency* leniency() { return leniency_.get(); }
  void look_for_leniency() { leniency_ = std::make_unique<Leniency>(); }
  // Null unless it is looked for sends whose buffers the program changes.
  SentBuffers* sent_buffers() { return sent_buffers_.get(); }
  void look_for_changed_buffers() { sent_buffers_ = std::make_unique<SentBuffers>(); }
  // Null unless it is looked for receives that take other elements than are sent: then there are SentBuffers too.
  SentElements* sent_elements() { return sent_elements_.get(); }
  void look_for_other_elements() { sent_elements_ = std::make_unique<SentElements>(); }
  // What is left at the end, of requests and messages. There are some if there are SentElements, and only then.
  Leftovers* leftovers() { return leftovers_.get(); }
  void look_for_leftovers() { leftovers_ = std::make_unique<Leftovers>(); }
  // Null unless it is looked for ranks that make other collective calls than the rest.
  CollectiveOrder* collective_order() { return collective_order_.get(); }
  void look_for_other_collectives() { collective_order_ = std::make_unique<CollectiveOrder>(); }
  // What tools are told of the machine: made when one first asks.
  void set_settings(std::function<std::vector<Setting>()> make) { make_settings_ = std::move(make); }
  const std::vector<Setting>& settings() {
    if (make_settings_) settings_ = std::exchange(make_settings_, nullptr)();
    return settings_;
  }
  Groups& groups() { return groups_; }
  Graphs& graphs() { return graphs_; }
  // Of each rank, to be told before it runs.
  Places& places() { return places_; }
  // How the members of a communicator's group lie; null where none has levels.
  const Levels* levels_of(Comm& comm);
  // The same for all ranks on a node.
  int node_number(const std::string& node);
  // For what lives as long as a call or an operation. Shared by all ranks, of which one runs at a time.
  BufferPool& pool() { return pool_; }
  // Where messages are recorded: what is said of one, kept.
  const MessageLabel* keep_label(const MessageLabel& label) { return &labels_.emplace_back(label); }
  // Of the layer above: which algorithms collectives take.
  const CollectiveChoices& choices() const { return choices_; }
  const EndRun& end_run() const { return end_run_; }

  // A communicator's contexts, the first of them. Nobody has had them before, and they are never used again, so no
  // message can go astray. 0: there are no more.
  std::uint32_t new_context();

  // A group made or known by one rank for others, so many, which learn its number by a message.
  int hand_over(GroupPointer group, int takers);
  GroupPointer take_over(int number);

 private:
  struct Handover {
    GroupPointer group;
    int still_to_take = 0;
  };

  Engine& engine_;
  int universe_size_;
  bool looks_for_conflicts_ = false;
  bool separates_windows_ = false;
  std::unique_ptr<Leniency> leniency_;
  std::unique_ptr<SentBuffers> sent_buffers_;
  std::unique_ptr<SentElements> sent_elements_;
  std::unique_ptr<Leftovers> leftovers_;
  std::unique_ptr<CollectiveOrder> collective_order_;
  std::function<std::vector<Setting>()> make_settings_;
  std::vector<Setting> settings_;
  Births* births_ = nullptr;
  std::unique_ptr<Ports> ports_;
  std::deque<Cohort> cohorts_;
  Groups groups_;
  Graphs graphs_;
  Places places_;
  KnownLevels levels_;
  std::map<std::string, int> node_numbers_;
  BufferPool pool_;
  std::deque<MessageLabel> labels_;
  const CollectiveChoices& choices_;
  EndRun end_run_;
  std::uint32_t next_context_ = 2 * Comm::contexts;  // after MPI_COMM_WORLD's and MPI_COMM_SELF's
  std::optional<bool> has_several_threads_;
  int next_handover_ = 0;
  std::map<int, Handover> handovers_;
};

class alignas(64) Process {
 public:
  // Restricted: initialized, but not all threads of the rank may call MPI as they like.
  enum class Phase : std::uint8_t { before_init, initialized, restricted, finalized };
  // All processes can receive in that MPI_COMM_WORLD's contexts, also those that are born later.
  static constexpr std::uint32_t context_of_first_world = 0;

  // The rank's `library` is this process from now on.
  Process(World& world, Rank& rank, Endpoint& endpoint, int application = 0);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  static Process* of(const Rank& rank) { return static_cast<Process*>(rank.library); }

  World& world() { return world_; }
  const World& world() const { return world_; }
  Rank& rank() { return rank_; }
  const Rank& rank() const { return rank_; }
  Endpoint& endpoint() { return endpoint_; }
  int world_rank() const { return rank_.id; }
  bool is_main_thread(const Thread& thread) const { return thread.index() == main_thread_; }
  // What the machine does for all members of a communicator at once; null if it has nothing. There is one of it, which
  // the threads of several ranks would come to in different orders.
  GroupOperations* group_operations() { return world_.has_several_threads() ? nullptr : endpoint_.group_operations(); }
  Comm& comm_world() { return *comm_world_; }
  Comm& comm_self() { return *comm_self_; }
  AddedErrors& added_errors();
  Info& info_env();
  Windows& windows();
  Files& files();
  Tools& tools();
  Tools* tools_in_use() { return tools_.get(); }  // null if there are none
  BufferedSends& buffered_sends();
  bool has_buffered_sends() const { return buffered_sends_ != nullptr; }

  bool is_initialized() const { return phase == Phase::initialized || phase == Phase::restricted; }
  // By the main thread of MPI: other threads may call what the level says.
  void initialize(int level);
  bool has_threads() const { return has_threads_; }
  // The rank has more than one thread from now on.
  void has_threads_now() {
    has_threads_ = true;
    endpoint_.expect_several_threads();
    restrict_threads();
  }
  // What is wrong with a call by the calling thread, where threads are restricted; nothing if it may be made, by now.
  // Then the thread is in the call until it leaves it.
  std::string enter_restricted();
  void leave_restricted();

  [[noreturn]] void end_run(const std::string& line, int status);

  // The call that runs, or ran last.
  const Call* call() const { return static_cast<const Call*>(rank_.in_call); }
  void begin_call(const Call* call) { rank_.in_call = call; }

 private:
  // What nearly every call looks at comes first, in four lines of the cache.
  Rank& rank_;
  Endpoint& endpoint_;

 public:
  Phase phase = Phase::before_init;
  int thread_level = MPI_THREAD_SINGLE;
  const Bytes longest_message;
  Background background;
  Table<Request, HandleKind::request> requests;
  Table<Comm, HandleKind::comm, 4> comms;

 private:
  std::unique_ptr<BufferedSends> buffered_sends_;
  bool has_threads_ = false;

 public:
  const int application;  // which of the run's programs the rank runs
  const int tag_upper_bound;
  int argument_count = 0;  // the program's, if it gave them to MPI_Init
  char** arguments = nullptr;
  Errhandler* file_errhandler = predefined_errhandler(MPI_ERRORS_RETURN);  // of MPI_FILE_NULL

  Table<MessageObject, HandleKind::message, 4> messages;
  GroupHandles groups;
  Table<Op, HandleKind::op, 4> ops;
  Table<Errhandler, HandleKind::errhandler, 4> errhandlers;
  Table<Info, HandleKind::info, 4> infos;
  Table<Keyval, HandleKind::keyval, 4> keyvals;
  Datatypes datatypes;

  bool is_in_finalize = false;
  int disconnecting = 0;  // so many threads are in MPI_Comm_disconnect
  FreedReceives freed_receives;
  Alarms alarms;
  // With those who had the rank born; null if nobody did, or the communicator has been freed.
  Comm* parent = nullptr;

 private:
  World& world_;
  Comm* comm_world_;
  Comm* comm_self_;
  std::unique_ptr<AddedErrors> added_errors_;
  std::unique_ptr<Info> info_env_;
  std::unique_ptr<Windows> windows_;
  std::unique_ptr<Files> files_;
  std::unique_ptr<Tools> tools_;
  int main_thread_ = 0;                     // of MPI: which of the rank's called MPI_Init
  const Thread* thread_in_call_ = nullptr;  // where there must be one at a time
  int calls_within_ = 0;                    // of that thread: a call's callbacks may make others

  void restrict_threads() {
    const bool all_may_call = thread_level == MPI_THREAD_MULTIPLE && endpoint_.threads_in_turn() == nullptr;
    if (has_threads_ && phase == Phase::initialized && !all_may_call) phase = Phase::restricted;
  }
};

// Whether this thread of the operating system's is the one that runs the simulation: no other may call MPI.
extern constinit thread_local bool on_simulation_thread __attribute__((tls_model("initial-exec")));

// The calling rank's, or null if there is none.
inline Process* calling_process() {
  Thread* thread = on_simulation_thread ? Thread::current() : nullptr;
  return thread != nullptr ? Process::of(thread->rank()) : nullptr;
}

}  // namespace hindcast::mpi
