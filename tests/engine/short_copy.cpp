#include "simulator/engine/memory/short_copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace hindcast {
namespace {

TEST(ShortCopy, MovesSoManyBytesAndNoMore) {
  constexpr std::size_t around = 16;
  for (std::size_t bytes = 0; bytes <= 80; ++bytes) {
    SCOPED_TRACE(bytes);
    std::vector<unsigned char> from(bytes);
    for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<unsigned char>(i + 1);
    std::vector<unsigned char> to(bytes + 2 * around, 0xee);
    copy_short(&to[around], from.data(), bytes);
    std::vector<unsigned char> expected(bytes + 2 * around, 0xee);
    std::copy(from.begin(), from.end(), expected.begin() + around);
    EXPECT_EQ(to, expected);
  }
}

TEST(ShortCopy, OfNothingLooksAtNothing) { copy_short(nullptr, nullptr, 0); }

}  // namespace
}  // namespace hindcast
