// What all tasks of a run share: the hosts and their daemons, which task is where, who is to be told of what.
//
// Hosts are the nodes on which the run has places. A task's id has its host's number and its own on that host, so that
// the id of a task that has ended is never another's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "mpi_impl/libraries/pvm/native/daemons.hpp"
#include "mpi_impl/libraries/pvm/native/groups.hpp"
#include "mpi_impl/libraries/pvm/native/mailboxes.hpp"
#include "mpi_impl/libraries/pvm/native/notices.hpp"
#include "mpi_impl/libraries/pvm/native/options.hpp"
#include "simulator/programs/births.hpp"

namespace hindcast::pvm {

class Task;

struct Host {
  int node;
  std::string name;
  bool is_in = true;  // the virtual machine
  int tasks_begun = 0;
};

// What children have of who has them started.
struct Wish {
  std::string program;
  std::vector<std::string> arguments;
  int flags = 0;
  std::string where;
  std::string directory;  // empty: the launcher's
  int count = 0;
  int parent = 0;  // or PvmNoParent
  int host = 0;    // of the parent
  int context = 0;
  Options options;  // what output and errors of theirs become
  std::string trace_mask;
  std::vector<std::string> variables;  // of the parent's environment, as "NAME=value"
};

class VirtualMachine {
 public:
  struct Machine {
    Network& network;
    std::vector<int> nodes;
    std::function<std::string(int node)> name_of;
    std::string architecture;
    // Whether a rank may wait in calls of another library, where nobody looks at PVM's messages.
    std::function<bool(const Rank& rank)> waits_elsewhere;
  };
  VirtualMachine(Engine& engine, Costs costs, const Machine& machine);

  // Has programs started; the rank is who wants it.
  using Bear = std::function<void(const Rank& parent, const std::vector<Birth>& births)>;
  void set_births(Births& births, Bear bear) {
    births_ = &births;
    bear_ = std::move(bear);
  }

  Engine& engine() { return engine_; }
  const Costs& costs() const { return costs_; }
  Agenda& agenda() { return agenda_; }
  Daemons& daemons() { return daemons_; }
  GroupServer& group_server() { return group_server_; }
  Mailboxes& mailboxes() { return mailboxes_; }
  Notices& notices() { return notices_; }
  const std::string& architecture() const { return architecture_; }
  bool waits_elsewhere(const Rank& rank) const { return waits_elsewhere_(rank); }
  std::map<MessageId, Message>& under_way() { return under_way_; }

  // --- hosts, by their numbers ---

  std::vector<Host>& hosts() { return hosts_; }
  int host_of_node(int node) const;
  static int daemon_of(int host) { return (host + 1) << host_shift; }
  // -1: no task or daemon has such an id, or its host is no more.
  int host_of(int tid) const;
  int find_host(const std::string& name) const;  // -1: there is none
  static bool is_daemon(int tid) { return (tid & (daemon_of(0) - 1)) == 0; }

  // --- tasks ---

  // Tasks that nobody spawns, before one of them is known. They are siblings, as those are that a console spawns.
  void add_unspawned(Task& task) { unspawned_.push_back(&task); }
  void remove_unspawned(Task& task) { std::erase(unspawned_, &task); }
  // In a handler: one of them has made a call, and all are known from now on.
  void begin_unspawned();
  // A task's id, from when it is known to the virtual machine.
  int begin(Task& task, int host);
  // In a handler.
  void end(Task& task);
  void kill(Task& task);
  Task* find(int tid) const;  // null: it has ended, or there has never been one
  bool has_ended(int tid) const { return ended_.contains(tid); }
  std::vector<Task*> tasks() const;  // by id
  // In a handler: a task's id or an error code for each that is wanted. How many have been started.
  int spawn(const Rank& parent, const Wish& wish, std::vector<int>& tids);
  // What the task of this rank is born with; null if it was not spawned.
  const Wish* wish_of_born() const { return wish_; }
  void is_born(int tid) { born_.push_back(tid); }

  // Contexts, which nobody has had before. In handlers, but the second.
  int new_context() { return *contexts_.insert(next_context_++).first; }
  bool is_context(int context) const { return context == PvmBaseContext || contexts_.contains(context); }
  void free_context(int context) { contexts_.erase(context); }

  // In a handler: a message of a daemon's, which is of numbers.
  void tell(int about_host, const Notice& notice, const std::vector<int>& numbers);
  void delete_host(int host);
  // They have been added together, which is told of once.
  void tell_of_new_hosts(const std::vector<int>& hosts);
  bool is_halted = false;

 private:
  static constexpr int host_shift = 18;

  bool is_wanted(const Wish& wish, int host) const;
  std::vector<int> nodes_for(const Wish& wish);

  Engine& engine_;
  const Costs costs_;
  Agenda agenda_;
  Daemons daemons_;
  GroupServer group_server_;
  Mailboxes mailboxes_;
  Notices notices_;
  std::string architecture_;
  std::function<bool(const Rank& rank)> waits_elsewhere_;
  std::vector<Host> hosts_;
  std::vector<Task*> unspawned_;
  std::map<int, Task*> tasks_;
  std::set<int> ended_;
  std::map<MessageId, Message> under_way_;
  Births* births_ = nullptr;
  Bear bear_;
  const Wish* wish_ = nullptr;  // of those that are being born
  std::vector<int> born_;
  int last_host_ = 0;  // on which a task was started
  int next_context_ = 1;
  std::set<int> contexts_;
};

}  // namespace hindcast::pvm
