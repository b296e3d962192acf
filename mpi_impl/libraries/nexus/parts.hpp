// What is read from the file of a machine with Nexus: what its calls take, and the methods that its contexts open. For
// this library and those that stand on it.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/nexus/native/context.hpp"
#include "mpi_impl/libraries/nexus/native/method_kinds.hpp"
#include "mpi_impl/libraries/nexus/native/program.hpp"
#include "mpi_impl/libraries/nexus/native/resource_database.hpp"
#include "mpi_impl/libraries/nexus/native/start_across_sites.hpp"
#include "mpi_impl/libraries/tcp/parts.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast::nexus {

class Contexts {
 public:
  explicit Contexts(const LibraryStart& start);

  // What the methods stand on besides TCP is attached to the rank already.
  Context& add(Rank& rank, int node);
  // What the processors of a node wait for at its memory; null if nobody else comes there.
  MemoryPort* memory_of(int node);
  // On the thread of a rank whose program is about to begin.
  void program_begins(const Rank& rank);

 private:
  struct Opened {
    std::string name;
    int every;
    std::unique_ptr<MethodKind> kind;
  };
  void read_methods(Engine& engine);
  void place(int node);
  void open_methods(Context& context, Rank& rank, int node);
  void open_methods_of(const ResourceDatabase::Entry& entry, Context& context, Rank& rank, int node);
  bool open(const Opened& method, Context& context, Rank& rank, int node);

  Machine& machine_;
  const std::optional<ResourceDatabase> database_;  // if the run has been started by one
  const StartAcrossSites start_;
  KeptTexts texts_;
  System system_;
  std::optional<tcp::Hosts> hosts_;  // if the machine has TCP
  MemoriesOfNodes memories_;         // if it has not
  std::map<int, MemoryPort*> memory_ports_;
  std::vector<Opened> methods_;  // in the order in which they are preferred
  std::deque<Context> contexts_;
  std::deque<Program> programs_;
};

}  // namespace hindcast::nexus
