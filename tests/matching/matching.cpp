#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>
#include <vector>

#include "mpi_impl/matching/posted_receives.hpp"
#include "mpi_impl/matching/unexpected.hpp"

namespace hindcast::matching {
namespace {

constexpr std::int32_t any = Key::any;

std::vector<Item> items_with(const std::vector<Key>& keys) {
  std::vector<Item> items(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) items[i].key = keys[i];
  return items;
}

bool takes(const Key& pattern, const Key& key) {
  return pattern.context == key.context && (pattern.source == any || pattern.source == key.source) &&
         (pattern.tag == any || pattern.tag == key.tag);
}

TEST(PostedReceives, TheReceivePostedFirstTakesTheMessageWhateverItsWildcards) {
  std::vector<Item> receives = items_with({{0, any, 5}, {0, 3, 5}, {0, 3, any}, {0, any, any}, {1, 3, 5}});
  PostedReceives posted;
  for (Item& receive : receives) posted.add(receive, receive.key);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(posted.take({0, 3, 5}), &receives[i]);
  EXPECT_EQ(posted.take({0, 3, 5}), nullptr);
  EXPECT_EQ(posted.take({1, 3, 5}), &receives[4]);
}

TEST(PostedReceives, AreTakenInOrderWhetherFewOrMany) {
  std::vector<Item> receives(40);
  PostedReceives posted;
  for (int round = 0; round < 3; ++round) {  // many, then none, then few again
    const std::size_t count = round == 1 ? 3 : receives.size();
    for (std::size_t i = 0; i < count; ++i)
      posted.add(receives[i], Key{0, i % 2 == 0 ? any : 7, static_cast<std::int32_t>(i / 2 % 2)});
    ASSERT_EQ(posted.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      const Key message{0, 7, static_cast<std::int32_t>(i / 2 % 2)};
      // Those before it of its tag are gone, so the next of that tag is the first that is left.
      EXPECT_EQ(posted.find(message), &receives[i]);
      EXPECT_EQ(posted.take(message), &receives[i]);
    }
    ASSERT_EQ(posted.size(), 0U);
  }
}

TEST(PostedReceives, TheOneThatIsTakenKnowsHowManyAreLeftBeforeIt) {
  for (const std::size_t count : {std::size_t{5}, std::size_t{40}}) {
    std::vector<Item> receives(count);
    PostedReceives posted;
    for (std::size_t i = 0; i < count; ++i) posted.add(receives[i], Key{0, i % 3 == 0 ? any : 7, static_cast<int>(i)});
    const auto before = [&](std::size_t i) {
      std::uint64_t left = count;
      EXPECT_EQ(posted.take(Key{0, 7, static_cast<int>(i)}, &left), &receives[i]);
      return left;
    };
    EXPECT_EQ(before(3), 3U);
    EXPECT_EQ(before(count - 1), count - 2);
    EXPECT_EQ(before(0), 0U);
    EXPECT_EQ(before(2), 1U);
  }
}

TEST(PostedReceives, ReceivesOfOneKeyAreTakenInOrderAndCanBeTakenBack) {
  std::vector<Item> receives = items_with({{0, 1, 1}, {0, 1, 1}, {0, 1, 1}});
  PostedReceives posted;
  for (Item& receive : receives) posted.add(receive, receive.key);
  posted.remove(receives[1]);
  EXPECT_EQ(posted.take({0, 1, 1}), &receives[0]);
  EXPECT_EQ(posted.take({0, 1, 1}), &receives[2]);
  EXPECT_EQ(posted.size(), 0U);
}

TEST(Unexpected, IsFoundInTheOrderOfArrivalWithEveryWildcard) {
  std::vector<Item> messages = items_with({{0, 1, 9}, {0, 2, 8}, {0, 1, 8}, {0, 2, 9}});
  Unexpected unexpected;
  for (Item& message : messages) unexpected.add(message);
  EXPECT_EQ(unexpected.find({0, any, any}), &messages[0]);
  EXPECT_EQ(unexpected.find({0, any, 8}), &messages[1]);
  EXPECT_EQ(unexpected.find({0, 2, any}), &messages[1]);
  EXPECT_EQ(unexpected.find({0, 1, 8}), &messages[2]);
  EXPECT_EQ(unexpected.find({1, any, any}), nullptr);
  unexpected.remove(messages[0]);
  EXPECT_EQ(unexpected.find({0, any, any}), &messages[1]);
}

// Against lists searched from the front, which cannot be wrong.
TEST(Matching, AgreesWithAPlainSearchOverRandomOperations) {
  std::mt19937 random(3);
  const auto key = [&](bool may_be_wild) {
    const auto field = [&] {
      const auto value = static_cast<std::int32_t>(random() % (may_be_wild ? 5 : 4));
      return value == 4 ? any : value;
    };
    return Key{static_cast<std::uint32_t>(random() % 2), field(), field()};
  };
  PostedReceives posted;
  Unexpected unexpected;
  std::list<Item> all;
  std::list<Item*> posted_plainly;
  std::list<Item*> unexpected_plainly;
  for (int step = 0; step < 20000; ++step) {
    Item& item = all.emplace_back();
    if (random() % 2 == 0) {  // a receive
      item.key = key(true);
      const auto plain = std::find_if(unexpected_plainly.begin(), unexpected_plainly.end(),
                                      [&](const Item* message) { return takes(item.key, message->key); });
      Item* found = unexpected.find(item.key);
      ASSERT_EQ(found, plain == unexpected_plainly.end() ? nullptr : *plain);
      if (found != nullptr) {
        unexpected.remove(*found);
        unexpected_plainly.erase(plain);
      } else {
        posted.add(item, item.key);
        posted_plainly.push_back(&item);
      }
    } else {  // a message
      item.key = key(false);
      const auto plain = std::find_if(posted_plainly.begin(), posted_plainly.end(),
                                      [&](const Item* receive) { return takes(receive->key, item.key); });
      Item* taken = posted.take(item.key);
      ASSERT_EQ(taken, plain == posted_plainly.end() ? nullptr : *plain);
      if (taken != nullptr) {
        posted_plainly.erase(plain);
      } else {
        unexpected.add(item);
        unexpected_plainly.push_back(&item);
      }
    }
    ASSERT_EQ(posted.size(), posted_plainly.size());
    ASSERT_EQ(unexpected.size(), unexpected_plainly.size());
  }
}

// The work for one message must not grow with the number of others: counted in buckets' lengths, not in time.
TEST(Index, SpreadsThousandsOfKeysOverItsBuckets) {
  std::vector<Key> keys;
  for (std::int32_t source = 0; source < 100; ++source)
    for (std::int32_t tag = 0; tag < 100; ++tag) keys.push_back({3, source, tag});
  std::vector<std::size_t> chains(16384);
  for (const Key& key : keys) ++chains[hash_of(key) & (chains.size() - 1)];
  EXPECT_LE(*std::max_element(chains.begin(), chains.end()), 12U);
}

}  // namespace
}  // namespace hindcast::matching
