// What the cost formulas of collectives take from the machine's file, for this library's messages.
#pragma once

#include "mpi_impl/collectives/costs/cost_model.hpp"
#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

mpi::CostModel es_costs(const MachineFile& file, int ranks);

}  // namespace hindcast
