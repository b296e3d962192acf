// The steps that the protocols of the T3E's MPI are made of, in seconds, as the machine's file has them.
#pragma once

#include "mpi_impl/libraries/cray/mpi/protocol_costs.hpp"
#include "simulator/machine/file/machine_file.hpp"

namespace hindcast::t3e {

mpi::T3eStepCosts step_costs_of(const MachineFile& file);

}  // namespace hindcast::t3e
