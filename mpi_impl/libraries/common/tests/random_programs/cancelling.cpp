// Messages of a random program that their senders may cancel. Whoever waits for the end of one is in a call that makes
// progress, and nobody leaves before it knows what became of those that are for it, so every question is answered.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mpi_impl/libraries/common/tests/random_programs/program.hpp"

namespace hindcast::mpi::random_programs {
namespace {

constexpr std::uint32_t context = 0;
constexpr std::uint64_t bytes_if_cancelled = 4, bytes_if_not = 8;

}  // namespace

// No other message has it.
std::int32_t Program::telling_tag(std::size_t k) const { return static_cast<std::int32_t>(plan_.messages.size() + k); }

void Program::start_open(std::size_t k) {
  OpenSend& send = open_sends_.emplace_back();
  send.k = k;
  start(send, k, context);
}

void Program::expect_open(std::size_t k) {
  OpenReceive& receive = open_receives_.emplace_back();
  receive.k = k;
  if (below(2) == 0 && library_.posts_at_once()) post_open(receive);
}

// At its time: a match that is made ahead of the clock is made for good, and a question that comes before the time of
// the receive would be answered otherwise in lockstep.
void Program::post_open(OpenReceive& receive) {
  thread().settle();
  receive.is_posted = true;
  const Pattern pattern{context, plan_.messages[receive.k].from, static_cast<std::int32_t>(receive.k)};
  post(receive, pattern, false);
}

void Program::cancel_one() { cancel(open_sends_[below(static_cast<std::uint32_t>(open_sends_.size()))]); }

void Program::cancel(OpenSend& send) {
  if (send.done) return;
  thread().settle();
  endpoint_.cancel(send.operation);
  finish(send);
  log(send.operation.cancelled ? "cancelled" : "too late to cancel");
}

void Program::end_open() {
  for (OpenSend& send : open_sends_) cancel(send);
  for (const OpenSend& send : open_sends_) tell_of(send);
  for (OpenReceive& receive : open_receives_) end(receive);
}

void Program::tell_of(const OpenSend& send) {
  const std::vector<char> data(send.operation.cancelled ? bytes_if_cancelled : bytes_if_not);
  SendOperation telling;
  telling.data = data.data();
  telling.bytes = Bytes(data.size());
  telling.envelope = {context, me_, telling_tag(send.k)};
  telling.destination = send.operation.destination;
  endpoint_.send(telling);
  wait_for(endpoint_, telling);
  endpoint_.release_buffer(telling);
  endpoint_.finish(telling);
}

// Whether it was cancelled.
bool Program::learn_of(const OpenReceive& receive) {
  std::vector<char> data(bytes_if_not);
  ReceiveOperation telling;
  telling.data = data.data();
  telling.capacity = Bytes(data.size());
  telling.pattern = {context, plan_.messages[receive.k].from, telling_tag(receive.k)};
  endpoint_.receive(telling);
  wait_for(endpoint_, telling);
  endpoint_.finish(telling);
  return telling.bytes == Bytes(bytes_if_cancelled);
}

void Program::end(OpenReceive& receive) {
  const bool was_cancelled = learn_of(receive);
  if (was_cancelled && !receive.is_posted) return;
  if (!receive.is_posted) post_open(receive);
  if (!was_cancelled) return finish(receive);
  thread().settle();
  EXPECT_FALSE(receive.operation.is_known());
  endpoint_.cancel(receive.operation);
  wait_for(endpoint_, receive.operation);
  endpoint_.finish(receive.operation);
  EXPECT_TRUE(receive.operation.cancelled);
  log("gives up a receive");
}

}  // namespace hindcast::mpi::random_programs
