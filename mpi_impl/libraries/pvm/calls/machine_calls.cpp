// The functions of pvm3.h about the virtual machine, and about how calls behave.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "mpi_impl/libraries/pvm/calls/bodies.hpp"
#include "mpi_impl/libraries/pvm/calls/call.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::pvm {

namespace {

constexpr int relative_speed = 1000;

// In the line of a host file, which may have options behind it.
std::string_view host_name_in(const char* line) {
  const std::string_view all = line != nullptr ? line : "";
  constexpr std::string_view blanks = " \t";
  const std::size_t begin = std::min(all.find_first_not_of(blanks), all.size());
  return all.substr(begin, all.find_first_of(blanks, begin) - begin);
}

// `change` says what becomes of each host, `done` is told of those that are changed.
template <typename Change, typename Done>
int change_hosts(Call& call, char** hosts, int count, int* infos, Change change, Done done) {
  if (hosts == nullptr || count < 1) return PvmBadParam;
  std::vector<int> changed;
  call.task().ask_daemon(call.name(), [&] {
    for (int i = 0; i < count; ++i) {
      const std::string name(host_name_in(hosts[i]));
      const int host = call.machine().find_host(name);
      const int result = name.empty() ? PvmBadParam : host < 0 ? PvmNoHost : change(host);
      if (infos != nullptr) infos[i] = result;
      if (result >= 0) changed.push_back(host);
    }
    if (!changed.empty()) done(changed);
  });
  return static_cast<int>(changed.size());
}

bool is_value(int what, int value) {
  constexpr int fragment_min = 1024, fragment_max = 1 << 20;
  if (what == PvmFragSize) return value >= fragment_min && value <= fragment_max;
  if (what == PvmPollType) return value == PvmPollConstant || value == PvmPollSleep;
  if (what == PvmRoute) return value >= PvmDontRoute && value <= PvmRouteDirect;
  if (what == PvmAutoErr) return value >= 0 && value <= 3;
  if (what == PvmTraceOptions || what == PvmSelfTraceOptions) return value >= PvmTraceFull && value <= PvmTraceCount;
  const bool is_of_task =
      what == PvmOutputTid || what == PvmTraceTid || what == PvmSelfOutputTid || what == PvmSelfTraceTid;
  return !is_of_task || value == 0 || (value > 0 && !VirtualMachine::is_daemon(value));
}

// Its value before. Where a task's own output or traces go, there its children's go too.
int set_option(Call& call, int what, int value) {
  if (!Options::is_one(what) || !is_value(what, value)) return call.done(PvmBadParam);
  Options& options = call.task().options();
  const int before = options.get(what);
  if (what == PvmSelfOutputTid) call.task().send_output_to(value);
  options.set(what, value);
  if (what == PvmSelfOutputTid || what == PvmSelfOutputCode) {
    options.set(PvmOutputTid, options.get(PvmSelfOutputTid));
    options.set(PvmOutputCode, options.get(PvmSelfOutputCode));
  }
  if (what == PvmSelfTraceTid || what == PvmSelfTraceCode) {
    options.set(PvmTraceTid, options.get(PvmSelfTraceTid));
    options.set(PvmTraceCode, options.get(PvmSelfTraceCode));
  }
  return before;
}

// As gettimeofday tells it.
timeval as_timeval(Time time) {
  constexpr std::int64_t us_a_second = 1'000'000;
  const std::int64_t us = time.in_ps() / Time::us(1).in_ps();
  return {HINDCAST_EPOCH_S + us / us_a_second, us % us_a_second};
}

}  // namespace

namespace bodies {

int pvm_config(Call& call, int* nhost, int* narch, struct pvmhostinfo** hostp) {
  auto& told = call.task().told_hosts;
  call.task().ask_daemon(call.name(), [&] {
    told.clear();
    VirtualMachine& machine = call.machine();
    for (int host = 0; host < std::ssize(machine.hosts()); ++host) {
      Host& each = machine.hosts()[static_cast<std::size_t>(host)];
      if (each.is_in)
        told.push_back({VirtualMachine::daemon_of(host), each.name.data(),
                        const_cast<char*>(machine.architecture().c_str()), relative_speed, data_signature});
    }
  });
  if (nhost != nullptr) *nhost = static_cast<int>(told.size());
  if (narch != nullptr) *narch = 1;
  if (hostp != nullptr) *hostp = told.data();
  return call.done(PvmOk);
}

// A host that was there before is there again.
int pvm_addhosts(Call& call, char** hosts, int count, int* infos) {
  VirtualMachine& machine = call.machine();
  const auto add = [&](int host) {
    if (std::exchange(machine.hosts()[static_cast<std::size_t>(host)].is_in, true)) return PvmDupHost;
    return VirtualMachine::daemon_of(host);
  };
  const auto tell = [&](const std::vector<int>& added) { machine.tell_of_new_hosts(added); };
  return call.done(change_hosts(call, hosts, count, infos, add, tell));
}

int pvm_delhosts(Call& call, char** hosts, int count, int* infos) {
  VirtualMachine& machine = call.machine();
  const auto remove = [&](int host) {
    if (!machine.hosts()[static_cast<std::size_t>(host)].is_in) return PvmNoHost;
    if (host == call.task().host() || host == 0) return PvmBadParam;  // the caller's, and the first: it has the master
    machine.delete_host(host);
    return PvmOk;
  };
  return call.done(change_hosts(call, hosts, count, infos, remove, [](const std::vector<int>&) {}));
}

int pvm_mstat(Call& call, char* name) {
  if (name == nullptr) return call.done(PvmBadParam);
  int status = PvmNoHost;
  call.task().ask_daemon(call.name(), [&] {
    const int host = call.machine().find_host(name);
    if (host >= 0 && call.machine().hosts()[static_cast<std::size_t>(host)].is_in) status = PvmOk;
  });
  return status;
}

int pvm_archcode(Call& call, char* arch) {
  if (arch == nullptr) return call.done(PvmBadParam);
  return call.done(call.machine().architecture() == arch ? data_signature : PvmNotFound);
}

// All hosts' clocks are the simulated one.
int pvm_hostsync(Call& call, int host, struct timeval* clock, struct timeval* delta) {
  const int number = call.machine().host_of(host);
  if (number < 0 || !VirtualMachine::is_daemon(host)) return call.done(PvmNoHost);
  call.task().ask(CallWait(call.name(), "for a daemon to answer"), number, [&](const Task::Reply& reply) {
    if (clock != nullptr) *clock = as_timeval(call.machine().agenda().now());
    reply();
  });
  if (delta != nullptr) *delta = {0, 0};
  return call.done(PvmOk);
}

// All other tasks end, and the caller is in no virtual machine any more.
int pvm_halt(Call& call) {
  Task& self = call.task();
  self.ask_daemon(call.name(), [&] {
    for (Task* task : call.machine().tasks())
      if (task != &self) call.machine().kill(*task);
  });
  self.leave(call.name());
  return PvmOk;
}

// It runs already.
int pvm_start_pvmd(Call& call, int, char**, int) { return call.done(PvmDupHost); }

int pvm_setopt(Call& call, int what, int value) { return set_option(call, what, value); }
int pvm_serror(Call& call, int how) { return set_option(call, PvmAutoErr, how); }
int pvm_advise(Call& call, int route) { return std::min(set_option(call, PvmRoute, route), PvmOk); }

int pvm_getopt(Call& call, int what) {
  return Options::is_one(what) ? call.task().options().get(what) : call.done(PvmBadParam);
}

int pvm_perror(Call& call, char* message) {
  print_error(call.task(), message != nullptr ? message : "", call.task().last_error);
  return PvmOk;
}

int pvm_getnoresets(Call& call, int** tids, int* count) {
  auto& told = call.task().told_tids;
  call.task().ask_daemon(call.name(), [&] {
    told.clear();
    for (Task* task : call.machine().tasks())
      if (task->options().get(PvmNoReset) != 0) told.push_back(task->tid());
  });
  if (tids != nullptr) *tids = told.data();
  if (count != nullptr) *count = static_cast<int>(told.size());
  return call.done(PvmOk);
}

// There are no sockets to wait for, no debugging of daemons, and nobody can take their places.
int pvm_getfds(Call& call, int**) { return call.done(PvmNotImpl); }
int pvm_tickle(Call& call, int, int*, int*, int*) { return call.done(PvmNotImpl); }
int pvm_reg_hoster(Call& call) { return call.done(PvmNotImpl); }
int pvm_reg_rm(Call& call, struct pvmhostinfo**) { return call.done(PvmNotImpl); }
int pvm_reg_tasker(Call& call) { return call.done(PvmNotImpl); }
int pvm_reg_tracer(Call& call, int, int, int, int, char*, int, int) { return call.done(PvmNotImpl); }

}  // namespace bodies

}  // namespace hindcast::pvm

using namespace hindcast::pvm;

extern "C" {

char* pvm_version(void) {
  static constexpr char version[] = PVM_VER;
  return const_cast<char*>(version);
}
}
