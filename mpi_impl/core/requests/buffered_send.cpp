#include "mpi_impl/core/requests/buffered_send.hpp"

#include <fmt/format.h>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

namespace {

std::size_t room_for(std::size_t bytes) {
  constexpr std::size_t unit = alignof(std::max_align_t);
  return MPI_BSEND_OVERHEAD - unit + (bytes + unit - 1) / unit * unit;
}

}  // namespace

void BufferedSends::attach(void* buffer, std::size_t bytes) {
  if (buffer_ != nullptr)
    throw Error{MPI_ERR_BUFFER, "a buffer is attached already; detach it with MPI_Buffer_detach first"};
  buffer_ = static_cast<std::byte*>(buffer);
  bytes_ = bytes;
  next_ = 0;
}

void BufferedSends::detach(Process& process, void*& buffer, std::size_t& bytes) {
  wait_for_all(process);
  buffer = buffer_;
  bytes = bytes_;
  buffer_ = nullptr;
  bytes_ = 0;
}

void BufferedSends::wait_for_all(Process& process) {
  while (!messages_.empty()) {
    SendOperation& operation = messages_.front().operation;
    const PeerWait why(process.call(), *messages_.front().comm, PeerWait::What::send, operation.envelope.context,
                       messages_.front().comm->group->rank_of(operation.destination), operation.envelope.tag);
    wait_for(process, operation, why);
    drop_first(process);
  }
}

void BufferedSends::send(Process& process, Comm& comm, const SendArguments& arguments) {
  if (arguments.destination == MPI_PROC_NULL) return;
  refuse_what_is_too_long(process, comm, arguments.count, arguments.type);
  const std::size_t bytes = arguments.type.bytes_of(arguments.count);
  const std::size_t begin = make_place(process, comm, bytes);
  Message& message = messages_.emplace_back();
  message.begin = begin;
  message.end = begin + room_for(bytes);
  message.comm = &comm;
  ++comm.uses;
  next_ = message.end;

  const int destination = comm.world_rank(arguments.destination);
  if (Thread::current()->is_recorded())
    mark_send(process, {comm.context, comm.rank, arguments.tag}, destination, Bytes(bytes));
  pack(arguments.type, arguments.data, arguments.count, buffer_ + begin);
  process.endpoint().local().spend_copy(Bytes(bytes), process.endpoint().upcoming_message());
  SendOperation& send = message.operation;
  send.is_buffered = true;
  send.data = buffer_ + begin;
  send.bytes = Bytes(bytes);
  send.envelope = {comm.context, comm.rank, arguments.tag};
  send.destination = destination;
  if (SentElements* sent = process.world().sent_elements()) sent->keep(process, comm, arguments);
  process.endpoint().send(send);
}

// After the last message if there is room up to the first one or to the end of the buffer, else at its beginning.
std::optional<std::size_t> BufferedSends::place_for(std::size_t bytes) const {
  if (messages_.empty()) {
    if (next_ + bytes <= bytes_) return next_;
    return bytes <= bytes_ ? std::optional<std::size_t>(0) : std::nullopt;
  }
  const std::size_t first = messages_.front().begin;
  if (next_ <= first) return next_ + bytes <= first ? std::optional(next_) : std::nullopt;
  if (next_ + bytes <= bytes_) return next_;
  return bytes <= first ? std::optional<std::size_t>(0) : std::nullopt;
}

std::size_t BufferedSends::make_place(Process& process, const Comm& comm, std::size_t bytes) {
  const std::size_t room = room_for(bytes);
  if (const auto place = place_for(room)) return *place;
  const BufferWait why(process);
  poll(process, why);  // where a message has ended once the library has worked on its receiver's answer
  Thread::current()->settle(&why);
  drop_ended(process);
  if (const auto place = place_for(room)) return *place;
  if (buffer_ == nullptr)
    throw Error{MPI_ERR_BUFFER, "no buffer is attached for buffered sends; attach one with MPI_Buffer_attach", &comm};
  throw Error{MPI_ERR_BUFFER,
              fmt::format("the attached buffer of {} bytes has no room for a message of {} bytes ({} with "
                          "MPI_BSEND_OVERHEAD): {} messages are still in it; attach a larger one",
                          bytes_, bytes, room, messages_.size()),
              &comm};
}

void BufferedSends::drop_ended(Process& process) {
  const Time now = Thread::current()->clock();
  while (!messages_.empty() && messages_.front().operation.holds_at(now)) drop_first(process);
}

void BufferedSends::drop_first(Process& process) {
  end_send(process, messages_.front().operation);
  stop_using(process, *messages_.front().comm);
  messages_.pop_front();
}

}  // namespace hindcast::mpi
