// Steps whose times stand in the machine's file, each told with the key that its time is read by. `keys` is the file,
// or its KeysOfChoice.
#pragma once

#include "simulator/engine/recorder.hpp"

namespace hindcast {

template <typename Keys>
FixedStep step_of(const Keys& keys, const char* name, const char* key) {
  return {{name, key}, keys.time(key)};
}

template <typename Keys>
FixedStep step_above_zero_of(const Keys& keys, const char* name, const char* key) {
  return {{name, key}, keys.time_above_zero(key)};
}

template <typename Keys>
RatedStep step_at_bandwidth_of(const Keys& keys, const char* name, const char* key) {
  return {{name, key}, keys.bandwidth(key)};
}

// Another one that takes as long, for the same reason.
inline FixedStep as_long_as(const FixedStep& step, const char* name) {
  return {{name, step.kind.parameter}, step.cost};
}

}  // namespace hindcast
