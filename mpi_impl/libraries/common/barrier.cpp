#include "mpi_impl/libraries/common/barrier.hpp"

#include "simulator/engine/engine.hpp"

namespace hindcast {

void BlockingBarrierPart::pass() {
  begin();
  while (!is_released_) thread_.wait_without_polling(*this);
}

void BlockingBarrierPart::released() {
  is_released_ = true;
  thread_.wake();
}

BlockedOn BlockingBarrierPart::describe() const {
  BlockedOn blocked{call_, participants_.wait_for_all, {}};
  for (int leaf = 0; leaf < tree_.leaves(); ++leaf)
    if (!tree_.has_arrived(leaf)) blocked.ranks.push_back(participants_.first_rank + leaf);
  return blocked;
}

void BegunBarrierPart::released() {
  over_.complete(engine_.now());
  delete this;
}

void Barrier::pass(int leaf, const char* call) { BlockingBarrierPart(tree_, leaf, call, participants_).pass(); }
void Barrier::begin(int leaf, Completion& over) { (new BegunBarrierPart(tree_, leaf, engine_, over))->begin(); }

}  // namespace hindcast
