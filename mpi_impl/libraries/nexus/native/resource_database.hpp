// The resource database that a run is started by: a text that the scheduler writes when it allocates nodes, and that
// people put right by hand. An entry a line:
//
//     machine NAME 3055197291           whose file had this fingerprint then
//     rank hall:0 mpl tcp aal5          a context: its node, and the methods that lead to it and from it
//     link west up
//
// It is read when Nexus starts. What is wrong with it is told with file and line, before any program runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/machine/machine.hpp"

namespace hindcast::nexus {

class ResourceDatabase {
 public:
  // Of a run whose places for contexts are on these nodes; it begins with so many of them, and the others are for those
  // that come in mid-run. Throws MachineFileError if it is not of the machine as it is now.
  ResourceDatabase(std::string path, const Machine& machine, std::vector<int> nodes, int at_start);

  const std::string& path() const { return path_; }

  struct Entry {
    int line;
    std::string place;                 // "hall:0"
    std::vector<std::string> methods;  // none: all that its node has
  };
  bool starts(int context) const { return context < at_start_; }
  // One that comes in mid-run has what the first on its node was allocated.
  const Entry& of_context(int number, int node) const;

  [[noreturn]] void refuse(const Entry& entry, const std::string& what) const { refuse(entry.line, what); }

 private:
  void read(const std::vector<std::string>& words, int line, const Machine& machine);
  void check_link(const std::vector<std::string>& words, int line, const MachineFile& file) const;
  void check_places(const Machine& machine) const;
  [[noreturn]] void refuse(int line, const std::string& what) const;

  const std::string path_;
  const std::vector<int> nodes_;  // of the entries
  const int at_start_;
  bool names_machine_ = false;
  std::vector<Entry> entries_;
};

}  // namespace hindcast::nexus
