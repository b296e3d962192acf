#include "commands/run/step_count_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "commands/json_text.hpp"

namespace hindcast {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw std::runtime_error(fmt::format("--count {}: cannot be written: {}", path, why));
}

// Devices and pipes are written to; a file takes the place of the one before it when it is whole.
bool is_written_in_place(const std::string& path) { return fs::exists(path) && !fs::is_regular_file(path); }

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

void write(const std::string& path, const std::string& text) {
  const std::string aside = is_written_in_place(path) ? path : fmt::format("{}.{}", path, getpid());
  std::FILE* file = std::fopen(aside.c_str(), "w");
  if (file == nullptr) fail(path, std::strerror(errno));
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if ((std::fclose(file) == 0 && is_written) && (aside == path || std::rename(aside.c_str(), path.c_str()) == 0))
    return;
  const std::string why = std::strerror(errno);
  if (aside != path) std::remove(aside.c_str());
  fail(path, why);
}

}  // namespace

StepCountFile::StepCountFile(std::string path) : path_(std::move(path)) {
  // Ranks may change the working directory.
  path_ = fs::absolute(path_).string();
  const std::string place = is_written_in_place(path_) ? path_ : fs::path(path_).parent_path().string();
  if (fs::is_directory(path_)) fail(path_, "it is a directory");
  if (access(place.c_str(), W_OK) != 0) fail(path_, std::strerror(errno));
}

traces::Sink& StepCountFile::begins(const MachineFile&, const std::vector<int>& nodes) {
  std::vector<int> rank_of_node;
  for (std::size_t rank = nodes.size(); rank-- > 0;) {
    const auto node = static_cast<std::size_t>(nodes[rank]);
    if (node >= rank_of_node.size()) rank_of_node.resize(node + 1, traces::StepCounts::no_rank);
    rank_of_node[node] = static_cast<int>(rank);
  }
  return counts_.emplace(std::move(rank_of_node));
}

int StepCountFile::ends(int status) {
  try {
    write(path_, text_of(counts_->rows()));
    return status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hindcast: {}\n", error.what());
    return status != 0 ? status : 1;
  }
}

}  // namespace hindcast
