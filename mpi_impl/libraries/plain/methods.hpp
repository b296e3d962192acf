// The ways that the plain library's messages take on a machine, and what they cost its processors: those of [[method]],
// or one, over the machine's only network, whose keys stand in [processor] and [messages].
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "mpi_impl/libraries/common/memories_of_nodes.hpp"
#include "mpi_impl/transport/matching_endpoint.hpp"
#include "mpi_impl/transport/methods.hpp"
#include "simulator/engine/kept_texts.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast {

class PlainMethods {
 public:
  PlainMethods(Engine& engine, Machine& machine, Progress progress);

  const mpi::Methods& all() const { return methods_; }
  mpi::Place place_of(int node) const { return {node, machine_.site_of(node)}; }

  // For a rank on this node. Throws MachineFileError if it and a rank that was added before have no way to each other.
  const mpi::EndpointCosts& add_rank(int node);

 private:
  void read_only_method(Progress progress);
  void read(const NamedTable& table, Progress progress);
  void read_memory(const std::string& prefix);
  mpi::MethodCosts read_costs(const NamedTable& table, Progress progress);
  Network* network_at(const std::string& carried_by, int site);
  void use(const mpi::MethodCosts& costs, const std::string& name, const std::string& carried_by,
           const std::vector<std::string>& between, Bytes longest);

  void require_way(const mpi::Place& from, const mpi::Place& to) const;

  Machine& machine_;
  KeptTexts texts_;
  MemoriesOfNodes memories_;
  mpi::Methods methods_;
  std::map<int, mpi::EndpointCosts> costs_;           // by node
  std::map<int, std::vector<mpi::Place>> witnesses_;  // by site, up to two nodes that have ranks
};

}  // namespace hindcast
