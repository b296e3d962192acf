// All steps of a run as lines of text, to be compared with another run's. Those of one thread must not overlap.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "traces/stream.hpp"

namespace hindcast::test {

class StepText final : public traces::Sink {
 public:
  void add(const traces::RecordedStep& step) override {
    text += fmt::format("{} {}{} {:x} {}-{} {}{}{}\n", step.kind->name,
                        step.place.kind == traces::Place::Kind::thread ? "rank " : "node ", step.place.number,
                        step.message, step.begin.in_ps(), step.end.in_ps(), step.amount,
                        step.is_service ? " service" : "", step.continues ? " goes on" : "");
    if (step.place.kind != traces::Place::Kind::thread) return;
    EXPECT_GE(step.begin, ends_[step.place.number]) << text;
    ends_[step.place.number] = step.end;
  }
  std::string text;

 private:
  std::map<int, Time> ends_;
};

}  // namespace hindcast::test
