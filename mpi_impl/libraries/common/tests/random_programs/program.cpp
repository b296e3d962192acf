#include "mpi_impl/libraries/common/tests/random_programs/program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "mpi_impl/transport/group_operations.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast::mpi::random_programs {
namespace {

const StepKind computation{"computation", ""};

}  // namespace

void World::fire(const Event& event) { text += fmt::format("{} says {}\n", event.at.in_ps(), event.data); }

std::string Program::run() {
  library_.begin(rank_, endpoint_, plan_.ranks);
  for (std::size_t k = 0; k < plan_.messages.size(); ++k) {
    const PlannedMessage& message = plan_.messages[k];
    if (message.may_be_cancelled) {
      if (message.to == me_) expect_open(k);
      if (message.from == me_) start_open(k);
      something_else();
      continue;
    }
    const bool comes_for_sure = message.comes_for_sure_to(me_);
    if (comes_for_sure && message.wild && below(6) == 0) probe_until_there();
    const bool blocks = comes_for_sure && below(4) == 0;
    if (message.may_come_to(me_)) post(k, blocks);
    if (blocks) finish(receives_.back());
    if (message.from == me_) message.to == everybody ? broadcast(k) : start_send(k);
    if (message.from == everybody) {
      library_.meet(rank_, endpoint_, plan_.ranks);
      log("passed a barrier");
    }
    something_else();
  }
  for (auto& receive : receives_) finish(receive);
  expect_each_senders_order();
  for (auto& send : sends_) finish(send);
  end_open();
  log("end");
  return text_;
}

void Program::log(const std::string& what) {
  if (!thread().clock_is_certain()) thread().settle();
  text_ += fmt::format("{} {} {}\n", me_, thread().clock().in_ps(), what);
}

void Program::post(std::size_t k, bool blocks) {
  const PlannedMessage& message = plan_.messages[k];
  Receive& receive = receives_.emplace_back();
  receive.wild = message.wild;
  post(receive,
       message.wild ? Pattern{library_.wild_context(), Pattern::any, Pattern::any}
                    : Pattern{0, message.from, static_cast<std::int32_t>(k)},
       blocks);
}

void Program::post(Receive& receive, const Pattern& pattern, bool blocks) {
  receive.buffer.resize(6000);
  receive.operation.data = receive.buffer.data();
  receive.operation.capacity = Bytes(6000);
  receive.operation.is_blocking = blocks;
  receive.operation.is_nonblocking = !blocks;
  receive.operation.pattern = pattern;
  endpoint_.receive(receive.operation);
}

void Program::start_send(std::size_t k) {
  Send& send = sends_.emplace_back();
  send.wild = plan_.messages[k].wild;
  start(send, k, send.wild ? library_.wild_context() : 0);
}

void Program::start(Send& send, std::size_t k, std::uint32_t context) {
  const PlannedMessage& message = plan_.messages[k];
  send.buffer.assign(message.bytes, static_cast<char>(k));
  send.operation.data = send.buffer.data();
  send.operation.bytes = Bytes(message.bytes);
  send.operation.envelope = {context, me_, static_cast<std::int32_t>(k)};
  send.operation.destination = message.to;
  send.operation.mode = message.mode;
  send.operation.is_nonblocking = k % 2 == 0;
  endpoint_.send(send.operation);
}

void Program::broadcast(std::size_t k) {
  std::vector<char> buffer(plan_.messages[k].bytes, static_cast<char>(k));
  SendOperation send;
  send.data = buffer.data();
  send.bytes = Bytes(buffer.size());
  send.envelope = {0, me_, static_cast<std::int32_t>(k)};
  endpoint_.group_operations()->broadcast(send, {});
}

void Program::something_else() {
  switch (below(open_sends_.empty() ? 7 : 8)) {
    case 0:
      return thread().spend(computation, Time::ns(static_cast<std::int64_t>(below(5000))));
    case 1:
      return test_one();
    case 2:
      return probe();
    case 3:
      if (!receives_.empty()) finish(receives_[below(static_cast<std::uint32_t>(receives_.size()))]);
      return;
    case 4:
      if (!sends_.empty()) {
        Send& send = sends_[below(static_cast<std::uint32_t>(sends_.size()))];
        if (!send.wild) finish(send);
      }
      return;
    case 5:
      thread().charge(Time::ps(7));
      return thread().act(world_, below(1000) + static_cast<std::uint64_t>(me_) * 1000);
    case 6:
      return log("looks at the clock");
    default:
      return cancel_one();
  }
}

void Program::test_one() {
  if (receives_.empty()) return;
  Receive& receive = receives_[below(static_cast<std::uint32_t>(receives_.size()))];
  if (receive.done) return;
  endpoint_.poll(test::NoWait());
  while (!receive.operation.holds_at(thread().clock()) && thread().engine().now() < thread().clock()) thread().settle();
  const bool done = receive.operation.holds_at(thread().clock());
  log(done ? "tested: done" : "tested: not yet");
  if (done) finish(receive);
}

void Program::probe() {
  endpoint_.poll(test::NoWait());
  thread().settle();
  Envelope envelope;
  Bytes bytes;
  const bool found = endpoint_.probe({library_.wild_context(), Pattern::any, Pattern::any}, envelope, bytes, nullptr);
  log(found ? fmt::format("probed {} {}", envelope.tag, bytes.count()) : "probed nothing");
}

// More wild messages are to come than wild receives are posted.
void Program::probe_until_there() {
  Envelope envelope;
  Bytes bytes;
  for (;;) {
    thread().settle();
    Completion arrival;
    if (endpoint_.probe({library_.wild_context(), Pattern::any, Pattern::any}, envelope, bytes, &arrival)) break;
    wait_for(endpoint_, arrival);
  }
  log(fmt::format("found {} {}", envelope.tag, bytes.count()));
}

void Program::finish(Receive& receive) {
  if (receive.done) return;
  wait_for(endpoint_, receive.operation);
  endpoint_.finish(receive.operation);
  receive.done = true;
  const std::int32_t k = receive.operation.envelope.tag;
  const std::uint64_t bytes = receive.operation.bytes.count();
  EXPECT_EQ(bytes, plan_.messages[static_cast<std::size_t>(k)].bytes);
  for (std::uint64_t i = 0; i < bytes; ++i) ASSERT_EQ(receive.buffer[i], static_cast<char>(k));
  log(fmt::format("received {}", k));
}

// Receives that take any message take those of one sender in the order in which they were sent.
void Program::expect_each_senders_order() const {
  std::map<std::int32_t, std::int32_t> last_of_sender;
  for (const Receive& receive : receives_) {
    if (!receive.wild) continue;
    const Envelope& taken = receive.operation.envelope;
    const auto [last, is_first] = last_of_sender.try_emplace(taken.source, taken.tag);
    if (is_first) continue;
    EXPECT_LT(last->second, taken.tag) << "from " << taken.source << " to " << me_;
    last->second = taken.tag;
  }
}

void Program::finish(Send& send) {
  if (send.done) return;
  wait_for(endpoint_, send.operation);
  endpoint_.release_buffer(send.operation);
  endpoint_.finish(send.operation);
  send.done = true;
  std::fill(send.buffer.begin(), send.buffer.end(), static_cast<char>(99));
  log(fmt::format("sent {}", send.operation.envelope.tag));
}

}  // namespace hindcast::mpi::random_programs
