// How a program is started on what a resource database says: the command is given at the first context's site. It asks
// the I-POP of each site, the machine that speaks for the site to others, first to know the user, then to create the
// processes there. The program begins everywhere when the last site has answered.
#pragma once

#include <vector>

#include "simulator/engine/kept_texts.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast::nexus {

class StartAcrossSites {
 public:
  // With contexts on these nodes; unless `is_taken` its keys are only checked. Throws MachineFileError if a site does
  // not let the program be started.
  StartAcrossSites(const Machine& machine, const std::vector<int>& nodes, bool is_taken);

  // On a context's thread, before its program.
  void take_place() const;

 private:
  void ask(const Machine& machine, const std::vector<int>& sites, bool is_taken);

  KeptTexts texts_;
  const bool is_taken_;
  FixedStep ways_;  // there and back, twice
  FixedStep authentication_;
  FixedStep creation_;
};

}  // namespace hindcast::nexus
