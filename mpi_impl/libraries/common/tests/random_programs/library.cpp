#include "mpi_impl/libraries/common/tests/random_programs/library.hpp"

#include "mpi_impl/transport/group_operations.hpp"
#include "simulator/engine/thread.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast::mpi::random_programs {

void TestLibrary::meet(Rank& rank, Endpoint& endpoint, int ranks) {
  Operation over;
  endpoint.group_operations()->meet({0, rank.id, ranks}, over);
  wait_for(endpoint, over);
}

void wait_for(Endpoint& endpoint, Completion& completion) {
  test::NoWait why;
  Gate gate(*Thread::current());
  gate.add(completion);
  endpoint.wait(gate, why);
  endpoint.wait_until(completion.at(), why);
}

}  // namespace hindcast::mpi::random_programs
