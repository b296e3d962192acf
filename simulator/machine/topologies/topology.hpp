// What the network of a site may look like: a row of a table for each kind, in a file of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/rows.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/network/network_links.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"
#include "simulator/machine/node_range.hpp"
#include "simulator/simgrid/platform.hpp"

namespace hindcast {

// How many nodes a network has to have, and how many it would have unless told otherwise.
struct WantedNodes {
  int least = 0;
  int usual = 0;
};

// A node's ports into and out of a network.
struct NodePorts {
  Time way_in;
  Time way_out;
  Bandwidth bandwidth;
};

// What stands in a platform's XML of a site and its nodes, beside its network.
struct XmlSite {
  std::string name;  // SimGrid's, with which those of its hosts and links begin
  int nodes;
  std::string speed;
  std::string properties;  // whole lines
};

// One network as it is to be built: what the file says, for so many nodes.
class NetworkPlan {
 public:
  virtual ~NetworkPlan() = default;

  virtual int nodes() const = 0;
  virtual bool is_one_node() const { return false; }  // without ports: there is no network
  virtual NodePorts ports() const = 0;
  virtual const NetworkKeys& keys() const = 0;

  // The links between ports, by number. Their names begin with that of their site.
  virtual int link_count() const = 0;
  virtual PlatformLink link(int index, const std::string& site) const = 0;
  virtual bool links_are_alike() const { return false; }  // but for their names
  virtual void visit_route(int from, int to, const std::function<void(int)>& visit) const = 0;

  virtual std::unique_ptr<Network> build_wormhole(Engine& engine, NetworkLinks& links, JoinedNodes nodes) const = 0;

  // A zone of SimGrid's of the site's name, and whole lines that say where it is not what the machine is.
  virtual std::string xml(const XmlSite& site) const = 0;
  virtual std::string remark_in_xml() const { return ""; }
};

struct Topology {
  const char* name;  // as "machine.topology" or "network.san.topology" has it
  // The keys of a network's table, such as "network.san". Null unless the choice of them is taken.
  std::unique_ptr<NetworkPlan> (*plan)(const KeysOfChoice& keys, const std::string& prefix, WantedNodes nodes);
  // `of_machine`, or less if the network's own keys say so.
  NodeRange (*node_range)(const MachineFile& file, const std::string& prefix, NodeRange of_machine);
};

// The one that `key` chooses. What the others would be asked for is known too, if they could be chosen.
const Topology& chosen_topology(const MachineFile& file, const std::string& key);
std::unique_ptr<NetworkPlan> plan_network(const MachineFile& file, const std::string& key, const std::string& prefix,
                                          WantedNodes nodes);

// Rates are kept as times per unit, so their last digits are rounding.
std::string xml_rate(Rate rate);

}  // namespace hindcast
