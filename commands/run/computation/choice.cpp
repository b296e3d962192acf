#include "commands/run/computation/choice.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "commands/run/computation/recorded.hpp"
#include "commands/run/computation/recording.hpp"
#include "commands/run/output_file.hpp"
#include "simulator/machine/file/quantity.hpp"

namespace hindcast {

namespace {

using programs::Measuring;

[[noreturn]] void refuse(const std::string& compute) {
  throw std::invalid_argument(
      fmt::format("--compute {}: one of free, charged, measured:FACTOR (with a number such as 40), counted and "
                  "recorded:FILE or recorded:FACTOR:FILE (of --record-computation FILE)",
                  compute));
}

std::optional<double> factor_in(std::string_view text) {
  const auto parts = split_number_and_unit(text);
  if (!parts || !parts->second.empty() || !(parts->first > 0) || !std::isfinite(parts->first)) return std::nullopt;
  return parts->first;
}

// The rest of the text behind its beginning, if that is it.
std::optional<std::string> behind(std::string_view beginning, const std::string& text) {
  return text.starts_with(beginning) ? std::optional(text.substr(beginning.size())) : std::nullopt;
}

// What stands before a colon is a factor if it is a number, and otherwise belongs to the file's name.
void choose_recorded(const std::string& compute, const std::string& factor_and_file, RunRequest& request) {
  programs::MeasuredComputation& measured = request.launch.measured;
  const std::size_t colon = factor_and_file.find(':');
  const std::string before = factor_and_file.substr(0, colon);
  const auto number = split_number_and_unit(before);
  const bool has_factor = colon != std::string::npos && number && number->second.empty();
  const std::optional<double> factor = factor_in(before);
  const std::string path = has_factor ? factor_and_file.substr(colon + 1) : factor_and_file;
  if (path.empty() || (has_factor && !factor)) refuse(compute);
  auto recorded = std::make_shared<RecordedComputation>(path);
  measured.what = recorded->unit();
  measured.factor = has_factor ? *factor : recorded->factor();
  if (has_factor && measured.what == Measuring::instructions)
    throw std::invalid_argument(
        fmt::format("--compute recorded:{}: {} has instructions, which take the time of the "
                    "machine's processor.flop_rate, so give no factor",
                    factor_and_file, path));
  request.stretches = std::move(recorded);
  request.recorded_file = path;
}

void choose_way(const std::string& compute, RunRequest& request) {
  programs::LaunchOptions& launch = request.launch;
  if (compute.empty() || compute == "charged") return;
  launch.compute_is_free = true;  // what is declared, where something else is charged
  if (compute == "free") return;
  if (const auto factor_and_file = behind("recorded:", compute)) {
    return choose_recorded(compute, *factor_and_file, request);
  }
  if (compute == "counted") {
    launch.measured.what = Measuring::instructions;
  } else {
    const auto number = behind("measured:", compute);
    const auto factor = number ? factor_in(*number) : std::nullopt;
    if (!factor) refuse(compute);
    launch.measured = {.what = Measuring::time, .factor = *factor};
  }
  request.note = fmt::format("--compute {}: the times of this run are not repeatable", compute);
}

}  // namespace

void choose_computation(const std::string& compute, const std::string& record_file, RunRequest& request) {
  request.launch.tells_what_is_not_charged = compute.empty() && isatty(STDERR_FILENO) != 0;
  choose_way(compute, request);
  programs::MeasuredComputation& measured = request.launch.measured;
  if (!record_file.empty()) {
    if (measured.what == Measuring::nothing || request.stretches != nullptr)
      throw std::invalid_argument(fmt::format(
          "--record-computation {}: nothing is measured that could be written down; give --compute measured:FACTOR or "
          "counted with it",
          record_file));
    request.stretches = std::make_shared<ComputationRecording>(record_file, measured);
  }
  measured.stretches = request.stretches.get();
}

}  // namespace hindcast
