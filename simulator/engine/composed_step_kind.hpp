// A sort of step whose texts are composed when the part is built that spends it. It stays where it is, as its texts do.
#pragma once

#include <string>
#include <utility>

#include "simulator/engine/recorder.hpp"

namespace hindcast {

class ComposedStepKind : public StepKind {
 public:
  ComposedStepKind(std::string name_text, std::string parameter_text)
      : name_text_(std::move(name_text)), parameter_text_(std::move(parameter_text)) {
    name = name_text_.c_str();
    parameter = parameter_text_.c_str();
  }
  ComposedStepKind(const ComposedStepKind&) = delete;
  ComposedStepKind& operator=(const ComposedStepKind&) = delete;

 private:
  std::string name_text_;
  std::string parameter_text_;
};

}  // namespace hindcast
