// Tables of which a machine's file may have several, each with a name: [[node]], [[network]], [[site]], [[link]]. A key
// in one has the name in its address: "network.san.hop_latency".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hindcast {

struct NamedTable {
  std::string sort;  // "network"
  std::string name;  // "san"
  int line = 0;
  int column = 0;

  std::string prefix() const { return sort + "." + name; }
};

class NamedTables {
 public:
  // Why the file cannot have this one besides those that are there; empty if it can.
  std::string why_not(const NamedTable& table) const;
  void add(NamedTable table) { tables_.push_back(std::move(table)); }

  std::vector<NamedTable> of(std::string_view sort) const;
  std::vector<std::string> names(std::string_view sort) const;

  // A site is made of a sort of node and a network, a link joins two sites: the sort of table that the key's value is
  // the name of; empty if it is none.
  static std::string referred_to_by(std::string_view key);

 private:
  std::vector<NamedTable> tables_;
};

}  // namespace hindcast
