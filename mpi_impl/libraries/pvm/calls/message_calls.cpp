// The functions of pvm3.h about messages from task to task.
#include <algorithm>
#include <cstring>

#include "mpi_impl/libraries/pvm/calls/bodies.hpp"
#include "mpi_impl/libraries/pvm/calls/messages.hpp"

namespace hindcast::pvm {

namespace {

bool is_pattern(int tid, int tag) { return (tid == Inbox::any || tid > 0) && tag >= Inbox::any; }

Message message_of(Task& task, int tid, int tag, int encoding, Contents contents) {
  Message message;
  message.envelope = {task.tid(), tid, tag, task.context};
  message.encoding = encoding;
  message.contents = std::move(contents);
  return message;
}

// A task that says so may send with tags that are not programs', and to daemons, which have nothing to do with it.
bool may_use_reserved(Call& call) { return call.task().options().get(PvmResvTids) != 0; }
bool is_tag(Call& call, int tag) { return tag >= 0 || may_use_reserved(call); }

// Null, and why: there is no such task. One that has ended gets its messages in vain.
Task* find_receiver(Call& call, int tid, int tag, int& result) {
  VirtualMachine& machine = call.machine();
  Task* to = is_tag(call, tag) ? machine.find(tid) : nullptr;
  const bool is_daemon = tid > 0 && VirtualMachine::is_daemon(tid) && machine.host_of(tid) >= 0;
  const bool may_be_lost = is_tag(call, tag) && (machine.has_ended(tid) || (is_daemon && may_use_reserved(call)));
  result = to != nullptr || may_be_lost ? PvmOk : PvmBadParam;
  return to;
}

}  // namespace

int send_buffer(Call& call, int tid, int tag) {
  Buffer* buffer = call.task().buffers.to_pack();
  int result = PvmOk;
  Task* to = find_receiver(call, tid, tag, result);
  if (buffer == nullptr) return PvmNoBuf;
  if (to == nullptr) return result;
  Message message = message_of(call.task(), tid, tag, buffer->encoding(), buffer->contents());
  message.envelope.wait_id = buffer->envelope.wait_id;
  if (buffer->has_context_of_its_own) message.envelope.context = buffer->envelope.context;
  call.task().send(call.name(), call.task().costs().send, *to, std::move(message));
  return result;
}

// One after the other, and not to itself; to each once.
int send_to_each(Call& call, const std::vector<int>& tids, int tag) {
  std::vector<int> done = {call.task().tid()};
  if (!is_tag(call, tag)) return PvmBadParam;
  for (const int tid : tids) {
    int result = PvmOk;
    if (find_receiver(call, tid, tag, result) == nullptr && result < 0) return result;
  }
  for (const int tid : tids) {
    if (std::find(done.begin(), done.end(), tid) != done.end()) continue;
    done.push_back(tid);
    const int result = send_buffer(call, tid, tag);
    if (result < 0) return result;
  }
  return PvmOk;
}

int send_data(Call& call, int tid, int tag, const TypedData& data) {
  int result = PvmOk;
  Task* to = find_receiver(call, tid, tag, result);
  if (to == nullptr) return result;
  call.check_length(data.count, bytes_of_item(data.type));
  const auto* first = static_cast<const std::byte*>(data.data);
  Contents contents = std::make_shared<std::vector<std::byte>>(first, first + data.bytes());
  call.task().send(call.name(), call.task().costs().packed_send, *to,
                   message_of(call.task(), tid, tag, PvmDataRaw, std::move(contents)));
  return PvmOk;
}

int receive_data(Call& call, int tid, int tag, const TypedData& data, Envelope& envelope, std::size_t& bytes) {
  int error = PvmOk;
  std::optional<Message> message = call.task().receive(call.name(), tid, tag, error);
  if (!message) return error;
  call.task().copy_out(*message);
  bytes = message->contents->size();
  if (const std::size_t fitting = std::min(bytes, data.bytes()); fitting > 0)
    std::memcpy(data.data, message->contents->data(), fitting);
  envelope = message->envelope;
  return PvmOk;
}

namespace {

// The message that was unpacked is none any more, whether there is another or not.
int keep_or_tell(Call& call, std::optional<Message> message, int error) {
  Buffers& buffers = call.task().buffers;
  buffers.remove(buffers.receiving());
  if (!message) return error;
  call.task().copy_out(*message);
  return call.task().keep(*message);
}

int receive_into_buffer(Call& call, int tid, int tag, Time until) {
  if (!is_pattern(tid, tag)) return PvmBadParam;
  int error = 0;
  std::optional<Message> message = call.task().receive(call.name(), tid, tag, error, until);
  return keep_or_tell(call, std::move(message), error);
}

int probe(Call& call, int tid, int tag) {
  if (!is_pattern(tid, tag)) return PvmBadParam;
  Task& task = call.task();
  task.look(call.name());
  int error = 0;
  const Message* message = task.find_present(tid, tag, error);
  if (message == nullptr) return error;
  if (task.probed != Buffers::none) task.buffers.remove(task.probed);
  task.probed = task.buffers.add(Buffer(message->encoding, message->contents, message->envelope, message->number));
  return task.probed;
}

}  // namespace

int add_handler(Call& call, int tid, int tag, int context, std::function<int(int bufid)> handler) {
  if (!is_pattern(tid, tag) || context < Inbox::any) return PvmBadParam;
  const int id = call.task().inbox.add_handler(tid, tag, context, std::move(handler));
  return id >= 0 ? id : PvmExists;
}

namespace bodies {

int pvm_send(Call& call, int tid, int tag) { return call.done(send_buffer(call, tid, tag)); }

int pvm_mcast(Call& call, int* tids, int count, int tag) {
  if (count < 0 || (tids == nullptr && count > 0)) return call.done(PvmBadParam);
  if (call.task().buffers.to_pack() == nullptr) return call.done(PvmNoBuf);
  return call.done(send_to_each(call, std::vector<int>(tids, tids + count), tag));
}

int pvm_psend(Call& call, int tid, int tag, void* data, int count, int type) {
  const TypedData sent{data, count, type};
  return call.done(sent.is_right() ? send_data(call, tid, tag, sent) : PvmBadParam);
}

int pvm_recv(Call& call, int tid, int tag) { return call.done(receive_into_buffer(call, tid, tag, Time::never())); }

int pvm_nrecv(Call& call, int tid, int tag) {
  if (!is_pattern(tid, tag)) return call.done(PvmBadParam);
  Task& task = call.task();
  task.look(call.name());
  int error = 0;
  std::optional<Message> message = task.receive_present(tid, tag, error);
  return call.done(keep_or_tell(call, std::move(message), error));
}

int pvm_trecv(Call& call, int tid, int tag, struct timeval* timeout) {
  if (timeout == nullptr) return call.done(receive_into_buffer(call, tid, tag, Time::never()));
  if (timeout->tv_sec < 0 || timeout->tv_usec < 0) return call.done(PvmBadParam);
  constexpr long seconds_max = 1'000'000;  // which is longer than a run can be
  const long seconds = std::min<long>(timeout->tv_sec, seconds_max);
  const Time length = Time::us(seconds * 1'000'000 + timeout->tv_usec);
  return call.done(receive_into_buffer(call, tid, tag, Thread::current()->clock() + length));
}

int pvm_probe(Call& call, int tid, int tag) { return call.done(probe(call, tid, tag)); }

int pvm_precv(Call& call, int tid, int tag, void* data, int count, int type, int* rtid, int* rtag, int* rcount) {
  const TypedData received{data, count, type};
  if (!received.is_right() || !is_pattern(tid, tag)) return call.done(PvmBadParam);
  Envelope envelope;
  std::size_t bytes = 0;
  const int result = receive_data(call, tid, tag, received, envelope, bytes);
  if (result < 0) return call.done(result);
  if (rtid != nullptr) *rtid = envelope.source;
  if (rtag != nullptr) *rtag = envelope.tag;
  if (rcount != nullptr) *rcount = static_cast<int>(bytes / bytes_of_item(type));
  return call.done(result);
}

int pvm_delmhf(Call& call, int id) {
  if (id < 0) return call.done(PvmBadParam);
  return call.done(call.task().inbox.remove_handler(id) ? PvmOk : PvmNotFound);
}

int pvm_newcontext(Call& call) {
  int context = 0;
  call.task().ask_daemon(call.name(), [&] { context = call.machine().new_context(); });
  return context;
}

int pvm_setcontext(Call& call, int context) {
  return call.done(call.machine().is_context(context) ? std::exchange(call.task().context, context) : PvmBadParam);
}

int pvm_getcontext(Call& call) { return call.task().context; }

int pvm_freecontext(Call& call, int context) {
  if (context <= PvmBaseContext || !call.machine().is_context(context)) return call.done(PvmBadParam);
  call.task().ask_daemon(call.name(), [&] { call.machine().free_context(context); });
  if (call.task().context == context) call.task().context = PvmBaseContext;
  return PvmOk;
}

}  // namespace bodies

}  // namespace hindcast::pvm

using namespace hindcast::pvm;

extern "C" {

int (*pvm_recvf(int (*chooser)(int bufid, int tid, int tag)))(int bufid, int tid, int tag) {
  return std::exchange(Call("pvm_recvf").task().chooser, chooser);
}

int pvm_addmhf(int tid, int tag, int context, int (*handler)(int bufid)) {
  Call call("pvm_addmhf");
  return call.done(handler != nullptr ? add_handler(call, tid, tag, context, handler) : PvmBadParam);
}
}
