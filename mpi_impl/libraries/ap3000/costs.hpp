// What the cost formulas of collectives assume of the layer and of MPI on it.
#pragma once

#include "mpi_impl/collectives/costs/cost_model.hpp"
#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

// A part of mpi.overhead.
Time mpi_work_at_sender(const MachineFile& file);

mpi::CostModel ap3000_costs(const MachineFile& file, int ranks);

}  // namespace hindcast
