#include "simulator/machine/file/nearest_name.hpp"

#include <gtest/gtest.h>

namespace hindcast {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", "abc"), 0U);
  EXPECT_EQ(edit_distance("abc", "abxc"), 1U);
  EXPECT_EQ(edit_distance("abc", "ac"), 1U);
  EXPECT_EQ(edit_distance("abc", "axc"), 1U);
  EXPECT_EQ(edit_distance("abc", "acb"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearestName, IsOnlyGivenWhenItIsNear) {
  EXPECT_EQ(nearest_name("t3e-90", {"t3d", "t3e-900", "ideal"}), "t3e-900");
  EXPECT_EQ(nearest_name("elephant", {"t3d", "t3e-900", "ideal"}), "");
}

}  // namespace
}  // namespace hindcast
