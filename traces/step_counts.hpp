// How often each sort of step was taken, by rank: what claims about mechanisms are held against.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "traces/recorded_step.hpp"

namespace hindcast::traces {

class StepCounts final : public Sink {
 public:
  struct Row {
    std::string name;
    std::string parameter;
    int rank = no_rank;
    std::uint64_t count = 0;
    Time time;
    std::uint64_t amount = 0;
  };
  static constexpr int no_rank = -1;  // of hardware whose node runs none

  // The rank of each node, the first one if it runs several.
  explicit StepCounts(std::vector<int> rank_of_node) : rank_of_node_(std::move(rank_of_node)) {}

  void add(const RecordedStep& event) override;

  // In mid-run: from now on steps of the node's hardware are the rank's, if no other's.
  void is_born(int rank, int node);

  // Sorted by name, parameter and rank.
  std::vector<Row> rows() const;

 private:
  struct Sum {
    std::uint64_t count = 0;
    Time time;
    std::uint64_t amount = 0;
  };
  int rank_of(const Place& place) const;

  std::vector<int> rank_of_node_;
  std::map<std::pair<const StepKind*, int>, Sum> sums_;
};

}  // namespace hindcast::traces
