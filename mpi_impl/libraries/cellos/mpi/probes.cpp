// What MPI_Probe and its kin find in the queue, or take out of it for a receive to come.
#include "mpi_impl/libraries/cellos/mpi/acknowledgement.hpp"
#include "mpi_impl/libraries/cellos/mpi/endpoint.hpp"
#include "mpi_impl/libraries/cellos/mpi/keys.hpp"

namespace hindcast::mpi {

using cellos::Message;

bool CellosEndpoint::probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) {
  const Message* message = mailbox().find(cellos_key(pattern));
  if (!carrier_.kernel_matches(pattern)) [[unlikely]] {
    carrier_.spend_looks(*Thread::current(), carrier_.looks(pattern, message) - 1);  // the caller's poll was one
    Thread::current()->settle();
    message = mailbox().find(cellos_key(pattern));
  }
  if (message != nullptr) {
    envelope = envelope_of(*message);
    bytes = length_of(*message);
    return true;
  }
  if (completion != nullptr) {
    probes_.add(pattern, *completion);
    ++to_do_;
  }
  return false;
}

void CellosEndpoint::forget_probe(Completion& completion) { to_do_ -= probes_.forget(completion); }

bool CellosEndpoint::take(const Pattern& pattern, TakenMessage& taken) {
  Message* message = take_from_queue(pattern);
  if (message == nullptr) return false;
  taken = TakenMessage{message, envelope_of(*message), length_of(*message)};
  return true;
}

void CellosEndpoint::receive(ReceiveOperation& receive, const TakenMessage& taken) {
  Thread& thread = *Thread::current();
  make_progress(thread);
  auto& message = *static_cast<Message*>(taken.endpoint_state);
  receive_found(message, receive);
}

}  // namespace hindcast::mpi
