#include "commands/run/computation/recording.hpp"

#include <fmt/format.h>

#include "simulator/engine/rank.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast {

using namespace recorded_computation;

ComputationRecording::ComputationRecording(const std::string& path, const programs::MeasuredComputation& measured)
    : file_("--record-computation", path) {
  if (measured.what == programs::Measuring::time)
    file_.add(fmt::format("{}{}\n{}\n", head_of_factor, measured.factor, columns_of_time));
  else
    file_.add(fmt::format("{}\n", columns_of_instructions));
}

std::uint64_t ComputationRecording::charged_before(const char* call, const Thread& thread, std::uint64_t measured) {
  file_.add(fmt::format("{},{},{},{}\n", thread.rank().id, thread.index(), call, measured));
  return measured;
}

}  // namespace hindcast
