// The message-passing library of a run, as the machine's file chooses it (messages.library): what all its ranks share,
// and for each rank a device and MPI's process.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "mpi_impl/collectives/framework/choice.hpp"
#include "mpi_impl/core/process.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast {

// Ends the run with this status, saying the line: at the current thread's clock, or now if a handler does it.
using EndRun = std::function<void(int status, const std::string& line)>;

class MessageLibrary {
 public:
  // Throws MachineFileError if the file is wrong.
  static std::unique_ptr<MessageLibrary> make(Engine& engine, Machine& machine, int ranks,
                                              const mpi::CollectiveChoices& choices, const EndRun& end_run);

  virtual ~MessageLibrary() = default;
  MessageLibrary(const MessageLibrary&) = delete;
  MessageLibrary& operator=(const MessageLibrary&) = delete;

  // Why a node has room for one rank only, for people; nothing if it has for more.
  virtual std::string why_alone_on_a_node() const { return {}; }

  // For each rank, before it runs, in the order of their numbers.
  virtual void add_rank(Rank& rank, int node, int application) = 0;

  // "without calling MPI_Finalize", or nothing.
  static std::string complaint_at_exit(const Rank& rank);

 protected:
  MessageLibrary() = default;
};

// A row of the table that make() looks into.
using MakeMessageLibrary = std::unique_ptr<MessageLibrary> (*)(Engine& engine, Machine& machine, int ranks,
                                                               const mpi::CollectiveChoices& choices,
                                                               const EndRun& end_run);
std::unique_ptr<MessageLibrary> make_plain_library(Engine&, Machine&, int ranks, const mpi::CollectiveChoices&,
                                                   const EndRun&);
std::unique_ptr<MessageLibrary> make_cellos_library(Engine&, Machine&, int ranks, const mpi::CollectiveChoices&,
                                                    const EndRun&);
std::unique_ptr<MessageLibrary> make_t3e_library(Engine&, Machine&, int ranks, const mpi::CollectiveChoices&,
                                                 const EndRun&);

}  // namespace hindcast
