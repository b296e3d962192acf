// The functions of pvm3.h about mailboxes, which the first host's daemon keeps.
#include "mpi_impl/libraries/pvm/calls/bodies.hpp"
#include "mpi_impl/libraries/pvm/calls/packing.hpp"

namespace hindcast::pvm {

namespace {

// Runs `what` at the daemon that keeps them.
template <typename What>
void ask_keeper(Call& call, What what) {
  call.task().ask(CallWait(call.name(), "for the first host's daemon to answer"), 0, [&](const Task::Reply& reply) {
    what();
    reply();
  });
}

bool is_name(const char* name) { return name != nullptr && *name != 0; }

Message message_with(Task& task, const Buffer& buffer) {
  Message message;
  message.envelope = {task.tid(), task.tid(), -1, task.context};
  message.encoding = buffer.encoding();
  message.contents = buffer.contents();
  return message;
}

int put(Call& call, const char* name, int bufid, int flags) {
  if (!is_name(name) || bufid <= 0 || flags < 0) return PvmBadParam;
  const Buffer* buffer = call.task().buffers.find(bufid);
  if (buffer == nullptr) return PvmNoSuchBuf;
  Message message = message_with(call.task(), *buffer);
  int result = PvmOk;
  ask_keeper(call,
             [&] { result = call.machine().mailboxes().put(name, call.task().tid(), flags, std::move(message)); });
  return result;
}

int insert(Call& call, const char* name, int index, int data) {
  if (!is_name(name) || index < -1) return PvmBadParam;
  Buffer buffer(PvmDataDefault);
  std::size_t copied = 0;
  buffer.pack({PVM_INT, &data, 1, 1}, copied);
  Message message = message_with(call.task(), buffer);
  int result = PvmOk;
  ask_keeper(call,
             [&] { result = call.machine().mailboxes().insert(name, call.task().tid(), index, std::move(message)); });
  return result;
}

int receive(Call& call, const char* name, int index, int flags, std::optional<Message>& received) {
  if (!is_name(name) || index < 0) return PvmBadParam;
  int result = PvmOk;
  const CallWait why(call.name(), std::string("for something in mailbox ") + name);
  call.task().ask(why, 0, [&](const Task::Reply& reply) {
    call.machine().mailboxes().receive(name, call.task().tid(), index, flags,
                                       [&, reply](int found, const Message* message) {
                                         result = found;
                                         if (message != nullptr) received = *message;
                                         reply();
                                       });
  });
  if (received) call.task().copy_out(*received);
  return result;
}

int remove(Call& call, const char* name, int index) {
  if (!is_name(name) || index < 0) return PvmBadParam;
  int result = PvmOk;
  ask_keeper(call, [&] { result = call.machine().mailboxes().remove(name, call.task().tid(), index); });
  return result;
}

void tell_of_classes(Task& task, std::vector<std::pair<std::string, Mailboxes::Class>> classes) {
  ToldMailboxes& told = task.told_mailboxes;
  told = {};
  for (auto& [name, entries] : classes) {
    told.names.push_back(std::move(name));
    std::vector<int>& numbers = told.numbers.emplace_back();
    for (const auto& [index, entry] : entries) numbers.push_back(index);
    for (const auto& [index, entry] : entries) numbers.push_back(entry.owner);
    for (const auto& [index, entry] : entries) numbers.push_back(entry.flags);
  }
  for (std::size_t i = 0; i < told.names.size(); ++i) {
    int* numbers = told.numbers[i].data();
    const auto entries = static_cast<int>(told.numbers[i].size() / 3);
    told.infos.push_back({told.names[i].data(), entries, numbers, numbers + entries, numbers + 2 * entries});
  }
}

}  // namespace

namespace bodies {

int pvm_putinfo(Call& call, char* name, int bufid, int flags) { return call.done(put(call, name, bufid, flags)); }

int pvm_recvinfo(Call& call, char* name, int index, int flags) {
  std::optional<Message> message;
  const int result = receive(call, name, index, flags, message);
  return call.done(message ? call.task().keep(*message) : result);
}

int pvm_delinfo(Call& call, char* name, int index, int) {
  const int result = remove(call, name, index);
  return call.done(std::min(result, PvmOk));
}

int pvm_getmboxinfo(Call& call, char* pattern, int* count, struct pvmmboxinfo** infos) {
  std::optional<std::vector<std::pair<std::string, Mailboxes::Class>>> classes;
  ask_keeper(call, [&] { classes = call.machine().mailboxes().fitting(pattern != nullptr ? pattern : "*"); });
  if (!classes) return call.done(PvmBadParam);
  tell_of_classes(call.task(), std::move(*classes));
  if (count != nullptr) *count = static_cast<int>(call.task().told_mailboxes.infos.size());
  if (infos != nullptr) *infos = call.task().told_mailboxes.infos.data();
  return call.done(PvmOk);
}

// Of version 3.3: a number under a name and an index, which whoever likes may remove. Index -1 is the first that is
// free.
int pvm_insert(Call& call, char* name, int index, int data) { return call.done(insert(call, name, index, data)); }

int pvm_lookup(Call& call, char* name, int index, int* data) {
  std::optional<Message> message;
  const bool is_any = index == -1;
  const int result = receive(call, name, is_any ? 0 : index, is_any ? PvmMboxFirstAvail : PvmMboxDefault, message);
  if (!message) return call.done(result);
  Buffer buffer(message->encoding, message->contents, message->envelope, 0);
  std::size_t copied = 0;
  int number = 0;
  const int unpacked = buffer.unpack({PVM_INT, &number, 1, 1}, copied);
  if (data != nullptr) *data = number;
  return call.done(unpacked < 0 ? unpacked : result);
}

int pvm_delete(Call& call, char* name, int index) { return call.done(std::min(remove(call, name, index), PvmOk)); }

}  // namespace bodies

}  // namespace hindcast::pvm
