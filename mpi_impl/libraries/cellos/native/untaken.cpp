// Messages that nobody takes: of a domain that is not registered, and those to a rank that has gone.
#include "mpi_impl/libraries/cellos/native/cell.hpp"

namespace hindcast::cellos {

namespace {

const StepKind discards{"discards a message of a domain that is not registered", ""};

}  // namespace

void Cell::leave() {
  has_gone_ = true;
  let_go();
  node_.remove(*this);
  domains_.clear();
  for (Mailbox& mailbox : mailboxes_)
    for (Message* message : mailbox.all()) {
      mailbox.remove(*message);
      lose(*message);
    }
}

// Nobody waits for an answer but who asks for a message back.
void Cell::lose(Message& message) {
  if (library_ != nullptr && (message.is_notice || message.note != nullptr)) return library_->lost(message);
  ring().release(message.bytes);
  system_.free_message(message);
}

void Cell::discard(Message& message) {
  const Time now = system_.engine().now();
  if (Recorder* recorder = system_.engine().recorder())
    recorder->in_hardware(node(), Step{&discards, message.message, now, now});
  if (message.note != nullptr) library_->discarded(message);
  ring().release(message.bytes);
  system_.free_message(message);
}

void Cell::discard_all(Space space, std::uint32_t domain) {
  Mailbox& box = mailbox(space);
  for (Message* message : box.all_of(domain)) {
    box.remove(*message);
    discard(*message);
  }
}

}  // namespace hindcast::cellos
