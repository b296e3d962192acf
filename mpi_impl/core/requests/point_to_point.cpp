#include "mpi_impl/core/requests/point_to_point.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/core/datatypes/items.hpp"
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/transport/group_operations.hpp"

namespace hindcast::mpi {

namespace {

void throw_if_wrong(Process& process, const ReceiveOperation& receive, const Comm& comm, const Datatype& type) {
  SentElements* const sent = process.world().sent_elements();
  if (error_of(receive) != MPI_SUCCESS) [[unlikely]] {
    if (sent != nullptr) sent->forget(receive.message);
    throw truncation(receive, comm);
  }
  if (sent != nullptr) [[unlikely]]
    if (auto error = sent->difference(process, receive, type, comm)) throw *std::move(error);
}

// Of a send of the program's, which begins next.
void keep_elements(Process& process, const Comm& comm, std::uint32_t context, const SendArguments& arguments) {
  if (SentElements* sent = process.world().sent_elements(); sent != nullptr && context == comm.context) [[unlikely]]
    sent->keep(process, comm, arguments);
}

void tell(MPI_Status* status, const ReceiveOperation& receive) {
  set_status(status, receive.envelope.source, receive.envelope.tag, receive.received().count());
}

const MessageMarks& marks_of(std::uint32_t context) {
  return Comm::is_collective(context) ? marks_of_library_messages : marks_of_messages;
}

// Of elements that do not lie together.
[[gnu::noinline]] void pack_staged(Process& process, SendOperation& send, Staged& staged, const void* data,
                                   MPI_Count count, const Datatype& type) {
  send.is_staged = true;
  Thread::current()->work_off_backlog();
  staged = std::make_unique<StagedElements>(nullptr, type);
  if (process.endpoint().moves_items(send) && lie_in_items(type, count, data, staged->items)) {
    send.items = &staged->items;
    return;
  }
  staged->packed = std::make_unique_for_overwrite<std::byte[]>(send.bytes.count());
  pack(type, data, count, staged->packed.get());
  send.data = staged->packed.get();
  process.endpoint().local().spend_copy(send.bytes, process.endpoint().upcoming_message());
}

[[gnu::noinline]] void unpack_staged(Process& process, const ReceiveOperation& receive, const StagedElements& staged) {
  const Bytes bytes = receive.received();
  unpack(staged.type, staged.packed.get(), bytes.count(), staged.elements);
  process.endpoint().local().spend_copy(bytes, receive.message);
}

void prepare_payload(Process& process, SendOperation& send, Staged& staged, const void* data, MPI_Count count,
                     const Datatype& type) {
  send.bytes = Bytes(type.bytes_of(count));
  send.data = type.data_at(data);
  if (!type.lies_together(count)) [[unlikely]]
    pack_staged(process, send, staged, data, count, type);
}

// `begin` hands the receive to the endpoint.
template <typename Begin>
void receive_blocking(Process& process, Comm& comm, std::uint32_t context, const ReceiveArguments& arguments,
                      MPI_Status* status, Begin begin) {
  ReceiveOperation receive;
  receive.is_blocking = process.background.is_empty();
  Staged staged;
  prepare_receive(receive, staged, context, arguments);
  begin(receive);
  wait_for(process, receive,
           PeerWait(process.call(), comm, PeerWait::What::receive, context, arguments.source, arguments.tag));
  end_receive(process, receive, staged);
  tell(status, receive);
  throw_if_wrong(process, receive, comm, arguments.type);
}

}  // namespace

void wait(Process& process, Gate& gate, const Wait& why) {
  if (process.background.is_empty() && !process.has_threads()) [[likely]]
    process.endpoint().wait(gate, why);
  else
    process.background.wait(process, gate, why);
}

void wait_until(Process& process, Time time, const Wait& why) {
  if (process.background.is_empty()) [[likely]]
    process.endpoint().wait_until(time, why);
  else
    process.background.wait_until(process, time, why);
}

void poll(Process& process, const Wait& why) {
  process.endpoint().poll(why);
  process.background.has_looked();
  process.background.make_progress();
}

void wait_for(Process& process, Completion& completion, const Wait& why) {
  Gate gate(*Thread::current());
  gate.add(completion);
  wait(process, gate, why);
  wait_until_holds(process, completion, why);
}

void wait_until_holds(Process& process, const Completion& completion, const Wait& why) {
  if (completion.at() > Thread::current()->clock()) wait_until(process, completion.at(), why);
}

void begin_send(Process& process, SendOperation& send, Staged& staged, const Comm& comm, std::uint32_t context,
                const SendArguments& arguments, SendMode mode) {
  const int destination = comm.world_rank(arguments.destination);
  if (Thread::current()->is_recorded()) [[unlikely]]
    mark_send(process, {context, comm.rank, arguments.tag}, destination,
              Bytes(arguments.type.bytes_of(arguments.count)));
  send.mode = mode;
  prepare_payload(process, send, staged, arguments.data, arguments.count, arguments.type);
  send.envelope = {context, comm.rank, arguments.tag};
  send.destination = destination;
  process.endpoint().send(send);
}

void begin_broadcast(Process& process, SendOperation& send, Staged& staged, const Comm& comm,
                     const BroadcastArguments& arguments) {
  const std::uint32_t context = comm.collective_context();
  if (Thread::current()->is_recorded()) [[unlikely]]
    mark_send(process, {context, comm.rank, arguments.tag}, process.world_rank(),
              Bytes(arguments.type.bytes_of(arguments.count)));
  prepare_payload(process, send, staged, arguments.data, arguments.count, arguments.type);
  send.envelope = {context, comm.rank, arguments.tag};
  process.endpoint().group_operations()->broadcast(send, {context, comm.rank, comm.size});
}

void mark_send(Process& process, const Envelope& envelope, int destination, Bytes bytes) {
  Endpoint& endpoint = process.endpoint();
  const MessageLabel label{name_of(process.call()), endpoint.name_of_method(destination, bytes), envelope.context,
                           envelope.tag};
  Thread::current()->mark(marks_of(envelope.context).sent, endpoint.upcoming_message(), bytes.count(), destination,
                          process.world().keep_label(label));
}

void mark_receive(Process& process, const ReceiveOperation& receive) {
  const Envelope& envelope = receive.envelope;
  const MessageLabel label{name_of(process.call()), "", envelope.context, envelope.tag};
  Thread::current()->mark(marks_of(envelope.context).received, receive.message, receive.received().count(),
                          sender_of(receive.message), process.world().keep_label(label));
}

void prepare_receive(ReceiveOperation& receive, Staged& staged, std::uint32_t context,
                     const ReceiveArguments& arguments) {
  const std::size_t bytes = arguments.type.bytes_of(arguments.count);
  receive.data = arguments.type.data_at(arguments.data);
  if (!arguments.type.lies_together(arguments.count)) [[unlikely]] {
    staged = std::make_unique<StagedElements>(arguments.data, arguments.type);
    staged->packed = std::make_unique_for_overwrite<std::byte[]>(bytes);
    receive.data = staged->packed.get();
    const bool lie_so = lie_in_items(arguments.type, arguments.count, arguments.data, staged->items);
    receive.stage(lie_so ? &staged->items : nullptr);
  }
  receive.capacity = Bytes(bytes);
  receive.pattern = {context, arguments.source, arguments.tag};
  if (arguments.skipped) receive.take_part_after(Bytes(*arguments.skipped));
}

void end_send(Process& process, SendOperation& send) {
  if (!send.is_captured) process.endpoint().release_buffer(send);
  process.endpoint().finish(send);
}

void end_receive(Process& process, ReceiveOperation& receive, const Staged& staged) {
  process.endpoint().finish(receive);
  if (receive.cancelled) return;
  if (receive.is_staged && !receive.is_in_items) [[unlikely]]
    unpack_staged(process, receive, *staged);
  if (Thread::current()->is_recorded()) [[unlikely]]
    mark_receive(process, receive);
}

void refuse_what_is_too_long(Process& process, const Comm& comm, MPI_Count count, const Datatype& type) {
  const std::size_t bytes = type.bytes_of(count);
  if (Bytes(bytes) <= process.longest_message) [[likely]]
    return;
  if (process.endpoint().sends_longer_messages()) return;
  throw Error{MPI_ERR_COUNT,
              fmt::format("a message of {} bytes; this machine's longest has {} ({}): send it in parts", bytes,
                          process.longest_message.count(), process.endpoint().why_no_longer_message()),
              &comm};
}

void refuse_one_buffer(const Comm& comm, const SendArguments& to, const ReceiveArguments& from) {
  if (to.destination == MPI_PROC_NULL || from.source == MPI_PROC_NULL) return;
  if (!to.type.lies_together(to.count) || !from.type.lies_together(from.count)) return;
  const auto begin_of = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data); };
  const std::uintptr_t sent = begin_of(to.type.data_at(to.data));
  const std::uintptr_t received = begin_of(from.type.data_at(from.data));
  const std::size_t sent_bytes = to.type.bytes_of(to.count);
  const std::size_t received_bytes = from.type.bytes_of(from.count);
  if (sent_bytes == 0 || received_bytes == 0) return;
  if (sent < received + received_bytes && received < sent + sent_bytes)
    throw Error{MPI_ERR_BUFFER,
                "argument 6 (recvbuf) overlaps the send buffer; give memory of its own, or call the form of this "
                "function with _replace in its name",
                &comm};
}

void send(Process& process, Comm& comm, std::uint32_t context, const SendArguments& arguments, SendMode mode) {
  if (arguments.destination == MPI_PROC_NULL) return;
  refuse_what_is_too_long(process, comm, arguments.count, arguments.type);
  SendOperation send;
  Staged staged;
  keep_elements(process, comm, context, arguments);
  begin_send(process, send, staged, comm, context, arguments, mode);
  wait_for(process, send,
           PeerWait(process.call(), comm, PeerWait::What::send, context, arguments.destination, arguments.tag));
  end_send(process, send);
}

void receive(Process& process, Comm& comm, std::uint32_t context, const ReceiveArguments& arguments,
             MPI_Status* status) {
  if (arguments.source == MPI_PROC_NULL) return set_null_peer_status(status);
  receive_blocking(process, comm, context, arguments, status,
                   [&](ReceiveOperation& receive) { process.endpoint().receive(receive); });
}

void receive_taken(Process& process, Comm& comm, const ReceiveArguments& arguments, const TakenMessage& taken,
                   MPI_Status* status) {
  receive_blocking(process, comm, comm.context, arguments, status,
                   [&](ReceiveOperation& receive) { process.endpoint().receive(receive, taken); });
}

void exchange(Process& process, Comm& comm, std::uint32_t context, const SendArguments& to,
              const ReceiveArguments& from, MPI_Status* status) {
  if (from.source == MPI_PROC_NULL) {
    send(process, comm, context, to, SendMode::standard);
    return set_null_peer_status(status);
  }
  if (to.destination == MPI_PROC_NULL) return receive(process, comm, context, from, status);
  refuse_what_is_too_long(process, comm, to.count, to.type);

  ReceiveOperation receive;
  SendOperation send;
  Staged received, sent;
  prepare_receive(receive, received, context, from);
  process.endpoint().receive(receive);
  keep_elements(process, comm, context, to);
  begin_send(process, send, sent, comm, context, to, SendMode::standard);

  const PeerWait on_send(process.call(), comm, PeerWait::What::send, context, to.destination, to.tag);
  const PeerWait on_receive(process.call(), comm, PeerWait::What::receive, context, from.source, from.tag);
  const ExchangeWait why(on_send, on_receive);
  Gate gate(*Thread::current());
  gate.add(receive);
  gate.add(send);
  wait(process, gate, why);
  wait_until_holds(process, send, why);
  end_send(process, send);
  wait_until_holds(process, receive, why);
  end_receive(process, receive, received);
  tell(status, receive);
  throw_if_wrong(process, receive, comm, from.type);
}

Error truncation(const ReceiveOperation& receive, const Comm& comm) {
  return {MPI_ERR_TRUNCATE,
          fmt::format("the message of {} bytes from rank {}, tag {}, {} is longer than the receive buffer (buf, count, "
                      "datatype) of {} bytes; make the buffer at least as large",
                      receive.bytes.count(), receive.envelope.source, receive.envelope.tag, comm.name(),
                      receive.capacity.count()),
          &comm};
}

}  // namespace hindcast::mpi
