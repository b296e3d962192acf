#include "mpi_impl/core/files/near_runs.hpp"

#include <algorithm>

#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast::mpi {

namespace {

constexpr std::size_t long_run = 4096;    // takes an access of its own
constexpr MPI_Offset longest_gap = 4096;  // between runs of one access
constexpr MPI_Offset longest_access = 1 << 20;

}  // namespace

bool NearRuns::add(MPI_Offset at, std::size_t bytes) {
  if (!is_near(at, bytes)) access();
  if (has_ended_) return false;
  const MPI_Offset end = at + static_cast<MPI_Offset>(bytes);
  end_ = runs_.empty() ? end : std::max(end_, end);
  runs_.push_back({at, bytes});
  return true;
}

bool NearRuns::is_near(MPI_Offset at, std::size_t bytes) const {
  if (runs_.empty()) return true;
  const Run& first = runs_.front();
  return can_be_joined_ && first.bytes < long_run && bytes < long_run && at >= first.at && at - end_ <= longest_gap &&
         at + static_cast<MPI_Offset>(bytes) - first.at <= longest_access;
}

void NearRuns::access() {
  if (runs_.empty() || has_ended_) return;
  if (runs_.size() == 1)
    access_one(runs_.front());
  else
    access_joined();
  runs_.clear();
}

void NearRuns::access_one(const Run& run) {
  std::byte* const memory = memory_ + bytes_accessed_;
  if (way_ == AccessWay::write) {
    file_.write(run.at, memory, run.bytes);
    bytes_accessed_ += run.bytes;
    return;
  }
  const std::size_t there_were = file_.read(run.at, memory, run.bytes);
  bytes_accessed_ += there_were;
  has_ended_ = there_were < run.bytes;
}

// What lies between runs is written as it was; where the file had ended before it, zeros.
void NearRuns::access_joined() {
  const MPI_Offset begin = runs_.front().at;
  between_.assign(static_cast<std::size_t>(end_ - begin), std::byte{0});
  const std::size_t there_were = file_.read(begin, between_.data(), between_.size());
  for (const Run& run : runs_) {
    const auto at = static_cast<std::size_t>(run.at - begin);
    std::byte* const memory = memory_ + bytes_accessed_;
    if (way_ == AccessWay::write) {
      copy_bytes(between_.data() + at, memory, run.bytes);
      bytes_accessed_ += run.bytes;
      continue;
    }
    const std::size_t bytes = there_were > at ? std::min(run.bytes, there_were - at) : 0;
    copy_bytes(memory, between_.data() + at, bytes);
    bytes_accessed_ += bytes;
    has_ended_ = bytes < run.bytes;
    if (has_ended_) return;
  }
  if (way_ == AccessWay::write) file_.write(begin, between_.data(), between_.size());
}

}  // namespace hindcast::mpi
