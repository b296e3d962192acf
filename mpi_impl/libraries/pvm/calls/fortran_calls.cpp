// The pvmf functions whose arguments differ from those in C: lists that Fortran goes through by one call an entry, and
// types that are an argument.
#include <algorithm>
#include <utility>
#include <vector>

#include "mpi_impl/libraries/pvm/calls/call.hpp"
#include "mpi_impl/libraries/pvm/calls/fortran_text.hpp"
#include "mpi_impl/libraries/pvm/calls/messages.hpp"

namespace {

using hindcast::pvm::give_text;
using hindcast::pvm::text_of;

int pack_of_type(int type, void* items, int count, int stride) {
  switch (type) {
    case PVM_BYTE:
      return pvm_pkbyte(static_cast<char*>(items), count, stride);
    case PVM_SHORT:
      return pvm_pkshort(static_cast<short*>(items), count, stride);
    case PVM_INT:
      return pvm_pkint(static_cast<int*>(items), count, stride);
    case PVM_FLOAT:
      return pvm_pkfloat(static_cast<float*>(items), count, stride);
    case PVM_CPLX:
      return pvm_pkcplx(static_cast<float*>(items), count, stride);
    case PVM_DOUBLE:
      return pvm_pkdouble(static_cast<double*>(items), count, stride);
    case PVM_DCPLX:
      return pvm_pkdcplx(static_cast<double*>(items), count, stride);
    case PVM_LONG:
      return pvm_pklong(static_cast<long*>(items), count, stride);
    default:
      return PvmBadParam;
  }
}

int unpack_of_type(int type, void* items, int count, int stride) {
  switch (type) {
    case PVM_BYTE:
      return pvm_upkbyte(static_cast<char*>(items), count, stride);
    case PVM_SHORT:
      return pvm_upkshort(static_cast<short*>(items), count, stride);
    case PVM_INT:
      return pvm_upkint(static_cast<int*>(items), count, stride);
    case PVM_FLOAT:
      return pvm_upkfloat(static_cast<float*>(items), count, stride);
    case PVM_CPLX:
      return pvm_upkcplx(static_cast<float*>(items), count, stride);
    case PVM_DOUBLE:
      return pvm_upkdouble(static_cast<double*>(items), count, stride);
    case PVM_DCPLX:
      return pvm_upkdcplx(static_cast<double*>(items), count, stride);
    case PVM_LONG:
      return pvm_upklong(static_cast<long*>(items), count, stride);
    default:
      return PvmBadParam;
  }
}

hindcast::pvm::Task& task_calling(const char* function) { return hindcast::pvm::Call(function).task(); }

// Of a list of so many, and then the one behind it, or the first again.
std::size_t take_next(std::size_t& next, std::size_t count) {
  const std::size_t taken = next;
  next = taken + 1 < count ? taken + 1 : 0;
  return taken;
}

// Of a message's texts none is longer than the message.
int unpack_letters(char* letters, int count) {
  int bytes = 0;
  const int buffer = pvm_getrbuf();
  if (buffer == 0 || pvm_bufinfo(buffer, &bytes, nullptr, nullptr) < 0) return PvmNoBuf;
  std::vector<char> text(static_cast<std::size_t>(bytes) + 1);
  const int result = pvm_upkstr(text.data());
  if (result == PvmOk) give_text(text.data(), letters, static_cast<std::size_t>(count));
  return result;
}

}  // namespace

extern "C" {

PVM_FUNCTION void pvmfspawn_(const char* program, const int* flag, const char* where, const int* count, int* tids,
                             int* started, std::size_t program_length, std::size_t where_length) {
  std::string place = text_of(where, where_length);
  if (place.starts_with('*')) place.erase(0, 1);  // anywhere
  *started = pvm_spawn(text_of(program, program_length).data(), nullptr, *flag, place.data(), *count, tids);
}

PVM_FUNCTION void pvmfmcast_(const int* count, int* tids, const int* tag, int* info) {
  *info = pvm_mcast(tids, *count, *tag);
}

// Without end if the seconds are -1.
PVM_FUNCTION void pvmftrecv_(const int* tid, const int* tag, const int* seconds, const int* us, int* bufid) {
  timeval timeout{*seconds, *us};
  *bufid = pvm_trecv(*tid, *tag, *seconds == -1 ? nullptr : &timeout);
}

PVM_FUNCTION void pvmfpack_(const int* type, void* items, const int* count, const int* stride, int* info) {
  if (*type == PVM_STR && *count >= 0)
    *info = pvm_pkstr(std::string(static_cast<char*>(items), static_cast<std::size_t>(*count)).data());
  else
    *info = pack_of_type(*type, items, *count, *stride);
}

PVM_FUNCTION void pvmfunpack_(const int* type, void* items, const int* count, const int* stride, int* info) {
  if (*type == PVM_STR && *count >= 0)
    *info = unpack_letters(static_cast<char*>(items), *count);
  else
    *info = unpack_of_type(*type, items, *count, *stride);
}

// Each call tells of the next host, and the first one after the last, or if `hosts` is -1.
PVM_FUNCTION void pvmfconfig_(int* hosts, int* archs, int* tid, char* name, char* arch, int* speed, int* info,
                              std::size_t name_length, std::size_t arch_length) {
  hindcast::pvm::Task& task = task_calling("pvmfconfig");
  hindcast::pvm::ListsGoneThrough& lists = task.lists_gone_through;
  if (*hosts == -1) lists.next_host = 0;
  *info = PvmOk;
  if (lists.next_host == 0) {
    *info = pvm_config(nullptr, &lists.archs, nullptr);
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
  hindcast::pvm::Task& caller = task_calling("pvmftasks");
  hindcast::pvm::ListsGoneThrough& lists = caller.lists_gone_through;
  if (*tasks == -1) lists.next_task = 0;
  *info = PvmOk;
  if (lists.next_task == 0) {
    *info = pvm_tasks(*where, nullptr, nullptr);
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
  hindcast::pvm::Task& task = task_calling("pvmfgetmboxinfo");
  hindcast::pvm::ListsGoneThrough& lists = task.lists_gone_through;
  if (*count == -1 || *info == -1) lists.has_mailboxes = false;
  *info = PvmOk;
  if (!lists.has_mailboxes) {
    *info = pvm_getmboxinfo(text_of(pattern, pattern_length).data(), nullptr, nullptr);
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
  hindcast::pvm::Call call("pvm_addmhf");
  *info = call.done(
      hindcast::pvm::add_handler(call, *tid, *tag, *context, [function](int received) { return function(&received); }));
}

// The sibling of this index, from 0 on; of index -1 only how many there are.
PVM_FUNCTION void pvmfsiblings_(int* count, const int* index, int* tid) {
  int* tids = nullptr;
  *count = pvm_siblings(&tids);
  if (*index == -1) return;
  if (*index >= 0 && *index < *count)
    *tid = tids[*index];
  else
    *count = hindcast::pvm::Call("pvm_siblings").done(PvmNoTask);
}

// The manual's name of pvmftidtohost.
PVM_FUNCTION void pvmftidtoh_(const int* tid, int* daemon) { *daemon = pvm_tidtohost(*tid); }

PVM_FUNCTION void pvmfgetminfo_(const int* buffer, int* length, int* context, int* tag, int* wait_id, int* encoding,
                                int* checksum, int* source, int* destination, int* info) {
  pvmminfo told{};
  *info = pvm_getminfo(*buffer, &told);
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
  pvmminfo told{0, *context, *tag, *wait_id, 0, 0, *source, *destination};
  *info = pvm_setminfo(*buffer, &told);
}

// There is one virtual machine, which runs already.
PVM_FUNCTION void pvmfstartpvmd_(const char* /*arguments*/, const int* block, int* info, std::size_t /*length*/) {
  *info = pvm_start_pvmd(0, nullptr, *block);
}

PVM_FUNCTION void pvmfaddhost_(const char* host, int* info, std::size_t host_length) {
  std::string name = text_of(host, host_length);
  char* names[] = {name.data()};
  int status = PvmOk;
  const int changed = pvm_addhosts(names, 1, &status);
  *info = changed == 0 ? status : changed;
}

PVM_FUNCTION void pvmfdelhost_(const char* host, int* info, std::size_t host_length) {
  std::string name = text_of(host, host_length);
  char* names[] = {name.data()};
  int status = PvmOk;
  const int changed = pvm_delhosts(names, 1, &status);
  *info = changed == 0 ? status : changed;
}

// To standard output, or nowhere.
PVM_FUNCTION void pvmfcatchout_(const int* is_on, int* info) { *info = pvm_catchout(*is_on != 0 ? stdout : nullptr); }

PVM_FUNCTION void pvmfhostsync_(const int* host, int* seconds, int* us, int* delta_seconds, int* delta_us, int* info) {
  timeval clock{}, delta{};
  *info = pvm_hostsync(*host, &clock, &delta);
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
  if (function == pvmmax_) function = PvmMax;
  if (function == pvmmin_) function = PvmMin;
  if (function == pvmsum_) function = PvmSum;
  if (function == pvmproduct_) function = PvmProduct;
  *info = pvm_reduce(function, data, *count, *type, *tag, text_of(group, group_length).data(), *root);
}
}
