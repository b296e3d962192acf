#include "mpi_impl/libraries/cellos/mpi/carrier.hpp"

namespace hindcast::mpi {

using cellos::Message;
using cellos::Outgoing;
using cellos::Space;

CellosCarrier::CellosCarrier(cellos::Cell& cell, ContextIn where, int type_bits, Rate copy)
    : cell_(cell),
      where_(where),
      type_bits_(type_bits),
      space_(where == ContextIn::header ? Space::library : Space::library_without_domains),
      packing_{{"copy to the library's buffer, after the context", "processor.copy_bandwidth"}, copy},
      unpacking_{{"copy out of the library's buffer", "processor.copy_bandwidth"}, copy} {}

// The last type that there is marks the library's own messages, such as acknowledgements, where nothing else does.
int CellosCarrier::tag_upper_bound() const {
  switch (where_) {
    case ContextIn::header:
      return cellos::type_max;
    case ContextIn::type:
      return cellos::type_max >> type_bits_;
    case ContextIn::packed:
    case ContextIn::extra_message:
      break;
  }
  return cellos::type_max - 1;
}

// In a buffer, what tells the context lies beside its message.
Bytes CellosCarrier::beside_message() const {
  if (where_ == ContextIn::header) return {};
  return where_ == ContextIn::extra_message ? context_message_bytes() : word;
}

Bytes CellosCarrier::longest_message() const {
  const Bytes beside = beside_message();
  return native().longest() < beside ? Bytes() : Bytes(native().longest().count() - beside.count());
}

int CellosCarrier::looks(const Pattern& pattern, const Message* found) const {
  if (kernel_matches(pattern)) return 1;
  const int messages = cell_.mailbox(space_).passed_before(found);
  return 1 + messages * (where_ == ContextIn::extra_message ? 2 : 1);
}

void CellosCarrier::send_without_domains(Outgoing& outgoing) {
  prepare(outgoing);
  outgoing.call = "l_asend";
  if (where_ == ContextIn::extra_message) cell_.send(context_of(outgoing));
  cell_.send(outgoing);
}

void CellosCarrier::broadcast(Outgoing outgoing) {
  prepare(outgoing);
  outgoing.cell = cellos::to_all_cells;
  outgoing.call = where_ == ContextIn::header ? "dcbroad" : "cbroad";
  if (where_ == ContextIn::extra_message) cell_.broadcast(context_of(outgoing));
  cell_.broadcast(outgoing);
}

void CellosCarrier::prepare(Outgoing& outgoing) const {
  outgoing.space = space_;
  if (way_of(outgoing.key.context) != ContextIn::packed) return;
  outgoing.lead = word;
  const MessageId message = outgoing.on_behalf_of != 0 ? outgoing.on_behalf_of : cell_.upcoming_message();
  Thread::current()->spend(packing_, (outgoing.bytes + word).count(), message);
}

Outgoing CellosCarrier::context_of(const Outgoing& outgoing) const {
  Outgoing context;
  context.call = outgoing.call;
  context.cell = outgoing.cell;
  context.space = space_;
  context.key = outgoing.key;
  context.lead = word;
  context.purpose = tells_context;
  context.takes_arrivals = outgoing.takes_arrivals;
  return context;
}

}  // namespace hindcast::mpi
