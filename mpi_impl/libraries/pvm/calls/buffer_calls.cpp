// The functions of pvm3.h about message buffers, and those that pack and unpack.
#include "mpi_impl/libraries/pvm/calls/bodies.hpp"
#include "mpi_impl/libraries/pvm/calls/packing.hpp"

namespace hindcast::pvm {

int pack(Call& call, const Items& items) {
  Buffer* buffer = call.task().buffers.to_pack();
  if (buffer == nullptr) return PvmNoBuf;
  call.check_length(items.count, bytes_of_item(items.type), buffer->bytes());
  std::size_t copied = 0;
  const int result = buffer->pack(items, copied);
  spend_packing(call, copied);
  return result;
}

int unpack(Call& call, const Items& items) {
  Buffer* buffer = call.task().buffers.to_unpack();
  if (buffer == nullptr) return PvmNoBuf;
  std::size_t copied = 0;
  const int result = buffer->unpack(items, copied);
  spend_unpacking(call, copied);
  return result;
}

int pack_text(Call& call, const char* text) {
  Buffer* buffer = call.task().buffers.to_pack();
  if (buffer == nullptr) return PvmNoBuf;
  std::size_t copied = 0;
  const int result = buffer->pack_text(text, copied);
  spend_packing(call, copied);
  return result;
}

int unpack_text(Call& call, char* text) {
  Buffer* buffer = call.task().buffers.to_unpack();
  if (buffer == nullptr) return PvmNoBuf;
  std::size_t copied = 0;
  const int result = buffer->unpack_text(text, copied);
  spend_unpacking(call, copied);
  return result;
}

void spend_packing(Call& call, std::size_t bytes) {
  if (bytes > 0) Thread::current()->spend(call.task().costs().pack, bytes);
}

void spend_unpacking(Call& call, std::size_t bytes) {
  if (bytes > 0) Thread::current()->spend(call.task().costs().unpack, bytes, call.task().buffers.to_unpack()->number());
}

int begin_to_pack(Call& call, int encoding) {
  if (!is_encoding(encoding)) return PvmBadParam;
  Buffers& buffers = call.task().buffers;
  buffers.remove(buffers.sending());
  const int id = buffers.add(Buffer(encoding));
  buffers.set_sending(id);
  return id;
}

namespace {

// What is told of a message within another one, before its contents.
struct Head {
  int bytes, encoding, tag, source, destination, context, wait_id;
};
constexpr int numbers_of_head = sizeof(Head) / sizeof(int);

int pack_message(Call& call, int id, bool with_envelope) {
  Buffer* from = call.task().buffers.find(id);
  Buffer* to = call.task().buffers.to_pack();
  if (to == nullptr) return PvmNoBuf;
  if (id <= 0) return PvmBadParam;
  if (from == nullptr) return PvmNoSuchBuf;
  if (from == to) return PvmBadParam;
  if (!with_envelope && representation_of(from->encoding()) != representation_of(to->encoding())) return PvmMismatch;
  const Contents contents = from->contents();
  const Envelope& envelope = from->envelope;
  Head head{static_cast<int>(contents->size()),
            from->encoding(),
            envelope.tag,
            envelope.source,
            envelope.destination,
            envelope.context,
            envelope.wait_id};
  std::size_t copied = 0, copied_after = 0;
  if (with_envelope) to->pack({PVM_INT, &head, numbers_of_head, 1, false}, copied);
  to->pack_bytes(*contents, copied_after);
  spend_packing(call, copied + copied_after);
  return PvmOk;
}

int unpack_message(Call& call) {
  Buffer* from = call.task().buffers.to_unpack();
  if (from == nullptr) return PvmNoBuf;
  Head head{};
  std::size_t copied = 0;
  const int result = from->unpack({PVM_INT, &head, numbers_of_head, 1}, copied);
  if (result < 0) return result;
  auto contents = std::make_shared<std::vector<std::byte>>();
  const bool is_message = head.bytes >= 0 && is_encoding(head.encoding);
  if (!is_message || from->unpack_bytes(static_cast<std::size_t>(head.bytes), *contents) < 0) return PvmBadMsg;
  spend_unpacking(call, copied + contents->size());
  const Envelope envelope{head.source, head.destination, head.tag, head.context, head.wait_id};
  return call.task().buffers.add(Buffer(head.encoding, std::move(contents), envelope, 0));
}

// One that is still to be sent will be in the task's context, unless it has one of its own.
int context_of(Task& task, const Buffer& buffer) {
  const bool is_received = buffer.envelope.source >= 0;
  return is_received || buffer.has_context_of_its_own ? buffer.envelope.context : task.context;
}

}  // namespace

namespace bodies {

int pvm_initsend(Call& call, int encoding) { return call.done(begin_to_pack(call, encoding)); }

int pvm_mkbuf(Call& call, int encoding) {
  return call.done(is_encoding(encoding) ? call.task().buffers.add(Buffer(encoding)) : PvmBadParam);
}

int pvm_freebuf(Call& call, int bufid) {
  if (bufid <= 0) return call.done(PvmBadParam);
  return call.done(call.task().buffers.remove(bufid) ? PvmOk : PvmNoSuchBuf);
}

int pvm_getsbuf(Call& call) { return call.task().buffers.sending(); }
int pvm_getrbuf(Call& call) { return call.task().buffers.receiving(); }

int pvm_setsbuf(Call& call, int bufid) {
  Buffers& buffers = call.task().buffers;
  if (bufid < 0) return call.done(PvmBadParam);
  if (bufid != Buffers::none && buffers.find(bufid) == nullptr) return call.done(PvmNoSuchBuf);
  return call.done(buffers.set_sending(bufid));
}

int pvm_setrbuf(Call& call, int bufid) {
  Buffers& buffers = call.task().buffers;
  if (bufid < 0) return call.done(PvmBadParam);
  if (bufid != Buffers::none && buffers.find(bufid) == nullptr) return call.done(PvmNoSuchBuf);
  return call.done(buffers.set_receiving(bufid));
}

int pvm_bufinfo(Call& call, int bufid, int* bytes, int* tag, int* tid) {
  const Buffer* buffer = call.task().buffers.find(bufid);
  if (bufid <= 0) return call.done(PvmBadParam);
  if (buffer == nullptr) return call.done(PvmNoSuchBuf);
  if (bytes != nullptr) *bytes = static_cast<int>(buffer->bytes());
  if (tag != nullptr) *tag = buffer->envelope.tag;
  if (tid != nullptr) *tid = buffer->envelope.source;
  return call.done(PvmOk);
}

int pvm_getminfo(Call& call, int bufid, struct pvmminfo* info) {
  const Buffer* buffer = call.task().buffers.find(bufid);
  if (bufid <= 0 || info == nullptr) return call.done(PvmBadParam);
  if (buffer == nullptr) return call.done(PvmNoSuchBuf);
  const Envelope& envelope = buffer->envelope;
  *info = {static_cast<int>(buffer->bytes()),
           context_of(call.task(), *buffer),
           envelope.tag,
           envelope.wait_id,
           representation_of(buffer->encoding()),
           0,
           envelope.source,
           envelope.destination};
  return call.done(PvmOk);
}

int pvm_setminfo(Call& call, int bufid, struct pvmminfo* info) {
  Buffer* buffer = call.task().buffers.find(bufid);
  if (bufid <= 0 || info == nullptr) return call.done(PvmBadParam);
  if (buffer == nullptr) return call.done(PvmNoSuchBuf);
  buffer->envelope = {info->src, info->dst, info->tag, info->ctx, info->wid};
  buffer->has_context_of_its_own = true;
  return call.done(PvmOk);
}

int pvm_getmwid(Call& call, int bufid) {
  const Buffer* buffer = call.task().buffers.find(bufid);
  if (bufid <= 0) return call.done(PvmBadParam);
  return call.done(buffer != nullptr ? buffer->envelope.wait_id : PvmNoSuchBuf);
}

int pvm_setmwid(Call& call, int bufid, int wid) {
  Buffer* buffer = call.task().buffers.find(bufid);
  if (bufid <= 0) return call.done(PvmBadParam);
  if (buffer == nullptr) return call.done(PvmNoSuchBuf);
  buffer->envelope.wait_id = wid;
  return call.done(PvmOk);
}

int pvm_pkmesg(Call& call, int bufid) { return call.done(pack_message(call, bufid, true)); }

int pvm_pkmesgbody(Call& call, int bufid) { return call.done(pack_message(call, bufid, false)); }

int pvm_upkmesg(Call& call) { return call.done(unpack_message(call)); }

}  // namespace bodies

}  // namespace hindcast::pvm
