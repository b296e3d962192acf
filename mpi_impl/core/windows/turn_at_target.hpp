// Accumulates where an origin's own processor combines: it gets what is there, and puts the result. Others who combine
// there are kept out meanwhile, whichever way they do it.
#pragma once

#include "mpi_impl/core/windows/origin.hpp"

namespace hindcast::mpi {

// Of all operations of the kind of accumulates, where the machine has them combined so; else nothing.
class TurnAtTarget {
 public:
  TurnAtTarget(Process& process, Window& window, int target);
  // What has been begun in the turn is over then.
  ~TurnAtTarget();
  TurnAtTarget(const TurnAtTarget&) = delete;
  TurnAtTarget& operator=(const TurnAtTarget&) = delete;

  // Does what the packet says from here, if the machine reaches the memory there, and gives `answer`, if there is one,
  // what was there. Else it is a packet for the target.
  bool combine_from_afar(const TargetArguments& target, const Packet& packet, const void* operand, Answer* answer);

 private:
  Process& process_;
  Window& window_;
  const int target_;
  const bool is_taken_;
};

}  // namespace hindcast::mpi
