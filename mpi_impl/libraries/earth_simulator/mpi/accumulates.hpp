// Who combines for MPI_Accumulate and its kin: the target's processor, in calls that make progress; its node's unit,
// which then runs all that comes for windows; or the origin's processor, between a get and a put.
#pragma once

#include <map>

#include "mpi_impl/transport/handler_unit.hpp"
#include "simulator/machine/file/machine_file.hpp"

namespace hindcast::mpi {

class EsAccumulates {
 public:
  explicit EsAccumulates(const MachineFile& file);

  bool are_by_origins() const { return by_ == By::origin; }
  // Of this node; null if processors run handlers.
  HandlerUnit* unit_of(int node, MessageExchange& exchange);

 private:
  enum class By { target, origin, unit };
  static By read(const MachineFile& file);

  const By by_;
  const HandlerUnit::Numbers numbers_;
  std::map<int, HandlerUnit> units_;
};

}  // namespace hindcast::mpi
