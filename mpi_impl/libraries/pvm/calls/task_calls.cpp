// The functions of pvm3.h about tasks.
#include <algorithm>
#include <csignal>

#include "mpi_impl/libraries/pvm/calls/bodies.hpp"
#include "mpi_impl/libraries/pvm/calls/call.hpp"
#include "mpi_impl/libraries/pvm/calls/exports.hpp"

namespace hindcast::pvm {

namespace {

// A host or an architecture, and after a colon where the tasks have their working directory.
Wish wish_of(Task& task, const char* program, char** argv, int flags, const char* where, int count) {
  const std::string place = where != nullptr ? where : "";
  const std::size_t colon = std::min(place.find(':'), place.size());
  Wish wish;
  wish.program = program;
  wish.flags = flags;
  wish.where = place.substr(0, colon);
  wish.directory = place.substr(std::min(colon + 1, place.size()));
  wish.count = count;
  wish.parent = task.tid();
  wish.host = task.host();
  wish.context = task.context;
  for (; argv != nullptr && *argv != nullptr; ++argv) wish.arguments.emplace_back(*argv);
  return wish;
}

int spawn(Call& call, const Wish& wish, int* tids) {
  Task& task = call.task();
  std::vector<int> started;
  int number = 0;
  task.ask(CallWait(call.name(), "for tasks to be started"), task.host(), [&](const Task::Reply& reply) {
    call.machine().agenda().at(call.machine().agenda().now() + task.costs().start_task, [&, reply] {
      number = call.machine().spawn(task.rank(), wish, started);
      reply();
    });
  });
  task.expect_output_of(started);
  if (tids != nullptr) std::copy(started.begin(), started.end(), tids);
  return number;
}

// What a signal does to another task, which its daemon gives it.
int send_signal(Call& call, int tid, int number, bool ends_it) {
  VirtualMachine& machine = call.machine();
  const int host = machine.host_of(tid);
  if (host < 0 || VirtualMachine::is_daemon(tid)) return PvmBadParam;
  if (machine.find(tid) == nullptr) return PvmNoTask;
  call.task().ask(CallWait(call.name(), "for a daemon to answer"), host, [&](const Task::Reply& reply) {
    Task* there = machine.find(tid);
    if (there != nullptr && ends_it)
      machine.kill(*there);
    else if (there != nullptr)
      there->signal(number);
    reply();
  });
  return PvmOk;
}

int notify(Call& call, int what, int tag, int count, const int* tids) {
  VirtualMachine& machine = call.machine();
  const bool cancels = (what & PvmNotifyCancel) != 0;
  const int kind = what & ~PvmNotifyCancel;
  if (kind == PvmRouteAdd || kind == PvmRouteDelete) return PvmNotImpl;
  if (tag < 0 || (kind != PvmTaskExit && kind != PvmHostDelete && kind != PvmHostAdd)) return PvmBadParam;
  if (kind != PvmHostAdd && (count < 0 || (tids == nullptr && count > 0))) return PvmBadParam;
  Task& task = call.task();
  std::vector<int> about = kind == PvmHostAdd ? std::vector<int>{count} : std::vector<int>(tids, tids + count);
  for (const int tid : about)
    if (kind != PvmHostAdd && (tid <= 0 || VirtualMachine::is_daemon(tid) != (kind == PvmHostDelete)))
      return PvmBadParam;
  task.ask_daemon(call.name(), [&] {
    for (const int tid : about) {
      const Notice notice{task.tid(), kind, tag, task.context, tid};
      const bool is_over =
          (kind == PvmTaskExit && machine.find(tid) == nullptr) || (kind == PvmHostDelete && machine.host_of(tid) < 0);
      if (cancels)
        for (const Notice& own : machine.notices().take_own(notice))
          machine.tell(task.host(), own, {kind == PvmHostAdd ? 0 : tid});
      else if (is_over)
        machine.tell(task.host(), notice, {tid});
      else if (kind == PvmHostAdd)
        machine.notices().set_for_new_hosts(notice);
      else
        machine.notices().add(notice);
    }
  });
  return PvmOk;
}

int status_of(Call& call, int tid) {
  if (tid <= 0) return PvmBadParam;
  int status = PvmNoTask;
  call.task().ask_daemon(call.name(), [&] {
    const bool is_there =
        VirtualMachine::is_daemon(tid) ? call.machine().host_of(tid) >= 0 : call.machine().find(tid) != nullptr;
    status = is_there ? PvmOk : PvmNoTask;
  });
  return status;
}

}  // namespace

namespace bodies {

int pvm_mytid(Call& call) { return call.task().tid(); }

int pvm_parent(Call& call) {
  const int parent = call.task().parent();
  return parent == PvmNoParent ? (call.task().last_error = parent) : parent;  // it is no mistake to ask
}

int pvm_siblings(Call& call, int** tids) {
  Task& task = call.task();
  if (tids == nullptr) return call.done(PvmBadParam);
  if (task.siblings().size() <= 1) task.set_siblings({task.tid()});  // nobody was started together with it
  *tids = const_cast<int*>(task.siblings().data());
  return call.done(static_cast<int>(task.siblings().size()));
}

int pvm_spawn(Call& call, char* task, char** argv, int flag, char* where, int ntask, int* tids) {
  constexpr int known =
      PvmTaskHost | PvmTaskArch | PvmTaskDebug | PvmTaskTrace | PvmMppFront | PvmHostCompl | PvmNoSpawnParent;
  const bool wants_place = (flag & (PvmTaskHost | PvmTaskArch)) != 0;
  if (task == nullptr || *task == 0 || ntask < 1 || (flag & ~known) != 0 || (wants_place && where == nullptr))
    return call.done(PvmBadParam);
  if ((flag & (PvmTaskDebug | PvmMppFront)) != 0) return call.done(PvmNotImpl);
  Wish wish = wish_of(call.task(), task, argv, flag, where, ntask);
  wish.options = call.task().options();
  wish.trace_mask = call.task().trace_mask(PvmTaskChild);
  wish.variables = exported_variables(call.task());
  return call.done(spawn(call, wish, tids));
}

int pvm_exit(Call& call) {
  call.task().leave(call.name());
  return PvmOk;
}

int pvm_kill(Call& call, int tid) { return call.done(send_signal(call, tid, SIGTERM, true)); }

int pvm_sendsig(Call& call, int tid, int signum) {
  if (signum <= 0 || signum >= NSIG) return call.done(PvmBadParam);
  return call.done(send_signal(call, tid, signum, signum == SIGKILL));
}

int pvm_pstat(Call& call, int tid) {
  const int status = status_of(call, tid);
  return status == PvmNoTask ? status : call.done(status);  // an answer, and no mistake
}

int pvm_tidtohost(Call& call, int tid) {
  const int host = call.machine().host_of(tid);
  return call.done(host < 0 ? PvmBadParam : VirtualMachine::daemon_of(host));
}

int pvm_notify(Call& call, int what, int tag, int count, int* tids) {
  return call.done(notify(call, what, tag, count, tids));
}

int pvm_tasks(Call& call, int where, int* ntask, struct pvmtaskinfo** taskp) {
  VirtualMachine& machine = call.machine();
  if (where < 0) return call.done(PvmBadParam);
  if (where > 0 && machine.host_of(where) < 0) return call.done(PvmNoHost);
  ToldTasks& told = call.task().told_tasks;
  call.task().ask_daemon(call.name(), [&] {
    told = {};
    for (Task* task : machine.tasks()) {
      const bool is_meant = where == 0 || where == task->tid() || where == VirtualMachine::daemon_of(task->host());
      const int parent = task->parent() > 0 ? task->parent() : 0;
      if (is_meant)
        told.infos.push_back({task->tid(), parent, VirtualMachine::daemon_of(task->host()), 0,
                              told.names.emplace_back(task->name()).data(), task->rank().id + 1});
    }
  });
  if (where > 0 && !VirtualMachine::is_daemon(where) && told.infos.empty()) return call.done(PvmNoTask);
  if (ntask != nullptr) *ntask = static_cast<int>(told.infos.size());
  if (taskp != nullptr) *taskp = told.infos.data();
  return call.done(PvmOk);
}

int pvm_catchout(Call& call, FILE* file) {
  call.task().catch_output(file);
  return PvmOk;
}

}  // namespace bodies

}  // namespace hindcast::pvm

using namespace hindcast::pvm;

extern "C" {

int* pvm_errno_of_task(void) { return &Call("pvm_errno").task().last_error; }
}
