// What the cost formulas of collectives take from the file of a machine with MPICH.
#pragma once

#include "mpi_impl/collectives/costs/cost_model.hpp"
#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

mpi::CostModel mpich_costs(const MachineFile& file, int ranks);

}  // namespace hindcast
