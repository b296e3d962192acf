#include "simulator/engine/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/engine/rows.hpp"

namespace hindcast {

namespace {

struct Other {
  int number;
};
struct None {
  int number;
};

// Made before the rows, if this file's constants are made first, and after some of them if they are not.
const std::size_t seen_while_constants_are_made =
    static_cast<std::size_t>(std::distance(Rows<Fruit>().begin(), Rows<Fruit>().end()));

const Row<Fruit> apple{{.name = "apple", .place = 1}}, cherry{{.name = "cherry", .place = 3}};
const Row<Other> other{{7}};

std::vector<std::string> names_of_fruits() {
  std::vector<Fruit> fruits(Rows<Fruit>().begin(), Rows<Fruit>().end());
  std::sort(fruits.begin(), fruits.end(), [](const Fruit& a, const Fruit& b) { return a.place < b.place; });
  std::vector<std::string> names;
  for (const Fruit& fruit : fruits) names.push_back(fruit.name);
  return names;
}

TEST(Rows, of_a_type_are_those_of_all_files) {
  EXPECT_EQ(names_of_fruits(), (std::vector<std::string>{"apple", "pear", "cherry"}));
}

TEST(Rows, of_one_type_are_not_those_of_another) {
  ASSERT_NE(Rows<Other>().begin(), Rows<Other>().end());
  EXPECT_EQ(Rows<Other>().begin()->number, 7);
  EXPECT_EQ(std::next(Rows<Other>().begin()), Rows<Other>().end());
}

TEST(Rows, may_be_none) { EXPECT_EQ(Rows<None>().begin(), Rows<None>().end()); }

TEST(Rows, can_be_asked_for_while_constants_are_made) { EXPECT_LE(seen_while_constants_are_made, 1U); }

}  // namespace

}  // namespace hindcast
