#include "simulator/engine/memory/copy_bytes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>

namespace hindcast {
namespace {

constexpr std::size_t page = 4096;

// A place in it says where in a page it is.
struct alignas(page) Pages {
  std::array<unsigned char, 6 * page> bytes;
  bool operator==(const Pages&) const = default;
};

// Where the target lies in a page, relative to the source, decides how the bytes are copied.
TEST(CopyBytes, MovesSoManyBytesAndNoMoreWhereverTheyLie) {
  const auto from = std::make_unique<Pages>();
  for (std::size_t i = 0; i < from->bytes.size(); ++i) from->bytes[i] = static_cast<unsigned char>(i % 251 + 1);
  for (const std::size_t source : {0, 16, 4080})
    for (const std::size_t target : {0, 1, 16, 31, 32, 47, 48, 4079, 4095})
      for (const std::size_t bytes : {0, 1, 33, 2047, 2048, 2049, 4095, 4096, 4097, 10000}) {
        SCOPED_TRACE(testing::Message() << bytes << " bytes from " << source << " to " << target);
        const auto to = std::make_unique<Pages>(), expected = std::make_unique<Pages>();
        for (std::size_t i = 0; i < bytes; ++i) expected->bytes[target + i] = from->bytes[source + i];
        copy_bytes(&to->bytes[target], &from->bytes[source], bytes);
        EXPECT_TRUE(*to == *expected);
      }
}

}  // namespace
}  // namespace hindcast
