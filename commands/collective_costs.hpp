// What collectives' cost formulas take from a machine's file.
#pragma once

#include "mpi_impl/collectives/costs/cost_model.hpp"
#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

// Of a run on so many neighbouring nodes, with nobody else's traffic. Throws MachineFileError where the file describes
// messages by other parameters.
mpi::CostModel collective_costs(const MachineFile& file, int ranks);

// What the machine does for all ranks of a run at once, if they call together.
mpi::Offers collective_offers(const MachineFile& file, int ranks);

}  // namespace hindcast
