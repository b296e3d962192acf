#include "mpi_impl/core/windows/attached_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace hindcast::mpi {
namespace {

// What AttachedMemory answers, from looking at every piece and every byte.
class Plainly {
 public:
  struct Piece {
    std::size_t begin;
    std::size_t bytes;
  };
  bool overlaps(std::size_t begin, std::size_t bytes) const {
    return std::ranges::any_of(
        pieces_, [&](const Piece& piece) { return begin < piece.begin + piece.bytes && piece.begin < begin + bytes; });
  }
  void add(std::size_t begin, std::size_t bytes) { pieces_.push_back({begin, bytes}); }
  bool remove(std::size_t begin) {
    const auto found = std::ranges::find(pieces_, begin, &Piece::begin);
    if (found == pieces_.end()) return false;
    pieces_.erase(found);
    return true;
  }
  bool covers(std::size_t begin, std::size_t bytes) const {
    for (std::size_t at = begin; at < begin + bytes; ++at)
      if (!overlaps(at, 1)) return false;
    return true;
  }

 private:
  std::vector<Piece> pieces_;
};

TEST(AttachedMemory, AnswersAsIfEveryPieceWereLookedAt) {
  std::mt19937 random(3);
  static std::byte memory[128];
  AttachedMemory attached;
  Plainly plainly;
  int overlaps = 0;
  int covers = 0;
  for (int step = 0; step < 20000; ++step) {
    const std::size_t begin = random() % 64;
    const std::size_t bytes = random() % 8;
    const std::byte* const at = memory + begin;
    ASSERT_EQ(attached.covers(at, bytes), plainly.covers(begin, bytes)) << step;
    covers += bytes > 0 && plainly.covers(begin, bytes) ? 1 : 0;
    if (random() % 4 == 0) {
      ASSERT_EQ(attached.remove(at), plainly.remove(begin)) << step;
      continue;
    }
    ASSERT_EQ(attached.overlaps(at, bytes), plainly.overlaps(begin, bytes)) << step;
    overlaps += plainly.overlaps(begin, bytes) ? 1 : 0;
    if (plainly.overlaps(begin, bytes)) continue;
    attached.add(at, bytes);
    plainly.add(begin, bytes);
  }
  EXPECT_GT(overlaps, 1000);
  EXPECT_GT(covers, 1000);
}

}  // namespace
}  // namespace hindcast::mpi
