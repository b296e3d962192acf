#include "simulator/engine/lookahead.hpp"

#include <gtest/gtest.h>

namespace hindcast {

namespace {

void count(Lookahead& lookahead, int messages, Bytes bytes) {
  for (int i = 0; i < messages; ++i) lookahead.count_message(bytes);
}

TEST(Lookahead, is_worth_while_for_many_threads_whatever_they_send) {
  Lookahead lookahead;
  EXPECT_TRUE(lookahead.is_worth_while(1024));
  EXPECT_FALSE(lookahead.is_worth_while(64));
  count(lookahead, 10'000, Bytes(40));
  EXPECT_TRUE(lookahead.is_worth_while(1024));
  EXPECT_FALSE(lookahead.is_worth_while(64));
}

TEST(Lookahead, is_worth_while_for_fewer_threads_as_long_as_they_send_long_messages) {
  Lookahead lookahead;
  EXPECT_TRUE(lookahead.is_worth_while(256));
  count(lookahead, 2048, Bytes(40));
  EXPECT_FALSE(lookahead.is_worth_while(256));
  count(lookahead, 2048, Bytes(4096));
  EXPECT_TRUE(lookahead.is_worth_while(256));
}

}  // namespace

}  // namespace hindcast
