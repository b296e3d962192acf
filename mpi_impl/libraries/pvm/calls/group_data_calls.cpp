// The functions of pvm3.h that move data within a group. Whoever gathers, scatters or reduces serves the members one
// after the other; each of them is looked up by a request of its own to the group server, and asked for its data, if
// the machine's file says so.
#include <algorithm>
#include <complex>
#include <cstring>

#include "mpi_impl/libraries/pvm/calls/bodies.hpp"
#include "mpi_impl/libraries/pvm/calls/group.hpp"
#include "mpi_impl/libraries/pvm/calls/messages.hpp"

namespace hindcast::pvm {

namespace {

// The members of a group, as far as the root has come.
class Members {
 public:
  Members(Call& call, std::string group) : call_(call), group_(std::move(group)), known_(members_of(call, group_)) {}

  int result() const { return std::min(known_.result, PvmOk); }
  int count() const { return static_cast<int>(known_.members.size()); }
  bool has(int instance) const { return known_.members[static_cast<std::size_t>(instance)] != 0; }
  // The first has been asked for with the number of members.
  int tid(int instance) {
    if (call_.task().costs().looks_up_each_member && has_looked_up_)
      return member_at(members_of(call_, group_), instance);
    has_looked_up_ = true;
    return member_at(known_, instance);
  }

 private:
  Call& call_;
  const std::string group_;
  GroupAnswer known_;
  bool has_looked_up_ = false;
};

struct GroupCall {
  Call& call;
  const char* group;
  int root;
  int tag;
};

int check(const TypedData& data, const GroupCall& of) {
  if (check_group(of.group) < 0) return PvmNullGroup;
  if (!data.is_right() || data.type == PVM_STR || of.tag < 0 || of.root < 0) return PvmBadParam;
  of.call.check_length(data.count, bytes_of_item(data.type));
  const Groups& groups = of.call.machine().group_server().groups();
  return groups.has_instance(of.group, of.root) || groups.size_of(of.group) == 0 ? PvmOk : PvmNoInst;
}

// The calling task's in the group.
int instance_of_caller(const GroupCall& of) {
  const int instance = own_instance(of.call, of.group);
  return instance != PvmNotInGroup ? instance : PvmNoInst;
}

// While it lasts, messages are the group's, with a root of this instance, and no receive of the program's takes them.
class GroupContext {
 public:
  explicit GroupContext(const GroupCall& of) : task_(of.call.task()), before_(task_.context) {
    constexpr int first_of_groups = -10;  // below those for other purposes
    constexpr int roots_max = 1 << 16;
    const int number = of.call.machine().group_server().groups().number_of(of.group);
    task_.context = first_of_groups - of.root - roots_max * number;
  }
  ~GroupContext() { task_.context = before_; }
  GroupContext(const GroupContext&) = delete;
  GroupContext& operator=(const GroupContext&) = delete;

 private:
  Task& task_;
  const int before_;
};

const TypedData nothing{nullptr, 0, PVM_BYTE};

int receive_from(const GroupCall& of, int tid, const TypedData& data) {
  Envelope envelope;
  std::size_t bytes = 0;
  return receive_data(of.call, tid, of.tag, data, envelope, bytes);
}

// By a member: when the root asks for it, or at once.
int give_to_root(const GroupCall& of, const TypedData& data) {
  if (!of.call.task().costs().root_asks) {
    const int root = member_at(members_of(of.call, of.group), of.root);
    return root < 0 ? root : send_data(of.call, root, of.tag, data);
  }
  of.call.task().offer(of.call.name(), of.group, of.tag, static_cast<const std::byte*>(data.data), Bytes(data.bytes()));
  return PvmOk;
}

// By the root.
int take_from(const GroupCall& of, int tid, const TypedData& data) {
  const int asked = of.call.task().costs().root_asks ? send_data(of.call, tid, of.tag, nothing) : PvmOk;
  return asked < 0 ? asked : receive_from(of, tid, data);
}

std::byte* block_of(void* all, int instance, const TypedData& one) {
  return static_cast<std::byte*>(all) + static_cast<std::size_t>(instance) * one.bytes();
}

// `serve` is called for each member but the root itself, in turn.
template <typename Serve>
int for_each_member(const GroupCall& of, Serve serve) {
  Members members(of.call, of.group);
  if (members.result() < 0) return members.result();
  for (int instance = 0; instance < members.count(); ++instance) {
    if (instance == of.root || !members.has(instance)) continue;
    const int tid = members.tid(instance);
    const int result = tid < 0 ? tid : serve(instance, tid);
    if (result < 0) return result;
  }
  return PvmOk;
}

int gather(const GroupCall& of, void* result, const TypedData& own) {
  const int me = instance_of_caller(of);
  if (me < 0) return me;
  const GroupContext context(of);
  if (me != of.root) return give_to_root(of, own);
  if (result == nullptr) return PvmBadParam;
  if (own.bytes() > 0) std::memcpy(block_of(result, me, own), own.data, own.bytes());
  return for_each_member(of, [&](int instance, int tid) {
    return take_from(of, tid, {block_of(result, instance, own), own.count, own.type});
  });
}

int scatter(const GroupCall& of, void* all, const TypedData& own) {
  const int me = instance_of_caller(of);
  if (me < 0) return me;
  const GroupContext context(of);
  if (me != of.root) return receive_from(of, Inbox::any, own);
  if (all == nullptr) return PvmBadParam;
  if (own.bytes() > 0) std::memcpy(own.data, block_of(all, me, own), own.bytes());
  return for_each_member(of, [&](int instance, int tid) {
    return send_data(of.call, tid, of.tag, {block_of(all, instance, own), own.count, own.type});
  });
}

// Functions of the program's take the time that it says itself.
void spend_combining(Task& task, ReduceFunction function, const TypedData& data) {
  const bool is_ours = function == PvmMax || function == PvmMin || function == PvmSum || function == PvmProduct;
  if (is_ours) Thread::current()->spend(task.costs().combine, static_cast<std::uint64_t>(data.count));
}

int reduce(const GroupCall& of, ReduceFunction function, const TypedData& data) {
  Task& task = of.call.task();
  const int me = instance_of_caller(of);
  if (me < 0) return me;
  const GroupContext context(of);
  if (me != of.root) return give_to_root(of, data);
  std::vector<std::byte> others(data.bytes());
  int combined = PvmOk;
  const int served = for_each_member(of, [&](int, int tid) {
    const int result = take_from(of, tid, {others.data(), data.count, data.type});
    if (result < 0 || combined < 0) return result;  // members wait for their data to be taken all the same
    int type = data.type, count = data.count;
    function(&type, data.data, others.data(), &count, &combined);
    spend_combining(task, function, data);
    return PvmOk;
  });
  return std::min({served, combined, PvmOk});
}

// Bytes can be compared, but there is no arithmetic of them.
bool is_arithmetic_of_bytes(ReduceFunction function, int type) {
  return type == PVM_BYTE && (function == PvmSum || function == PvmProduct);
}

// What the machine's own PVM cannot do is known to a member when it asks how many there are.
int refuse_too_many(const GroupCall& of) {
  const int most = of.call.task().costs().reduce_members_max;
  if (most == 0) return PvmOk;
  const int members = of.call.machine().group_server().groups().size_of(of.group);
  return members > most ? PvmSysErr : PvmOk;
}

// --- what is combined ---

template <typename Number, typename Combine>
void combine_numbers(void* x, void* y, int count, Combine combine) {
  auto* to = static_cast<Number*>(x);
  const auto* from = static_cast<const Number*>(y);
  for (int i = 0; i < count; ++i) to[i] = combine(to[i], from[i]);
}

// Whether there is an order, or arithmetic, of the type.
template <typename Combine>
bool combine_ordered(int type, void* x, void* y, int count, Combine combine) {
  switch (type) {
    case PVM_BYTE:
      return combine_numbers<signed char>(x, y, count, combine), true;
    case PVM_SHORT:
      return combine_numbers<short>(x, y, count, combine), true;
    case PVM_INT:
      return combine_numbers<int>(x, y, count, combine), true;
    case PVM_LONG:
      return combine_numbers<long>(x, y, count, combine), true;
    case PVM_USHORT:
      return combine_numbers<unsigned short>(x, y, count, combine), true;
    case PVM_UINT:
      return combine_numbers<unsigned>(x, y, count, combine), true;
    case PVM_ULONG:
      return combine_numbers<unsigned long>(x, y, count, combine), true;
    case PVM_FLOAT:
      return combine_numbers<float>(x, y, count, combine), true;
    case PVM_DOUBLE:
      return combine_numbers<double>(x, y, count, combine), true;
    default:
      return false;
  }
}

template <typename Combine>
bool combine_complex(int type, void* x, void* y, int count, Combine combine) {
  if (type == PVM_CPLX) combine_numbers<std::complex<float>>(x, y, count, combine);
  if (type == PVM_DCPLX) combine_numbers<std::complex<double>>(x, y, count, combine);
  return type == PVM_CPLX || type == PVM_DCPLX;
}

// Of two complex numbers the one of larger, or smaller, magnitude.
const auto larger = [](const auto& a, const auto& b) {
  if constexpr (requires { a.real(); })
    return std::norm(a) < std::norm(b) ? b : a;
  else
    return std::max(a, b);
};
const auto smaller = [](const auto& a, const auto& b) {
  if constexpr (requires { a.real(); })
    return std::norm(b) < std::norm(a) ? b : a;
  else
    return std::min(a, b);
};
const auto sum = [](const auto& a, const auto& b) { return static_cast<std::decay_t<decltype(a)>>(a + b); };
const auto product = [](const auto& a, const auto& b) { return static_cast<std::decay_t<decltype(a)>>(a * b); };

template <typename Combine>
void combine_as_told(ReduceFunction by, const int* type, void* x, void* y, const int* count, int* info,
                     Combine combine) {
  const bool is_done = !is_arithmetic_of_bytes(by, *type) &&
                       (combine_ordered(*type, x, y, *count, combine) || combine_complex(*type, x, y, *count, combine));
  if (info != nullptr) *info = is_done ? PvmOk : PvmBadParam;
}

}  // namespace

namespace bodies {

int pvm_bcast(Call& call, char* group, int tag) {
  if (check_group(group) < 0) return call.done(PvmNullGroup);
  if (call.task().buffers.to_pack() == nullptr) return call.done(PvmNoBuf);
  if (tag < 0) return call.done(PvmBadParam);
  GroupAnswer answer = members_of(call, group);
  if (answer.result < 0) return call.done(answer.result);
  std::erase(answer.members, 0);
  return call.done(send_to_each(call, answer.members, tag));
}

int pvm_gather(Call& call, void* result, void* data, int count, int type, int tag, char* group, int root) {
  const GroupCall of{call, group, root, tag};
  const TypedData own{data, count, type};
  const int wrong = check(own, of);
  return call.done(wrong < 0 ? wrong : gather(of, result, own));
}

int pvm_scatter(Call& call, void* result, void* data, int count, int type, int tag, char* group, int root) {
  const GroupCall of{call, group, root, tag};
  const TypedData own{result, count, type};
  const int wrong = check(own, of);
  return call.done(wrong < 0 ? wrong : scatter(of, data, own));
}

int pvm_reduce(Call& call, ReduceFunction function, void* data, int count, int type, int tag, char* group, int root) {
  const GroupCall of{call, group, root, tag};
  const TypedData own{data, count, type};
  const bool can_combine = function != nullptr && !is_arithmetic_of_bytes(function, type);
  int wrong = can_combine ? check(own, of) : PvmBadParam;
  if (wrong == PvmOk) wrong = refuse_too_many(of);
  return call.done(wrong < 0 ? wrong : reduce(of, function, own));
}

}  // namespace bodies

}  // namespace hindcast::pvm

using namespace hindcast::pvm;

extern "C" {

int pvm_reduce(void (*function)(int*, void*, void*, int*, int*), void* data, int count, int type, int tag, char* group,
               int root) {
  Call call("pvm_reduce");
  return bodies::pvm_reduce(call, function, data, count, type, tag, group, root);
}

void PvmMax(int* type, void* x, void* y, int* count, int* info) {
  combine_as_told(PvmMax, type, x, y, count, info, larger);
}
void PvmMin(int* type, void* x, void* y, int* count, int* info) {
  combine_as_told(PvmMin, type, x, y, count, info, smaller);
}
void PvmSum(int* type, void* x, void* y, int* count, int* info) {
  combine_as_told(PvmSum, type, x, y, count, info, sum);
}
void PvmProduct(int* type, void* x, void* y, int* count, int* info) {
  combine_as_told(PvmProduct, type, x, y, count, info, product);
}
}
