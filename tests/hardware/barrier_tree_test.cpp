// The barrier tree: all leaves are told at once, when the last has arrived and the signal has been up and down.

#include "simulator/hardware/collective/barrier_tree.hpp"

#include <gtest/gtest.h>

#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

const Time level = Time::ns(200);

class Leaf final : public BarrierSink, public EventSink {
 public:
  Leaf(Engine& engine, BarrierTree& tree, int number) : engine_(engine), tree_(tree), number_(number) {}
  void released() override { releases.push_back(engine_.now()); }
  std::vector<Time> releases;

 private:
  void fire(const Event&) override { tree_.arrive(number_, *this); }
  Engine& engine_;
  BarrierTree& tree_;
  int number_;
};

std::vector<Leaf> run(int branching, const std::vector<std::vector<Time>>& arrivals_of_rounds) {
  Engine engine(EngineOptions{});
  const int leaves = static_cast<int>(arrivals_of_rounds.front().size());
  BarrierTree tree(engine, Channel{Time(), level, Bandwidth()}, leaves, branching);
  std::vector<Leaf> all;
  for (int leaf = 0; leaf < leaves; ++leaf) all.emplace_back(engine, tree, leaf);
  EventOwner owner = engine.new_owner();
  for (const auto& arrivals : arrivals_of_rounds)
    for (std::size_t leaf = 0; leaf < arrivals.size(); ++leaf)
      engine.at(arrivals[leaf], EventKind::act, owner, all[leaf], 0);
  test::run_ranks(engine, {[](Thread& thread) {
                    thread.charge(Time::us(1'000'000));
                    thread.settle();
                  }});
  return all;
}

TEST(BarrierTree, ReleasesAllWhenTheLastHasArrived) {
  for (const Leaf& leaf : run(2, {{Time::us(3), Time::us(9), Time::us(5), Time::us(1)}}))
    EXPECT_EQ(leaf.releases, std::vector{Time::us(9) + level * 4});
}

TEST(BarrierTree, IsThereForTheNextRound) {
  for (const Leaf& leaf : run(4, {{Time::us(3), Time::us(9)}, {Time::us(20), Time::us(10)}}))
    EXPECT_EQ(leaf.releases, (std::vector{Time::us(9) + level * 2, Time::us(20) + level * 2}));
}

TEST(BarrierTree, OfOneLeafHasNoLevels) {
  for (const Leaf& leaf : run(4, {{Time::us(3)}})) EXPECT_EQ(leaf.releases, std::vector{Time::us(3)});
}

TEST(BarrierTree, HasAsManyLevelsAsItsLeavesNeed) {
  EXPECT_EQ(BarrierTree::levels_for(128, 4), 4);
  EXPECT_EQ(BarrierTree::levels_for(64, 4), 3);
  EXPECT_EQ(BarrierTree::levels_for(65, 4), 4);
  EXPECT_EQ(BarrierTree::levels_for(1024, 2), 10);
}

}  // namespace
}  // namespace hindcast
