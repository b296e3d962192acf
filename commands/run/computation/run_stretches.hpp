// What ranks compute between their calls, as a run's option has it written down or known.
#pragma once

#include "simulator/programs/this_computer/measured_computation.hpp"

namespace hindcast {

class RunStretches : public programs::Stretches {
 public:
  // Gives the status that the run ends with, which may be worse than the one given. What is wrong has been said.
  virtual int run_ends(int status) = 0;
};

}  // namespace hindcast
