#include "mpi_impl/libraries/common/tests/random_programs/library.hpp"

#include "mpi_impl/transport/group_operations.hpp"
#include "simulator/engine/thread.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast::mpi::random_programs {

void TestLibrary::meet(Rank& rank, Device& device, int ranks) {
  Operation over;
  device.group_operations()->meet({0, rank.id, ranks}, over);
  wait_for(device, over);
}

void wait_for(Device& device, Completion& completion) {
  test::NoWait why;
  Gate gate(*Thread::current());
  gate.add(completion);
  device.wait(gate, why);
  device.wait_until(completion.at(), why);
}

}  // namespace hindcast::mpi::random_programs
