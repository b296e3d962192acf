// Groups, whether they are progressions or lists.
#include "mpi_impl/core/communicators/group.hpp"

#include <gtest/gtest.h>

namespace hindcast::mpi {
namespace {

TEST(Group, TranslatesBothWays) {
  for (const std::vector<int>& members :
       std::vector<std::vector<int>>{{0, 1, 2, 3}, {5}, {}, {7, 5, 3, 1}, {2, 4, 6}, {3, 0, 7, 2}, {9, 8, 0}}) {
    const Group group(members);
    ASSERT_EQ(group.size(), static_cast<int>(members.size()));
    std::vector<int> rank_of(12, MPI_UNDEFINED);
    for (int rank = 0; rank < group.size(); ++rank) {
      EXPECT_EQ(group.world_rank(rank), members[static_cast<std::size_t>(rank)]);
      rank_of[static_cast<std::size_t>(members[static_cast<std::size_t>(rank)])] = rank;
    }
    for (int world_rank = 0; world_rank < 12; ++world_rank)
      EXPECT_EQ(group.rank_of(world_rank), rank_of[static_cast<std::size_t>(world_rank)]);
  }
}

TEST(Group, Compares) {
  const Group forwards(0, 1, 4), backwards(3, -1, 4), mixed({1, 0, 3, 2}), other({0, 1, 2, 4});
  EXPECT_EQ(Group::compare(forwards, Group({0, 1, 2, 3})), MPI_IDENT);
  EXPECT_EQ(Group::compare(forwards, backwards), MPI_SIMILAR);
  EXPECT_EQ(Group::compare(mixed, backwards), MPI_SIMILAR);
  EXPECT_EQ(Group::compare(forwards, other), MPI_UNEQUAL);
  EXPECT_EQ(Group::compare(forwards, Group(0, 1, 3)), MPI_UNEQUAL);
}

TEST(Groups, SharesEqualLists) {
  Groups groups;
  const GroupPointer first = groups.get({3, 0, 7});
  EXPECT_EQ(groups.get({3, 0, 7}), first);
  EXPECT_NE(groups.get({3, 7, 0}), first);
}

TEST(SharedObjects, ForgetsWhatNobodyHas) {
  SharedObjects<std::vector<int>, Group> groups;
  const GroupPointer kept = groups.get({3, 0, 7});
  for (int i = 0; i < 10000; ++i) groups.get({i, 0, 7});
  EXPECT_LT(groups.known(), 200U);
  EXPECT_EQ(groups.get({3, 0, 7}), kept);
}

}  // namespace
}  // namespace hindcast::mpi
