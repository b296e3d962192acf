// The sites of a machine, each with nodes of one kind or several and a network of its own, and the links between them.
// A machine whose file names none is one site.
#pragma once

#include <string>
#include <vector>

#include "simulator/machine/node_range.hpp"
#include "simulator/machine/placement/slots.hpp"

namespace hindcast {

// So many nodes of a kind, one after the other.
struct NodesOfKind {
  int kind = 0;
  int nodes = 0;
};

struct Site {
  std::string name;  // the machine's, if its file names no sites
  std::string word;  // with which SimGrid's names of its hosts and links begin
  std::vector<NodesOfKind> kinds;
  int first_node = 0;  // the machine's nodes are numbered through, site by site
  int nodes = 0;
  std::string network_prefix;  // of its network's keys: "network.san", or "network"
  std::string topology_key;    // "network.san.topology", or "machine.topology"

  int kind_of(int node) const;  // of the machine's
};

// Both ways, each with its bandwidth.
struct SiteLink {
  std::string name;
  std::string prefix;  // "link.ocean"
  int from = 0;        // sites
  int to = 0;
  Time latency;
  Bandwidth bandwidth;
  Bytes window;  // none: what has windows, if anything does, is the library
};

// Of a machine whose file names no sites, the one that it is, with as many nodes as there may be.
std::vector<Site> read_sites(const MachineFile& file);
std::vector<SiteLink> read_site_links(const MachineFile& file);
int site_of(const std::vector<Site>& sites, int node);

// Where ranks may be put on the machine.
Slots read_slots(const MachineFile& file);

}  // namespace hindcast
