#include "mpi_impl/libraries/pvm/native/virtual_machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <set>

#include "mpi_impl/libraries/pvm/native/task.hpp"

namespace hindcast::pvm {

namespace {

bool is_program(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

// A name without a folder is looked for beside the parent's program, then as a shell looks for it.
std::string found_program(const std::string& name, const Rank& parent) {
  if (name.find('/') != std::string::npos) return name;
  const std::string& path = programs::RunningProgram::of(parent).loader().files().program().path();
  const std::size_t folder = path.rfind('/');
  const std::string beside = (folder != std::string::npos ? path.substr(0, folder) : ".") + "/" + name;
  return is_program(beside) ? beside : name;
}

}  // namespace

VirtualMachine::VirtualMachine(Engine& engine, Costs costs, const Machine& machine)
    : engine_(engine),
      costs_(std::move(costs)),
      agenda_(engine),
      daemons_(engine, agenda_, machine.network, costs_),
      group_server_(agenda_, costs_.group_service),
      architecture_(machine.architecture),
      waits_elsewhere_(machine.waits_elsewhere) {
  for (const int node : machine.nodes) {
    if (host_of_node(node) >= 0) continue;
    hosts_.push_back({node, machine.name_of(node)});
    daemons_.add(node);
  }
}

// --- hosts ---

int VirtualMachine::host_of_node(int node) const {
  const auto found = std::find_if(hosts_.begin(), hosts_.end(), [&](const Host& host) { return host.node == node; });
  return found != hosts_.end() ? static_cast<int>(found - hosts_.begin()) : -1;
}

int VirtualMachine::host_of(int tid) const {
  const int host = (tid >> host_shift) - 1;
  const bool is_there = tid > 0 && host >= 0 && host < static_cast<int>(hosts_.size());
  return is_there && hosts_[static_cast<std::size_t>(host)].is_in ? host : -1;
}

int VirtualMachine::find_host(const std::string& name) const {
  const auto found = std::find_if(hosts_.begin(), hosts_.end(), [&](const Host& host) { return host.name == name; });
  return found != hosts_.end() ? static_cast<int>(found - hosts_.begin()) : -1;
}

void VirtualMachine::delete_host(int number) {
  Host& host = hosts_[static_cast<std::size_t>(number)];
  for (Task* task : tasks())
    if (host_of(task->tid()) == number) kill(*task);
  host.is_in = false;
  for (const Notice& notice : notices_.take(PvmHostDelete, daemon_of(number))) tell(0, notice, {daemon_of(number)});
}

void VirtualMachine::tell_of_new_hosts(const std::vector<int>& hosts) {
  std::vector<int> told = {static_cast<int>(hosts.size())};
  for (const int host : hosts) told.push_back(daemon_of(host));
  for (const Notice& notice : notices_.count_new_hosts()) tell(0, notice, told);
}

// --- tasks ---

void VirtualMachine::begin_unspawned() {
  std::vector<int> tids;
  const std::vector<Task*> all = std::exchange(unspawned_, {});
  for (Task* task : all)
    if (task->become_known()) tids.push_back(task->tid());
  if (tids.size() < 2) return;
  for (const int tid : tids) find(tid)->set_siblings(tids);
}

int VirtualMachine::begin(Task& task, int host) {
  const int tid = daemon_of(host) + ++hosts_[static_cast<std::size_t>(host)].tasks_begun;
  tasks_.emplace(tid, &task);
  return tid;
}

void VirtualMachine::end(Task& task) {
  const int tid = task.tid();
  if (tasks_.erase(tid) == 0) return;
  const int host = host_of(tid);
  ended_.insert(tid);
  task.has_ended();
  group_server_.groups().forget(tid);
  mailboxes_.forget(tid);
  notices_.forget(tid);
  for (const Notice& notice : notices_.take(PvmTaskExit, tid)) tell(host, notice, {tid});
}

void VirtualMachine::kill(Task& task) {
  for (const auto& thread : task.rank().threads) thread->stop();
  end(task);
  task.end_output();
}

Task* VirtualMachine::find(int tid) const {
  const auto found = tasks_.find(tid);
  return found != tasks_.end() ? found->second : nullptr;
}

std::vector<Task*> VirtualMachine::tasks() const {
  std::vector<Task*> all;
  for (const auto& [tid, task] : tasks_) all.push_back(task);
  return all;
}

bool VirtualMachine::is_wanted(const Wish& wish, int host) const {
  bool is_named = true;
  if ((wish.flags & PvmTaskHost) != 0)
    is_named = wish.where == hosts_[static_cast<std::size_t>(host)].name || (wish.where == "." && host == wish.host);
  if ((wish.flags & PvmTaskArch) != 0) is_named = is_named && wish.where == architecture_;
  const bool is_complement = (wish.flags & PvmHostCompl) != 0;
  return hosts_[static_cast<std::size_t>(host)].is_in && is_named != is_complement;
}

// A host after the other in turn, each for as many tasks as it has places for, from the one after the last on which a
// task was started.
// In turn, those first that have most places left.
std::vector<int> VirtualMachine::nodes_for(const Wish& wish) {
  std::map<int, int> places_by_host;
  for (const int node : births_->nodes_of_free_places())
    if (const int host = host_of_node(node); is_wanted(wish, host)) ++places_by_host[host];
  std::map<int, std::set<int>, std::greater<>> hosts_by_places;
  for (const auto& [host, places] : places_by_host) hosts_by_places[places].insert(host);
  std::vector<int> nodes;
  while (static_cast<int>(nodes.size()) < wish.count && !hosts_by_places.empty()) {
    const auto most = hosts_by_places.begin();
    auto next = most->second.upper_bound(last_host_);
    if (next == most->second.end()) next = most->second.begin();
    last_host_ = *next;
    nodes.push_back(hosts_[static_cast<std::size_t>(last_host_)].node);
    if (most->first > 1) hosts_by_places[most->first - 1].insert(last_host_);
    most->second.erase(next);
    if (most->second.empty()) hosts_by_places.erase(most);
  }
  return nodes;
}

int VirtualMachine::spawn(const Rank& parent, const Wish& wish, std::vector<int>& tids) {
  bool is_any_wanted = false;
  for (int host = 0; host < static_cast<int>(hosts_.size()); ++host) is_any_wanted |= is_wanted(wish, host);
  const std::vector<int> nodes = nodes_for(wish);
  tids.assign(static_cast<std::size_t>(wish.count), is_any_wanted ? PvmOutOfRes : PvmNoHost);
  if (nodes.empty()) return 0;
  born_.clear();
  wish_ = &wish;
  try {
    const int count = static_cast<int>(nodes.size());
    bear_(parent, {{found_program(wish.program, parent), wish.arguments, wish.directory, count, nodes}});
  } catch (const BirthError&) {
    std::fill(tids.begin(), tids.end(), PvmNoFile);
  }
  wish_ = nullptr;
  std::copy(born_.begin(), born_.end(), tids.begin());
  for (const int tid : born_) {
    find(tid)->set_siblings(born_);
    find(tid)->tell_of_spawn(wish.host);
  }
  return static_cast<int>(born_.size());
}

// --- what daemons say ---

void VirtualMachine::tell(int about_host, const Notice& notice, const std::vector<int>& numbers) {
  const int host = host_of(notice.task);
  if (host < 0) return;
  Buffer buffer(PvmDataDefault);
  std::size_t copied = 0;
  std::vector<int> items = numbers;
  buffer.pack({PVM_INT, items.data(), static_cast<int>(items.size()), 1}, copied);
  Message message;
  message.envelope = {daemon_of(about_host), notice.task, notice.tag, notice.context};
  message.encoding = PvmDataDefault;
  message.contents = buffer.contents();
  daemons_.carry(about_host, host, Bytes(copied), [this, message] {
    if (Task* task = find(message.envelope.destination)) task->has_come(message);
  });
}

}  // namespace hindcast::pvm
