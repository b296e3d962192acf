// Which function of MPI's a program has called, as messages name it.
#pragma once

namespace hindcast::mpi {

struct Call {
  const char* name;               // "MPI_Send"
  const char* const* arguments;   // the names of its parameters, in order
  bool bears_backlog = false;     // it may begin while earlier calls have left something to be done
  bool before_and_after = false;  // it may be made before MPI_Init and after MPI_Finalize
  bool takes_no_turn = false;     // any thread may make it, whatever others are in
};

// Null if there has been none.
inline const char* name_of(const Call* call) { return call != nullptr ? call->name : nullptr; }

}  // namespace hindcast::mpi
