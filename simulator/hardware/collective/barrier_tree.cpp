#include "simulator/hardware/collective/barrier_tree.hpp"

#include <cassert>
#include <utility>

namespace hindcast {

int BarrierTree::levels_for(int leaves, int branching) {
  int levels = 0;
  for (std::int64_t reached = 1; reached < leaves; reached *= branching) ++levels;
  return levels;
}

void BarrierTree::arrive(int leaf, BarrierSink& sink) {
  assert(!has_arrived(leaf));
  sinks_[static_cast<std::size_t>(leaf)] = &sink;
  if (++arrived_ == sinks_.size()) engine_.at(engine_.now() + round_trip_, EventKind::hardware, owner_, *this, 0);
}

void BarrierTree::fire(const Event&) {
  arrived_ = 0;
  for (BarrierSink*& sink : sinks_) std::exchange(sink, nullptr)->released();
}

}  // namespace hindcast
