// Receives that CellOS cannot match, because of the way in which their contexts travel: the library looks through the
// queue.
#include "mpi_impl/libraries/cellos/mpi/endpoint.hpp"
#include "mpi_impl/libraries/cellos/mpi/keys.hpp"

namespace hindcast::mpi {

using cellos::Message;

// What the queue holds matters, so it is looked at at the thread's time; there is no call that could wait in the
// kernel.
void CellosEndpoint::search_and_receive(ReceiveOperation& receive) {
  Thread& thread = *Thread::current();
  make_progress(thread);
  Message* message = search(receive.pattern);
  if (message == nullptr) {
    if (to_do_ == 0) thread.leave_poll_instant();
    return expect(receive);
  }
  receive_found(*message, receive);
}

// What comes while it looks is at the queue's end, where it looks last.
Message* CellosEndpoint::search(const Pattern& pattern) {
  Thread& thread = *Thread::current();
  thread.settle();
  const int looks = carrier_.looks(pattern, mailbox().find(cellos_key(pattern)));
  Message* message = take_from_queue(pattern);
  carrier_.spend_looks(thread, looks, message != nullptr ? message->message : 0);
  thread.settle();
  return message != nullptr ? message : take_from_queue(pattern);
}

}  // namespace hindcast::mpi
