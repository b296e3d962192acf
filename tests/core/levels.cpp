// How the members of a group lie on nodes and at sites.
#include "mpi_impl/core/communicators/levels.hpp"

#include <gtest/gtest.h>

namespace hindcast::mpi {
namespace {

std::vector<int> listed(std::span<const int> ranks) { return {ranks.begin(), ranks.end()}; }

Places on_nodes(const std::vector<int>& nodes, const std::vector<int>& sites = {}) {
  Places places;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    places.put(static_cast<int>(rank), {nodes[rank], sites.empty() ? 0 : sites[rank]});
  return places;
}

TEST(Places, AreAllAlikeUntilTwoRanksShareANodeOrTwoSitesAreThere) {
  EXPECT_TRUE(Places().are_all_alike());
  EXPECT_TRUE(on_nodes({4, 0, 7}).are_all_alike());
  EXPECT_FALSE(on_nodes({4, 0, 4}).are_all_alike());
  EXPECT_FALSE(on_nodes({4, 0, 7}, {1, 1, 0}).are_all_alike());
  EXPECT_TRUE(on_nodes({4, 0, 7}, {1, 1, 1}).are_all_alike());
}

TEST(Division, PutsTogetherWhoHasTheSameNumber) {
  const Division division({7, 2, 7, 2, 2, 9});
  ASSERT_EQ(division.count(), 3);
  EXPECT_EQ(division.members(), 6);
  EXPECT_EQ(listed(division.members_of(0)), (std::vector{0, 2}));
  EXPECT_EQ(listed(division.members_of(1)), (std::vector{1, 3, 4}));
  EXPECT_EQ(listed(division.members_of(2)), (std::vector{5}));
  EXPECT_EQ(listed(division.leaders()), (std::vector{0, 1, 5}));
  EXPECT_EQ(division.largest(), 3);
  EXPECT_TRUE(division.are_several());
  EXPECT_FALSE(division.are_in_order());
}

TEST(Division, KnowsThePlaceOfEachMember) {
  const Division division({7, 2, 7, 2, 2, 9});
  int place = 0;
  for (int part = 0; part < division.count(); ++part) {
    EXPECT_EQ(division.begin_of(part), place);
    EXPECT_EQ(division.leader_of(part), division.member_at(place));
    for (int i = 0; i < division.size_of(part); ++i, ++place) {
      const int rank = division.member_at(place);
      EXPECT_EQ(division.place_of(rank), place);
      EXPECT_EQ(division.part_of(rank), part);
      EXPECT_EQ(division.place_in_part(rank), i);
    }
  }
  EXPECT_EQ(place, division.members());
}

TEST(Division, IsInOrderIfPartsHaveConsecutiveMembers) {
  EXPECT_TRUE(Division({3, 3, 1, 1, 1, 2}).are_in_order());
  EXPECT_FALSE(Division({3, 3, 1, 1, 3, 2}).are_in_order());
}

TEST(Levels, AreThereIfSomeButNotAllAreTogether) {
  const Group all(0, 1, 4);
  EXPECT_EQ(Levels(all, on_nodes({0, 1, 2, 3})).division(Level::nearest), nullptr);
  EXPECT_EQ(Levels(all, on_nodes({5, 5, 5, 5})).division(Level::nearest), nullptr);
  EXPECT_EQ(Levels(Group(3, 1, 1), on_nodes({5, 5, 5, 5})).division(Level::nearest), nullptr);
  EXPECT_NE(Levels(all, on_nodes({0, 1, 1, 3})).division(Level::nearest), nullptr);
}

TEST(Levels, OfAGroupAreThoseOfItsMembersInTheirOrder) {
  const Levels levels(Group(std::vector{5, 0, 4}), on_nodes({0, 0, 0, 1, 1, 1}));
  const Division* nodes = levels.division(Level::node);
  ASSERT_NE(nodes, nullptr);
  EXPECT_EQ(listed(nodes->leaders()), (std::vector{0, 1}));
  EXPECT_EQ(listed(nodes->members_of(0)), (std::vector{0, 2}));
}

TEST(Levels, TakeNodesFirstAndSitesWhereNodesAreNotSeveral) {
  const Levels both(Group(0, 1, 4), on_nodes({0, 0, 1, 2}, {0, 0, 0, 1}));
  EXPECT_EQ(both.division(Level::nearest), both.division(Level::node));
  EXPECT_EQ(both.division(Level::node)->count(), 3);
  EXPECT_EQ(both.division(Level::site)->count(), 2);
  const Levels sites(Group(0, 1, 4), on_nodes({0, 1, 2, 3}, {0, 0, 0, 1}));
  EXPECT_EQ(sites.division(Level::node), nullptr);
  EXPECT_EQ(sites.division(Level::nearest), sites.division(Level::site));
}

TEST(KnownLevels, AreSharedByAllWhoAskForTheSameMembers) {
  const Places places = on_nodes({0, 0, 1, 1});
  KnownLevels known;
  const auto first = known.of(std::make_shared<const Group>(0, 1, 3), places);
  EXPECT_EQ(known.of(std::make_shared<const Group>(0, 1, 3), places), first);
  EXPECT_NE(known.of(std::make_shared<const Group>(1, 1, 3), places), first);
  EXPECT_NE(known.of(std::make_shared<const Group>(std::vector{0, 2, 1}), places), first);
  std::weak_ptr<const Levels> gone = known.of(std::make_shared<const Group>(2, -1, 3), places);
  EXPECT_TRUE(gone.expired());
}

TEST(KnownLevels, AreNoneWhereAllRanksAreAlike) {
  const Places places = on_nodes({0, 1, 2, 3});
  EXPECT_EQ(KnownLevels().of(std::make_shared<const Group>(0, 1, 3), places), nullptr);
}

}  // namespace
}  // namespace hindcast::mpi
