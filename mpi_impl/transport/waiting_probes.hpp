// Probes that wait for a message that their patterns take, in the order in which they began. What one finds stays where
// it is: a message ends the waits of all that it is for, one after the other.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "mpi_impl/transport/endpoint.hpp"

namespace hindcast::mpi {

class WaitingProbes {
 public:
  struct Probe {
    Pattern pattern;
    Completion* completion;
  };

  void add(const Pattern& pattern, Completion& completion) { probes_.push_back({pattern, &completion}); }
  // How many there were with this completion.
  int forget(Completion& completion) {
    return static_cast<int>(
        std::erase_if(probes_, [&](const Probe& probe) { return probe.completion == &completion; }));
  }
  // The first one that such a message is for. It waits no longer.
  std::optional<Probe> take(const Envelope& envelope) {
    const auto found =
        std::find_if(probes_.begin(), probes_.end(), [&](const Probe& probe) { return probe.pattern.takes(envelope); });
    if (found == probes_.end()) return std::nullopt;
    const Probe probe = *found;
    probes_.erase(found);
    return probe;
  }

 private:
  std::vector<Probe> probes_;
};

}  // namespace hindcast::mpi
