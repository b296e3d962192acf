// The pvmf functions whose arguments differ from those in C: lists that Fortran goes through by one call an entry, and
// types that are an argument.
#include <algorithm>
#include <utility>
#include <vector>

#include "mpi_impl/libraries/pvm/calls/bodies.hpp"
#include "mpi_impl/libraries/pvm/calls/fortran_text.hpp"
#include "mpi_impl/libraries/pvm/calls/group.hpp"
#include "mpi_impl/libraries/pvm/calls/messages.hpp"
#include "mpi_impl/libraries/pvm/calls/packing.hpp"

using namespace hindcast::pvm;

namespace {

// Those that Fortran has names for, but texts.
bool is_of_items(int type) { return type >= PVM_BYTE && type <= PVM_LONG; }

// Of a list of so many, and then the one behind it, or the first again.
std::size_t take_next(std::size_t& next, std::size_t count) {
  const std::size_t taken = next;
  next = taken + 1 < count ? taken + 1 : 0;
  return taken;
}

// Of a message's texts none is longer than the message.
int unpack_letters(Call& call, char* letters, int count) {
  const Buffer* buffer = call.task().buffers.to_unpack();
  if (buffer == nullptr) return PvmNoBuf;
  std::vector<char> text(buffer->bytes() + 1);
  const int result = unpack_text(call, text.data());
  if (result == PvmOk) give_text(text.data(), letters, static_cast<std::size_t>(count));
  return result;
}

}  // namespace

extern "C" {

PVM_FUNCTION void pvmfspawn_(const char* program, const int* flag, const char* where, const int* count, int* tids,
                             int* started, std::size_t program_length, std::size_t where_length) {
  Call call("pvmfspawn");
  std::string place = text_of(where, where_length);
  if (place.starts_with('*')) place.erase(0, 1);  // anywhere
  *started =
      bodies::pvm_spawn(call, text_of(program, program_length).data(), nullptr, *flag, place.data(), *count, tids);
}

PVM_FUNCTION void pvmfmcast_(const int* count, int* tids, const int* tag, int* info) {
  Call call("pvmfmcast");
  *info = bodies::pvm_mcast(call, tids, *count, *tag);
}

// Without end if the seconds are -1.
PVM_FUNCTION void pvmftrecv_(const int* tid, const int* tag, const int* seconds, const int* us, int* bufid) {
  Call call("pvmftrecv");
  timeval timeout{*seconds, *us};
  *bufid = bodies::pvm_trecv(call, *tid, *tag, *seconds == -1 ? nullptr : &timeout);
}

PVM_FUNCTION void pvmfpack_(const int* type, void* items, const int* count, const int* stride, int* info) {
  Call call("pvmfpack");
  int result = PvmBadParam;
  if (*type == PVM_STR && *count >= 0)
    result = pack_text(call, std::string(static_cast<char*>(items), static_cast<std::size_t>(*count)).c_str());
  else if (is_of_items(*type))
    result = pack(call, {*type, items, *count, *stride});
  *info = call.done(result);
}

PVM_FUNCTION void pvmfunpack_(const int* type, void* items, const int* count, const int* stride, int* info) {
  Call call("pvmfunpack");
  int result = PvmBadParam;
  if (*type == PVM_STR && *count >= 0)
    result = unpack_letters(call, static_cast<char*>(items), *count);
  else if (is_of_items(*type))
    result = unpack(call, {*type, items, *count, *stride});
  *info = call.done(result);
}

// Each call tells of the next host, and the first one after the last, or if `hosts` is -1.
PVM_FUNCTION void pvmfconfig_(int* hosts, int* archs, int* tid, char* name, char* arch, int* speed, int* info,
                              std::size_t name_length, std::size_t arch_length) {
  Call call("pvmfconfig");
  Task& task = call.task();
  ListsGoneThrough& lists = task.lists_gone_through;
  if (*hosts == -1) lists.next_host = 0;
  *info = PvmOk;
  if (lists.next_host == 0) {
    *info = bodies::pvm_config(call, nullptr, &lists.archs, nullptr);
    lists.hosts = std::move(task.told_hosts);
  }
  *hosts = static_cast<int>(lists.hosts.size());
  *archs = lists.archs;
  const pvmhostinfo& host = lists.hosts[take_next(lists.next_host, lists.hosts.size())];
  *tid = host.hi_tid;
  *speed = host.hi_speed;
  give_text(host.hi_name, name, name_length);
  give_text(host.hi_arch, arch, arch_length);
}

// The same of tasks, of which there may be none.
PVM_FUNCTION void pvmftasks_(const int* where, int* tasks, int* tid, int* parent, int* host, int* flag, char* program,
                             int* info, std::size_t program_length) {
  Call call("pvmftasks");
  Task& caller = call.task();
  ListsGoneThrough& lists = caller.lists_gone_through;
  if (*tasks == -1) lists.next_task = 0;
  *info = PvmOk;
  if (lists.next_task == 0) {
    *info = bodies::pvm_tasks(call, *where, nullptr, nullptr);
    if (*info < 0) return;
    lists.tasks = std::move(caller.told_tasks);
  }
  *tasks = static_cast<int>(lists.tasks.infos.size());
  if (*tasks == 0) return;
  const pvmtaskinfo& task = lists.tasks.infos[take_next(lists.next_task, lists.tasks.infos.size())];
  *tid = task.ti_tid;
  *parent = task.ti_ptid;
  *host = task.ti_host;
  *flag = task.ti_flag;
  give_text(task.ti_a_out, program, program_length);
}

// The same of mailboxes whose names fit, and after the last that there is none; from the first one on if `count` or
// `info` is -1. Their entries are as many as there is room for in Fortran's arrays, which only the program knows.
PVM_FUNCTION void pvmfgetmboxinfo_(const char* pattern, char* name, int* count, int* entries, int* indices, int* owners,
                                   int* flags, int* info, std::size_t pattern_length, std::size_t name_length) {
  Call call("pvmfgetmboxinfo");
  Task& task = call.task();
  ListsGoneThrough& lists = task.lists_gone_through;
  if (*count == -1 || *info == -1) lists.has_mailboxes = false;
  *info = PvmOk;
  if (!lists.has_mailboxes) {
    *info = bodies::pvm_getmboxinfo(call, text_of(pattern, pattern_length).data(), nullptr, nullptr);
    if (*info < 0) return;
    lists.mailboxes = std::move(task.told_mailboxes);
    lists.next_mailbox = 0;
  }
  const std::vector<pvmmboxinfo>& all = lists.mailboxes.infos;
  *count = static_cast<int>(all.size());
  lists.has_mailboxes = lists.next_mailbox < all.size();
  if (!lists.has_mailboxes) {
    *info = PvmNotFound;
    return;
  }
  const pvmmboxinfo& mailbox = all[lists.next_mailbox++];
  give_text(mailbox.mi_name, name, name_length);
  *entries = mailbox.mi_nentries;
  std::copy_n(mailbox.mi_indices, *entries, indices);
  std::copy_n(mailbox.mi_owners, *entries, owners);
  std::copy_n(mailbox.mi_flags, *entries, flags);
}

// Fortran's functions have their arguments by address. `buffer` stands in the list, and nothing is done with it.
PVM_FUNCTION void pvmfaddmhf_(const int* tid, const int* tag, const int* context, const int* /*buffer*/,
                              int (*function)(const int* buffer), int* info) {
  Call call("pvmfaddmhf");
  *info = call.done(add_handler(call, *tid, *tag, *context, [function](int received) { return function(&received); }));
}

// The sibling of this index, from 0 on; of index -1 only how many there are.
PVM_FUNCTION void pvmfsiblings_(int* count, const int* index, int* tid) {
  Call call("pvmfsiblings");
  int* tids = nullptr;
  *count = bodies::pvm_siblings(call, &tids);
  if (*index == -1) return;
  if (*index >= 0 && *index < *count)
    *tid = tids[*index];
  else
    *count = call.done(PvmNoTask);
}

// The manual's name of pvmftidtohost.
PVM_FUNCTION void pvmftidtoh_(const int* tid, int* daemon) {
  Call call("pvmftidtoh");
  *daemon = bodies::pvm_tidtohost(call, *tid);
}

PVM_FUNCTION void pvmfgetminfo_(const int* buffer, int* length, int* context, int* tag, int* wait_id, int* encoding,
                                int* checksum, int* source, int* destination, int* info) {
  Call call("pvmfgetminfo");
  pvmminfo told{};
  *info = bodies::pvm_getminfo(call, *buffer, &told);
  if (*info < 0) return;
  *length = told.len;
  *context = told.ctx;
  *tag = told.tag;
  *wait_id = told.wid;
  *encoding = told.enc;
  *checksum = told.crc;
  *source = told.src;
  *destination = told.dst;
}

PVM_FUNCTION void pvmfsetminfo_(const int* buffer, const int* context, const int* tag, const int* wait_id,
                                const int* source, const int* destination, int* info) {
  Call call("pvmfsetminfo");
  pvmminfo told{0, *context, *tag, *wait_id, 0, 0, *source, *destination};
  *info = bodies::pvm_setminfo(call, *buffer, &told);
}

// There is one virtual machine, which runs already.
PVM_FUNCTION void pvmfstartpvmd_(const char* /*arguments*/, const int* block, int* info, std::size_t /*length*/) {
  Call call("pvmfstartpvmd");
  *info = bodies::pvm_start_pvmd(call, 0, nullptr, *block);
}

PVM_FUNCTION void pvmfaddhost_(const char* host, int* info, std::size_t host_length) {
  Call call("pvmfaddhost");
  std::string name = text_of(host, host_length);
  char* names[] = {name.data()};
  int status = PvmOk;
  const int changed = bodies::pvm_addhosts(call, names, 1, &status);
  *info = changed == 0 ? status : changed;
}

PVM_FUNCTION void pvmfdelhost_(const char* host, int* info, std::size_t host_length) {
  Call call("pvmfdelhost");
  std::string name = text_of(host, host_length);
  char* names[] = {name.data()};
  int status = PvmOk;
  const int changed = bodies::pvm_delhosts(call, names, 1, &status);
  *info = changed == 0 ? status : changed;
}

// To standard output, or nowhere.
PVM_FUNCTION void pvmfcatchout_(const int* is_on, int* info) {
  Call call("pvmfcatchout");
  *info = bodies::pvm_catchout(call, *is_on != 0 ? stdout : nullptr);
}

PVM_FUNCTION void pvmfhostsync_(const int* host, int* seconds, int* us, int* delta_seconds, int* delta_us, int* info) {
  Call call("pvmfhostsync");
  timeval clock{}, delta{};
  *info = bodies::pvm_hostsync(call, *host, &clock, &delta);
  *seconds = static_cast<int>(clock.tv_sec);
  *us = static_cast<int>(clock.tv_usec);
  *delta_seconds = static_cast<int>(delta.tv_sec);
  *delta_us = static_cast<int>(delta.tv_usec);
}

PVM_FUNCTION void pvmmax_(int* type, void* x, void* y, int* count, int* info) { PvmMax(type, x, y, count, info); }
PVM_FUNCTION void pvmmin_(int* type, void* x, void* y, int* count, int* info) { PvmMin(type, x, y, count, info); }
PVM_FUNCTION void pvmsum_(int* type, void* x, void* y, int* count, int* info) { PvmSum(type, x, y, count, info); }
PVM_FUNCTION void pvmproduct_(int* type, void* x, void* y, int* count, int* info) {
  PvmProduct(type, x, y, count, info);
}

// Those of the library are the same in both languages, and take the same time.
PVM_FUNCTION void pvmfreduce_(void (*function)(int*, void*, void*, int*, int*), void* data, const int* count,
                              const int* type, const int* tag, const char* group, const int* root, int* info,
                              std::size_t group_length) {
  Call call("pvmfreduce");
  if (function == pvmmax_) function = PvmMax;
  if (function == pvmmin_) function = PvmMin;
  if (function == pvmsum_) function = PvmSum;
  if (function == pvmproduct_) function = PvmProduct;
  *info = bodies::pvm_reduce(call, function, data, *count, *type, *tag, text_of(group, group_length).data(), *root);
}
}
