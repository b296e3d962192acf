#include "mpi_impl/libraries/common/waiting.hpp"

namespace hindcast {

void wait_for(Completion& completion, const Wait& why) {
  Thread& thread = *Thread::current();
  Gate gate(thread);
  gate.add(completion);
  gate.pass(why);
  thread.idle_until(completion.at(), why);
}

}  // namespace hindcast
