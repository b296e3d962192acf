// A task: one rank's part of the virtual machine, and what it does in its calls.
//
// A task does not run ahead of the clock: what others do to it, such as ending it, can come between any two of its
// calls. So whatever a call looks at is as it is now.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mpi_impl/libraries/ap3000/native/node.hpp"
#include "mpi_impl/libraries/common/native.hpp"
#include "mpi_impl/libraries/pvm/native/buffers.hpp"
#include "mpi_impl/libraries/pvm/native/environment.hpp"
#include "mpi_impl/libraries/pvm/native/inbox.hpp"
#include "mpi_impl/libraries/pvm/native/offers.hpp"
#include "mpi_impl/libraries/pvm/native/told_lists.hpp"
#include "mpi_impl/libraries/pvm/native/virtual_machine.hpp"
#include "simulator/programs/process/running_program.hpp"

namespace hindcast::pvm {

// What a call waits for.
class CallWait final : public Wait {
 public:
  CallWait(const char* call, std::string detail, std::vector<int> ranks = {})
      : told_{call, std::move(detail), std::move(ranks)} {}
  BlockedOn describe() const override { return told_; }

 private:
  BlockedOn told_;
};

class Task final : public NativePart<Task>,
                   private layer::LibraryAbove,
                   private programs::OutputTaker,
                   private programs::CrashWitness {
 public:
  Task(VirtualMachine& machine, Rank& rank, ap3000::Node& node, std::uint32_t context_in_layer);
  ~Task();
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  static Task* of(const Rank& rank) { return native_part<Task>(rank); }

  VirtualMachine& machine() { return machine_; }
  Rank& rank() { return rank_; }
  const Costs& costs() const { return machine_.costs(); }
  int host() const { return host_; }

  // --- who it is ---

  int tid() const { return tid_; }  // 0: the virtual machine does not know it
  int parent() const { return parent_; }
  const std::string& name() const { return name_; }  // of the program, if it was spawned
  const std::vector<int>& siblings() const { return siblings_; }
  // A program may have pointers to them.
  void set_siblings(const std::vector<int>& tids) { siblings_.assign(tids.begin(), tids.end()); }
  Options& options() { return options_; }
  // Which calls are to be traced, of its own and of its children; empty: none.
  std::string& trace_mask(int of_whom) { return of_whom == PvmTaskSelf ? own_trace_mask_ : childrens_trace_mask_; }
  Environment environment;
  int context = PvmBaseContext;
  int last_error = PvmOk;
  std::map<std::string, int> instances;                   // in the groups that it has joined
  std::map<std::string, std::vector<int>> frozen_groups;  // their members, which are kept here
  // What calls have told the program of, which it has pointers to until it asks again.
  ToldTasks told_tasks;
  std::vector<pvmhostinfo> told_hosts;
  std::vector<int> told_tids;
  ToldMailboxes told_mailboxes;
  ListsGoneThrough lists_gone_through;

  // --- on its thread ---

  // At the beginning of each call.
  void enter(const char* call);
  // Leaves the virtual machine; the next call enters it anew.
  void leave(const char* call);
  // Its program ends.
  void ends();

  // What a handler does at a host's daemon, and what it answers by `reply`, in a handler too: now or later.
  using Reply = std::function<void()>;
  void ask(const CallWait& why, int host, const std::function<void(Reply reply)>& what);
  // Of the group server.
  GroupAnswer ask_about_groups(const CallWait& why, const std::function<void(Groups& groups, GroupReply reply)>& what);
  // Of what its own daemon knows.
  void ask_daemon(const char* call, const std::function<void()>& what);

  // `contents` are sent to a task, which is there. They have left when this returns.
  void send(const char* call, const FixedStep& step, Task& to, Message message);
  // A message of these; it waits for one until then. An error is that of the program's own function that chooses.
  std::optional<Message> receive(const char* call, int tid, int tag, int& error, Time until = Time::never());
  // The same, of those that are there.
  std::optional<Message> receive_present(int tid, int tag, int& error);
  const Message* find_present(int tid, int tag, int& error);
  // What a receive takes of the message. It has come into a buffer of the program's or the library's.
  void copy_out(Message& message);
  // The message becomes the buffer that is unpacked; its id.
  int keep(const Message& message);
  // What a look costs.
  void look(const char* call);
  // To a group's root, which asks for it by a message of this tag in the task's context: at once, or when a later call
  // looks at what has come; but if the task may wait where nobody does, before this returns. The program may use the
  // data again.
  void offer(const char* call, const char* group, int tag, const std::byte* data, Bytes bytes);
  // Before the task leaves the group, or all: their roots look for it there.
  void wait_for_roots(const char* call, const char* group = nullptr);

  // What its children print comes here from now on, and is printed there; null: no more.
  void catch_output(FILE* file);
  // Children have been started, whose output ends with them.
  void expect_output_of(const std::vector<int>& children);
  // What it prints goes to another task from now on, or to the launcher if that is 0.
  void send_output_to(int tid);

  Buffers buffers;
  Inbox inbox;
  int probed = Buffers::none;                             // what the last pvm_probe has told of
  int (*chooser)(int bufid, int tid, int tag) = nullptr;  // of a program that matches for itself, by what is wanted

  // --- by handlers ---

  // False: its program has ended.
  bool become_known();
  void has_come(Message message);
  // Who has what it prints is told of it, by a daemon: that it has been spawned, by one on this host, and that it ends.
  void tell_of_spawn(int by_host);
  void end_output();
  void has_ended();
  void signal(int number);
  // Whether nothing that is under way has to do with it any more.
  bool is_at_rest() const { return open_questions_ == 0; }

 private:
  void enrol(const char* call);
  void act_on_signals();
  void call_handlers();
  void answer_roots();
  // Until something has come, or sooner.
  void wait(const Wait& why);
  bool make_room();
  void take_from_layer(Message& message);
  void wake_at(Time time);
  const Message* choose(int tid, int tag, int& error);
  void send_directly(const CallWait& why, const FixedStep& step, Task& to, Message message);
  void send_by_daemons(const CallWait& why, const FixedStep& step, Task& to, Message message);
  bool goes_directly(Task& to);
  bool take_output(std::string_view text) override;
  struct Sink {
    int tid;
    int tag;
    int context;
  };
  Sink sink() const;  // of what it prints
  void tell(const Sink& to, int from_host, int what, std::string_view text = {});
  bool is_output_expected() const;
  void has_crashed() override { end_by_signal(); }
  void end_by_signal();
  void print_caught_output();
  void came_before_its_receive(const layer::Message& message) override;
  void room_is_short() override;

  VirtualMachine& machine_;
  Rank& rank_;
  ap3000::Node& node_;
  const std::uint32_t context_in_layer_;
  const int host_;
  int tid_ = 0;
  int spawned_as_ = 0;  // the id that it is spawned with, by which its output goes until its program ends; 0: none
  bool is_in_ = false;  // it has made a call
  bool is_over_ = false;
  bool is_in_handler_ = false;
  int parent_ = PvmNoParent;
  std::string name_;
  std::vector<int> siblings_;
  Options options_;
  std::string own_trace_mask_;
  std::string childrens_trace_mask_;
  std::vector<Thread*> waiting_;
  std::vector<int> signals_;  // not acted upon yet
  Offers offers_;
  std::set<int> linked_;  // tasks with which there is a way of their own
  int open_questions_ = 0;
  FILE* file_of_caught_ = nullptr;
  std::map<int, bool> has_output_ended_;  // of those that it has caught something of, or will
  bool has_told_of_begin_ = false;
  std::uint64_t messages_by_daemons_ = 0;
  std::map<int, std::uint32_t> sent_;  // how many, by task
};

}  // namespace hindcast::pvm
