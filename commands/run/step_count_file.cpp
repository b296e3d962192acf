#include "commands/run/step_count_file.hpp"

#include <fmt/format.h>

#include "commands/json_text.hpp"

namespace hindcast {

namespace {

std::string text_of(const std::vector<traces::StepCounts::Row>& rows) {
  std::string text = "[";
  for (const traces::StepCounts::Row& row : rows) {
    const std::string rank = row.rank == traces::StepCounts::no_rank ? "null" : fmt::format("{}", row.rank);
    text += fmt::format(R"({}{{"name": {}, "parameter": {}, "rank": {}, "count": {}, "time_ps": {}, "amount": {}}})",
                        text.size() > 1 ? ",\n " : "", json_text(row.name), json_text(row.parameter), rank, row.count,
                        row.time.in_ps(), row.amount);
  }
  return text + "]\n";
}

}  // namespace

traces::Sink& StepCountFile::begins(const MachineFile&, const std::vector<int>& nodes) {
  std::vector<int> rank_of_node;
  for (std::size_t rank = nodes.size(); rank-- > 0;) {
    const auto node = static_cast<std::size_t>(nodes[rank]);
    if (node >= rank_of_node.size()) rank_of_node.resize(node + 1, traces::StepCounts::no_rank);
    rank_of_node[node] = static_cast<int>(rank);
  }
  return counts_.emplace(std::move(rank_of_node));
}

int StepCountFile::ends(int status) { return file_.write(text_of(counts_->rows()), status); }

}  // namespace hindcast
