// Who will leave a place for a rank before long, as far as MPI can know.
#pragma once

namespace hindcast::mpi {

class Process;
struct Comm;

// By a rank that was started by others, before it has one communicator less with those of another MPI_COMM_WORLD: its
// clock is now, so that who asks below does not see what is still to be.
void settle_before_goodbye(Process& process, const Comm& comm);

// Of the ranks that are not of the caller's MPI_COMM_WORLD, how many are in MPI_Finalize or have left it, or were
// started by others and have disconnected from all; only with their whole MPI_COMM_WORLD, since they end together.
int ranks_about_to_leave(Process& caller);

}  // namespace hindcast::mpi
