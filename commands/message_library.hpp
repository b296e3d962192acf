// The MPI of a run: what all its ranks share, a device and a process for each.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/devices/plain_device.hpp"
#include "simulator/platform/machine.hpp"

namespace hindcast {

class MessageLibrary {
 public:
  MessageLibrary(Engine& engine, Machine& machine, int ranks, mpi::EndRun end_run);

  // For each rank, before it runs, in the order of their numbers.
  void add_rank(Rank& rank, int node, int application);

  // "without calling MPI_Finalize", or nothing.
  static std::string complaint_at_exit(const Rank& rank);

 private:
  mpi::PlainCosts costs_;
  mpi::PlainMachine plain_;
  mpi::World world_;
  std::deque<mpi::PlainDevice> devices_;
  std::deque<mpi::Process> processes_;
};

}  // namespace hindcast
