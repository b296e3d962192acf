#include "simulator/engine/fifo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

namespace hindcast {
namespace {

// What a program may do with it, beside the standard library's.
class FifoTest : public testing::Test {
 protected:
  void push(int item) {
    fifo_.push_back(item);
    expected_.push_back(item);
  }
  void pop() {
    fifo_.pop_front();
    expected_.pop_front();
  }
  void insert(std::size_t place, int item) {
    fifo_.insert(fifo_.begin() + place, item);
    expected_.insert(expected_.begin() + static_cast<std::ptrdiff_t>(place), item);
  }
  void expect_the_same() {
    ASSERT_EQ(std::vector<int>(fifo_.begin(), fifo_.end()), std::vector<int>(expected_.begin(), expected_.end()));
    ASSERT_EQ(fifo_.empty(), expected_.empty());
    ASSERT_EQ(fifo_.size(), expected_.size());
    if (expected_.empty()) return;
    ASSERT_EQ(fifo_.front(), expected_.front());
    ASSERT_EQ(fifo_.back(), expected_.back());
  }

  Fifo<int> fifo_;
  std::deque<int> expected_;
};

TEST_F(FifoTest, WhatComesFirstGoesFirst) {
  constexpr int seeds = 20;
  for (int seed = 1; seed <= seeds; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    const unsigned often = 2 + random() % 3;  // pops are as frequent as what is put there, or less
    for (int step = 0; step < 500; ++step) {
      if (random() % often == 0 && !expected_.empty())
        pop();
      else if (random() % 4 == 0)
        insert(random() % (expected_.size() + 1), step);
      else
        push(step);
      expect_the_same();
    }
    while (!expected_.empty()) pop();
    expect_the_same();
  }
}

TEST_F(FifoTest, PutsItselfInOrderAndLeavesEqualOnesAsTheyAre) {
  struct Item {
    int key;
    int number;
    bool operator<(const Item& other) const { return key < other.key; }
  };
  std::mt19937 random(3);
  for (std::size_t count = 0; count < 40; ++count) {
    Fifo<Item> fifo;
    std::vector<Item> expected;
    for (std::size_t i = 0; i < count; ++i) {
      expected.push_back({static_cast<int>(random() % 8), static_cast<int>(i)});
      fifo.push_back(expected.back());
    }
    fifo.put_in_order();
    std::stable_sort(expected.begin(), expected.end());
    ASSERT_TRUE(std::equal(fifo.begin(), fifo.end(), expected.begin(), expected.end(),
                           [](const Item& a, const Item& b) { return a.key == b.key && a.number == b.number; }));
  }
}

TEST_F(FifoTest, OneThatIsNeverEmptyUsesItsPlacesAgain) {
  for (int i = 0; i < 3; ++i) push(i);
  const auto move_on = [&] {
    push(expected_.back() + 1);
    pop();
    expect_the_same();
  };
  for (int i = 0; i < 10; ++i) move_on();
  const int* lowest = fifo_.begin();
  const int* highest = fifo_.end();
  for (int i = 0; i < 1000; ++i) {
    move_on();
    lowest = std::min<const int*>(lowest, fifo_.begin());
    highest = std::max<const int*>(highest, fifo_.end());
  }
  EXPECT_LE(highest - lowest, 8);
}

}  // namespace
}  // namespace hindcast
