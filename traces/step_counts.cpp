#include "traces/step_counts.hpp"

#include <tuple>

#include "simulator/programs/process/call_marks.hpp"

namespace hindcast::traces {

void StepCounts::add(const RecordedStep& event) {
  Sum& sum = sums_[{event.kind, rank_of(event.place)}];
  if (!event.continues) ++sum.count;
  sum.time += event.end - event.begin;
  sum.amount += event.amount;
}

void StepCounts::is_born(int rank, int node) {
  const auto index = static_cast<std::size_t>(node);
  if (index >= rank_of_node_.size()) rank_of_node_.resize(index + 1, no_rank);
  if (rank_of_node_[index] == no_rank) rank_of_node_[index] = rank;
}

std::vector<StepCounts::Row> StepCounts::rows() const {
  std::map<std::tuple<std::string, std::string, int>, Row> by_name;  // several parts may have steps of one name
  for (const auto& [key, sum] : sums_) {
    const auto& [kind, rank] = key;
    if (programs::name_of_call(*kind) != nullptr) continue;  // a call is no step, and is marked for others that record
    Row& row = by_name[{kind->name, kind->parameter, rank}];
    row.name = kind->name;
    row.parameter = kind->parameter;
    row.rank = rank;
    row.count += sum.count;
    row.time += sum.time;
    row.amount += sum.amount;
  }
  std::vector<Row> rows;
  for (const auto& named : by_name) rows.push_back(named.second);
  return rows;
}

int StepCounts::rank_of(const Place& place) const {
  if (place.kind == Place::Kind::thread) return place.number;
  const auto node = static_cast<std::size_t>(place.number);
  return node < rank_of_node_.size() ? rank_of_node_[node] : no_rank;
}

}  // namespace hindcast::traces
