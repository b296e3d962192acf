// Several who want to know what happens in one run.
#pragma once

#include <memory>
#include <vector>

#include "commands/run/simulation.hpp"

namespace hindcast {

class SeveralObservers final : public RunObserver, private traces::Sink {
 public:
  void add(std::unique_ptr<RunObserver> observer) { observers_.push_back(std::move(observer)); }
  bool is_empty() const { return observers_.empty(); }

  traces::Sink& begins(const MachineFile& machine, const std::vector<int>& nodes) override {
    for (const auto& observer : observers_) sinks_.push_back(&observer->begins(machine, nodes));
    return *this;
  }
  void is_born(int rank, int node) override {
    for (const auto& observer : observers_) observer->is_born(rank, node);
  }
  int ends(int status) override {
    for (const auto& observer : observers_) status = observer->ends(status);
    return status;
  }

 private:
  void add(const traces::RecordedStep& step) override {
    for (traces::Sink* sink : sinks_) sink->add(step);
  }

  std::vector<std::unique_ptr<RunObserver>> observers_;
  std::vector<traces::Sink*> sinks_;
};

}  // namespace hindcast
