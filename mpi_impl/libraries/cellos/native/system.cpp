#include "mpi_impl/libraries/cellos/native/system.hpp"

#include <new>

#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "simulator/engine/memory/short_copy.hpp"

namespace hindcast::cellos {

namespace {

Participants all_cells(const Nets& nets) { return {"until all cells have called it", nets.host ? 1 : 0}; }

}  // namespace

System::System(Engine& engine, const Nets& nets, Costs costs, EndRun end_run)
    : engine_(engine),
      network_(nets.torus),
      lines_(*this),
      costs_(std::move(costs)),
      end_run_(std::move(end_run)),
      broadcasts_(*this, nets.bus, nets.bus_is_held),
      put_and_get_(*this, lines_),
      striding_(*this),
      barrier_(engine, nets.barrier, all_cells(nets)),
      statuses_(*this, nets.statuses, all_cells(nets)),
      xy_exchange_(*this, nets.statuses.leaves()),
      reductions_(*this, xy_exchange_, all_cells(nets)),
      numbers_(nets.host.has_value()),
      cells_(nets.barrier.leaves()) {
  if (nets.host) host_.emplace(engine, *this, nets.bus, *nets.host);
}

System::~System() = default;

Node& System::node(int number) {
  std::unique_ptr<Node>& node = nodes_[number];
  if (node == nullptr) node = std::make_unique<Node>(*this);
  return *node;
}

Message& System::new_message() {
  auto* message = new (pool_.take(sizeof(Message))) Message;
  pool_.fetch(sizeof(Message));  // mostly one follows
  message->sink = this;
  return *message;
}

void System::free_message(Message& message) {
  switch (message.payload_in) {
    case PayloadIn::broadcast:
      broadcasts_.drop(*message.broadcast);
      break;
    case PayloadIn::senders_memory:
      give_back_lent(message);
      break;
    case PayloadIn::pool:
      pool_.give_back_record(message.payload, message.payload_bytes.count());
      break;
    case PayloadIn::message:
    case PayloadIn::nothing:
      break;
  }
  message.~Message();
  pool_.give_back_record(&message, sizeof(Message));
}

void System::capture(Message& message, const Strided& data) {
  const Bytes bytes = data.bytes();
  message.payload_bytes = bytes;
  if (bytes == Bytes()) return;
  std::byte* to = message.short_payload;
  message.payload_in = PayloadIn::message;
  if (bytes.count() > sizeof message.short_payload) {
    message.payload = pool_.take(bytes.count());
    message.payload_in = PayloadIn::pool;
    to = static_cast<std::byte*>(message.payload);
  }
  if (data.items == 1) [[likely]]
    copy_short(to, data.first, bytes.count());
  else
    gather(data, bytes, to);
}

void System::borrow(Message& message, const Outgoing& outgoing) {
  if (outgoing.bytes.count() <= sizeof message.short_payload)
    return capture(message, in_one_piece(outgoing.data, outgoing.bytes));
  message.payload_bytes = outgoing.bytes;
  message.payload = const_cast<void*>(outgoing.data);
  message.payload_in = PayloadIn::senders_memory;
  message.lent_at = outgoing.lent_at;
  *message.lent_at = &message;
}

void System::capture_lent(Message& message) {
  const void* const data = message.payload;
  give_back_lent(message);
  capture(message, in_one_piece(data, message.payload_bytes));
}

void System::give_back_lent(Message& message) {
  if (message.payload_in != PayloadIn::senders_memory) return;
  message.payload_in = PayloadIn::nothing;
  *message.lent_at = nullptr;
}

void System::fire(const Event& event) {
  auto& message = *reinterpret_cast<Message*>(event.data);
  if (message.copied_bytes > 0) message.sender->copied_in(message.source, Bytes(message.copied_bytes));
  submit(message);
}

void System::entered(Transfer& transfer) {
  auto& message = static_cast<Message&>(transfer);
  switch (message.told_of_entry) {
    case ToldOfEntry::send_buffer:
      return message.buffer->entered(message.injected);
    case ToldOfEntry::line:
      message.line->entered = true;
      message.line->injected = message.injected;
      return message.line->thread->wake();
    case ToldOfEntry::done_sink:
      return striding_.entered(message);
    case ToldOfEntry::nobody:
      return;
  }
}

void System::arrived(Transfer& transfer) {
  auto& message = static_cast<Message&>(transfer);
  message.receiver->arrived(message);
}

}  // namespace hindcast::cellos
