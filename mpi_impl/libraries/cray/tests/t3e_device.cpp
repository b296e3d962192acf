// MPI's two libraries on the T3E: which protocol moves a message, of which steps it is made, senders that want one lock
// at the same time, queues that are full, and progress in the barrier.

#include "mpi_impl/libraries/cray/mpi/device.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <sstream>

#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/cray/tests/t3e_parts.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/ranks.hpp"
#include "traces/stream.hpp"

namespace hindcast::mpi {
namespace {

using test::NoWait;

// What one rank of a test calls.
class Caller {
 public:
  Caller(Device& device, int rank, int ranks, std::vector<Time>& told)
      : device_(device), rank_(rank), ranks_(ranks), told_(told) {}

  int rank() const { return rank_; }
  Thread& thread() const { return *Thread::current(); }
  Device& device() const { return device_; }

  void begin_send(SendOperation& send, const std::vector<char>& data, int to, SendMode mode = SendMode::standard,
                  int tag = 0) const {
    send.data = data.data();
    send.bytes = Bytes(data.size());
    send.envelope = {0, rank_, tag};
    send.destination = to;
    send.mode = mode;
    device_.send(send);
  }
  void send(const std::vector<char>& data, int to, SendMode mode = SendMode::standard, int tag = 0) const {
    SendOperation send;
    begin_send(send, data, to, mode, tag);
    end(send);
  }
  void begin_receive(ReceiveOperation& receive, std::vector<char>& data, int from, int tag = 0) const {
    receive.data = data.data();
    receive.capacity = Bytes(data.size());
    receive.pattern = {0, from, tag};
    device_.receive(receive);
  }
  void receive(std::vector<char>& data, int from, int tag = 0) const {
    ReceiveOperation receive;
    begin_receive(receive, data, from, tag);
    end(receive);
  }
  template <typename Operation>
  void end(Operation& operation) const {
    wait_for(operation);
    if constexpr (std::is_same_v<Operation, SendOperation>) device_.release_buffer(operation);
    device_.finish(operation);
  }
  void wait_for(Completion& completion) const {
    NoWait why;
    Gate gate(thread());
    gate.add(completion);
    device_.wait(gate, why);
  }
  void meet() const {
    Operation over;
    device_.group_operations()->meet({0, rank_, ranks_}, over);
    wait_for(over);
  }
  void compute(Time time) const { thread().charge(time); }
  void leave() const { device_.leave(); }
  // For the test to look at afterwards.
  void tell(Time time) const { told_.push_back(time); }

 private:
  Device& device_;
  int rank_;
  int ranks_;
  std::vector<Time>& told_;
};

// How many steps there were, by name.
using Counts = std::map<std::string, int>;

class Counter final : public traces::Sink {
 public:
  void take(const traces::RecordedStep& step) override { ++counts[step.kind->name]; }
  Counts counts;
};

using Program = std::function<void(const Caller&)>;

struct Outcome {
  Counts counts;
  std::vector<Time> ends;  // of the ranks
  std::vector<Time> told;
  int of(const std::string& name) const {
    const auto found = counts.find(name);
    return found != counts.end() ? found->second : 0;
  }
};

// One program for each rank, on the T3E's network, in this process.
Outcome run_here(const T3eMode& mode, const std::vector<Program>& programs, bool lockstep,
                 const std::function<void(Ending)>& on_end) {
  EngineOptions options;
  options.lockstep = lockstep;
  Engine engine(options);
  const MachineFile file = load_machine("t3e-900");
  const int ranks = static_cast<int>(programs.size());
  const auto machine = Machine::build(engine, file, ranks, library_of(file).parts_for(file));
  Outcome outcome;
  outcome.ends.resize(programs.size());
  Counter counter;
  traces::Stream stream(engine, counter);
  engine.set_recorder(&stream);
  T3eParts parts(engine, machine->network(), ranks, mode);
  std::vector<Device*> devices;
  for (int rank = 0; rank < ranks; ++rank) {
    Rank& added = engine.add_rank(machine->host_name(rank));
    engine.start_thread(added, [&, rank] {
      const Caller caller(*devices[static_cast<std::size_t>(rank)], rank, ranks, outcome.told);
      programs[static_cast<std::size_t>(rank)](caller);
      caller.leave();
      outcome.ends[static_cast<std::size_t>(rank)] = Thread::current()->clock();
    });
    devices.push_back(&parts.add(added, rank));
  }
  engine.run(on_end);
  stream.finish();
  outcome.counts = counter.counts;
  return outcome;
}

// The same in a process of its own, as there is one engine in each.
Outcome run(const T3eMode& mode, const std::vector<Program>& programs, bool lockstep = false) {
  std::istringstream text(test::text_from_child([&] {
    const Outcome outcome = run_here(mode, programs, lockstep, test::must_not_end_early);
    if (testing::Test::HasFailure()) _exit(3);
    std::string lines;
    for (const auto& [name, count] : outcome.counts) lines += fmt::format("count {} {}\n", count, name);
    for (const Time end : outcome.ends) lines += fmt::format("end {}\n", end.in_ps());
    for (const Time told : outcome.told) lines += fmt::format("told {}\n", told.in_ps());
    return lines;
  }));
  Outcome outcome;
  std::int64_t number = 0;
  for (std::string what, name; text >> what >> number;) {
    std::getline(text, name);
    if (what == "count")
      outcome.counts[name.substr(1)] = static_cast<int>(number);
    else
      (what == "end" ? outcome.ends : outcome.told).push_back(Time::ps(number));
  }
  return outcome;
}

std::vector<char> data_of(std::size_t bytes, int seed = 1) {
  std::vector<char> data(bytes);
  std::iota(data.begin(), data.end(), static_cast<char>(seed));
  return data;
}

// A message from rank 0 to rank 1, which has posted its receive; what is received is right.
Outcome message(const T3eMode& mode, std::size_t bytes, SendMode send_mode = SendMode::standard) {
  return run(mode, {[&](const Caller& caller) {
                      caller.compute(Time::us(50));
                      caller.send(data_of(bytes), 1, send_mode);
                    },
                    [&](const Caller& caller) {
                      std::vector<char> data(bytes);
                      caller.receive(data, 0);
                      EXPECT_EQ(data, data_of(bytes));
                    }});
}

// The steps of a message, as the protocols are told apart by them. Swaps that found a lock taken do not count.
struct Steps {
  int messages, swaps, puts, gets, sends, copies;
  friend bool operator==(const Steps&, const Steps&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Steps& steps) {
    return out << fmt::format("{} messages, {} swaps, {} puts, {} gets, {} SENDs, {} copies", steps.messages,
                              steps.swaps, steps.puts, steps.gets, steps.sends, steps.copies);
  }
};
Steps steps_in(const Outcome& outcome) {
  int copies = 0;
  for (const auto& [name, count] : outcome.counts)
    if (name.starts_with("copy")) copies += count;
  return {outcome.of("protocol message"),
          outcome.of("swap") - outcome.of("pause after a lock was taken"),
          outcome.of("put"),
          outcome.of("get"),
          outcome.of("SEND"),
          copies};
}

const T3eMode new_library;
const T3eMode old_library{.is_old = true};

constexpr Steps new_t{1, 0, 0, 0, 1, 0};
constexpr Steps new_rta{2, 0, 0, 1, 2, 0};
constexpr Steps old_t{1, 2, 1, 0, 0, 0};
constexpr Steps old_tn{1, 2, 1, 0, 0, 2};
constexpr Steps old_rta{2, 4, 2, 1, 0, 0};

TEST(T3eDevice, ShortDataTravelsInThePacketInTheNewLibraryAndIsGotOtherwise) {
  for (const std::size_t bytes : {0, 1, 8, 55, 56}) EXPECT_EQ(steps_in(message(new_library, bytes)), new_t);
  for (const std::size_t bytes : {57, 64, 5000}) EXPECT_EQ(steps_in(message(new_library, bytes)), new_rta) << bytes;
}

TEST(T3eDevice, DataTravelsInOneSlotOrSeveralOrIsGotInTheOldLibrary) {
  for (const std::size_t bytes : {0, 8, 16}) EXPECT_EQ(steps_in(message(old_library, bytes)), old_t) << bytes;
  for (const std::size_t bytes : {17, 24, 25, 1000}) EXPECT_EQ(steps_in(message(old_library, bytes)), old_tn) << bytes;
  EXPECT_EQ(steps_in(message(old_library, 1001)), old_rta);
}

TEST(T3eDevice, RatTakesThreeMessagesAndAPutAndCopiesUnlessTheSendIsSynchronous) {
  const T3eMode mode{.longer = "RAT"};
  EXPECT_EQ(steps_in(message(mode, 4000)), (Steps{3, 0, 1, 0, 3, 1}));
  EXPECT_EQ(steps_in(message(mode, 4000, SendMode::synchronous)), (Steps{3, 0, 1, 0, 3, 0}));
  EXPECT_EQ(steps_in(message(new_library, 4000, SendMode::synchronous)), (Steps{3, 0, 1, 0, 3, 0}));
  const T3eMode old{.is_old = true, .longer = "RAT"};
  EXPECT_EQ(steps_in(message(old, 4000)), (Steps{3, 6, 4, 0, 0, 1}));
}

TEST(T3eDevice, AShortSynchronousSendWaitsForAnAnswer) {
  EXPECT_EQ(steps_in(message(new_library, 8, SendMode::synchronous)), (Steps{2, 0, 0, 0, 2, 0}));
  const Outcome late =
      run(new_library, {[](const Caller& caller) { caller.send(data_of(8), 1, SendMode::synchronous); },
                        [](const Caller& caller) {
                          caller.compute(Time::us(300));
                          std::vector<char> data(8);
                          caller.receive(data, 0);
                        }});
  EXPECT_GT(late.ends[0], Time::us(300));
}

TEST(T3eDevice, DataThatCameBeforeItsReceiveInSlotsIsCopiedOnceMore) {
  const Outcome outcome = run(old_library, {[](const Caller& caller) {
                                              caller.send(data_of(500), 1, SendMode::standard, 1);
                                              caller.send(data_of(1), 1, SendMode::standard, 2);
                                            },
                                            [](const Caller& caller) {
                                              std::vector<char> last(1), first(500);
                                              caller.receive(last, 0, 2);
                                              caller.receive(first, 0, 1);
                                              EXPECT_EQ(first, data_of(500));
                                            }});
  EXPECT_EQ(steps_in(outcome).copies, 3);
}

// --- buffering ---

Time end_of_send(std::uint64_t buffer_max, std::size_t bytes, bool is_old) {
  const Outcome outcome = run({.is_old = is_old, .buffer_max = buffer_max}, {[&](const Caller& caller) {
                                                                               std::vector<char> data = data_of(bytes);
                                                                               SendOperation send;
                                                                               caller.begin_send(send, data, 1);
                                                                               caller.end(send);
                                                                               caller.tell(caller.thread().clock());
                                                                               std::fill(data.begin(), data.end(), 'x');
                                                                               caller.meet();
                                                                             },
                                                                             [&](const Caller& caller) {
                                                                               caller.compute(Time::us(500));
                                                                               std::vector<char> data(bytes);
                                                                               caller.receive(data, 0);
                                                                               EXPECT_EQ(data, data_of(bytes));
                                                                               caller.meet();
                                                                             }});
  return outcome.told.at(0);
}

TEST(T3eDevice, StandardSendsReturnAtOnceWhileTheLibraryHasABufferForThem) {
  for (const bool is_old : {false, true}) {
    EXPECT_LT(end_of_send(5000, 4000, is_old), Time::us(60));
    EXPECT_GT(end_of_send(0, 4000, is_old), Time::us(500));
    EXPECT_GT(end_of_send(3999, 4000, is_old), Time::us(500)) << "there is too little room";
  }
}

TEST(T3eDevice, RoomInTheBufferIsThereAgainOnceTheReceiverHasTheData) {
  const Outcome outcome = run({.buffer_max = 4000}, {[&](const Caller& caller) {
                                                       SendOperation a, b;
                                                       const std::vector<char> data = data_of(4000);
                                                       caller.begin_send(a, data, 1);
                                                       caller.end(a);
                                                       caller.begin_send(b, data, 1);  // no room
                                                       caller.end(b);
                                                       caller.tell(caller.thread().clock());
                                                       SendOperation c;
                                                       caller.begin_send(c, data, 1);  // both have been acknowledged
                                                       caller.end(c);
                                                       caller.tell(caller.thread().clock());
                                                     },
                                                     [&](const Caller& caller) {
                                                       caller.compute(Time::us(700));
                                                       std::vector<char> data(4000);
                                                       caller.receive(data, 0);
                                                       caller.receive(data, 0);
                                                       caller.compute(Time::us(700));
                                                       caller.receive(data, 0);
                                                     }});
  EXPECT_GT(outcome.told.at(0), Time::us(700));
  EXPECT_LT(outcome.told.at(1) - outcome.told.at(0), Time::us(60));
}

// --- several senders ---

// So many ranks send one message each to rank 0, all at the same time.
Outcome contention(const T3eMode& mode, int senders) {
  std::vector<Program> programs{[senders](const Caller& caller) {
    for (int from = 1; from <= senders; ++from) {
      std::vector<char> data(8);
      caller.receive(data, from);
      EXPECT_EQ(data, data_of(8, from));
    }
  }};
  for (int rank = 1; rank <= senders; ++rank)
    programs.emplace_back([rank](const Caller& caller) { caller.send(data_of(8, rank), 0); });
  return run(mode, programs);
}

TEST(T3eDevice, SendersThatWantOneLockTryAgainUntilTheyHaveIt) {
  int before = 0;
  for (const int senders : {1, 2, 4, 8}) {
    const Outcome old = contention(old_library, senders);
    const int swaps = old.of("swap");
    EXPECT_GE(swaps, 2 * senders);
    if (senders > 1) EXPECT_GT(swaps, 2 * senders + senders / 2) << "nobody was in another's way";
    EXPECT_GT(swaps, before);
    before = swaps;
    EXPECT_EQ(old.of("put"), senders);
    const Outcome without_lock = contention(new_library, senders);
    EXPECT_EQ(without_lock.of("SEND"), senders);
    EXPECT_EQ(without_lock.of("swap"), 0);
    EXPECT_LT(without_lock.ends[0], old.ends[0]);
  }
}

// Some of the polls of a receiver that waits hold the lock when a sender wants it.
TEST(T3eDevice, AReceiverThatPollsIsInTheWayOfItsSender) {
  std::map<int, int> by_swaps;
  for (int delay = 0; delay < 40; ++delay) {
    const Outcome run_of = run(old_library, {[delay](const Caller& caller) {
                                               caller.compute(Time::us(20) + Time::ns(50 * delay));
                                               caller.send(data_of(8), 1);
                                             },
                                             [](const Caller& caller) {
                                               std::vector<char> data(8);
                                               caller.receive(data, 0);
                                             }});
    ++by_swaps[run_of.of("swap")];
  }
  EXPECT_GT(by_swaps[2], 5);
  EXPECT_LT(by_swaps[2], 30);
}

// --- full queues ---

// Everybody sends to everybody before anybody receives.
void exchange(const Caller& caller, int ranks, int messages) {
  std::deque<SendOperation> sends;
  const std::vector<char> data = data_of(8, caller.rank());
  for (int i = 0; i < messages; ++i)
    for (int to = 0; to < ranks; ++to) caller.begin_send(sends.emplace_back(), data, to, SendMode::standard, i);
  for (SendOperation& send : sends) caller.end(send);
  caller.compute(Time::us(3 * caller.rank()));
  for (int i = 0; i < messages; ++i)
    for (int from = 0; from < ranks; ++from) {
      std::vector<char> received(8);
      caller.receive(received, from, i);
      EXPECT_EQ(received, data_of(8, from));
    }
}

TEST(T3eDevice, RanksWhoseQueuesAreFullAbsorbTheirOwnAndGoOn) {
  const std::vector<Program> programs(5, [](const Caller& caller) { exchange(caller, 5, 6); });
  const Outcome of_hardware = run({.packets = 3}, programs);
  EXPECT_GT(of_hardware.of("rejected by a full message queue"), 5);
  EXPECT_EQ(of_hardware.of("SEND"), 150 + of_hardware.of("rejected by a full message queue"));
  const Outcome of_slots = run({.is_old = true, .slots = 3, .medium_max = 72}, programs);
  EXPECT_EQ(of_slots.of("put"), 150);
  EXPECT_GT(of_slots.of("swap"), 2 * 150);
  for (const T3eMode& mode : {T3eMode{.packets = 3}, T3eMode{.is_old = true, .slots = 3, .medium_max = 72}})
    EXPECT_EQ(run(mode, programs, true).ends, run(mode, programs, false).ends);
}

TEST(T3eDevice, PacketsThatWereRejectedKeepTheirOrder) {
  run({.packets = 2}, {[](const Caller& caller) {
                         for (int i = 0; i < 20; ++i) caller.send(data_of(8, i), 1);
                       },
                       [](const Caller& caller) {
                         caller.compute(Time::us(200));
                         for (int i = 0; i < 20; ++i) {
                           std::vector<char> data(8);
                           caller.receive(data, 0);
                           EXPECT_EQ(data, data_of(8, i));
                         }
                       }});
}

// Who waits for ever for room is found as others are who wait.
TEST(T3eDevice, ASenderToAFullQueueThatNobodyEmptiesIsADeadlock) {
  const std::vector<Program> programs{[](const Caller& caller) {
                                        for (int i = 0; i < 4; ++i) caller.send(data_of(8), 1);
                                      },
                                      [](const Caller& caller) { caller.thread().wait(NoWait()); }};
  const auto on_end = [](Ending ending) { _exit(ending == Ending::deadlock ? 7 : 8); };
  for (const T3eMode& mode : {T3eMode{.packets = 2}, T3eMode{.is_old = true, .slots = 2, .medium_max = 48}})
    EXPECT_EXIT(run_here(mode, programs, false, on_end), testing::ExitedWithCode(7), "");
}

// --- the barrier ---

// The data is got while the receiver is in the barrier, and the sender is told.
TEST(T3eDevice, MessagesProgressWhileTheirReceiverIsInTheBarrier) {
  for (const bool is_old : {false, true}) {
    const Outcome result = run({.is_old = is_old}, {[&](const Caller& caller) {
                                                      caller.compute(Time::us(100));
                                                      caller.send(data_of(5000), 1);
                                                      caller.tell(caller.thread().clock());
                                                      caller.compute(Time::us(1000));
                                                      caller.meet();
                                                    },
                                                    [](const Caller& caller) {
                                                      std::vector<char> data(5000);
                                                      ReceiveOperation receive;
                                                      caller.begin_receive(receive, data, 0);
                                                      caller.meet();
                                                      EXPECT_TRUE(receive.is_known());
                                                      EXPECT_LT(receive.at(), Time::us(300));
                                                      EXPECT_EQ(data, data_of(5000));
                                                      caller.end(receive);
                                                    }});
    EXPECT_LT(result.told.at(0), Time::us(300));
    EXPECT_GT(result.ends[1], Time::us(1100));
    EXPECT_EQ(result.of("barrier"), 2);
  }
}

TEST(T3eDevice, TheBarrierIsForCommunicatorsOfAllRanksAndBlockingCalls) {
  run(new_library, {[](const Caller& caller) {
                      const GroupOperations& machine = *caller.device().group_operations();
                      EXPECT_TRUE(machine.offers({5, 0, 2}, true).barrier);
                      EXPECT_FALSE(machine.offers({5, 0, 2}, false).barrier);
                      EXPECT_FALSE(machine.offers({9, 0, 1}, true).barrier);
                      EXPECT_FALSE(machine.offers({5, 0, 2}, true).broadcast);
                    },
                    [](const Caller&) {}});
}

// --- cancelling ---

TEST(T3eDevice, ASendIsCancelledAsLongAsItsReceiverHasNotMatchedIt) {
  for (const T3eMode& mode : {new_library, old_library})
    for (const bool is_in_time : {true, false})
      run(mode, {[&](const Caller& caller) {
                   const std::vector<char> data = data_of(5000);
                   SendOperation send;
                   caller.begin_send(send, data, 1);
                   caller.compute(Time::us(100));
                   caller.thread().settle();
                   caller.device().cancel(send);
                   caller.end(send);
                   EXPECT_EQ(send.cancelled, is_in_time);
                   caller.send(data_of(1), 1, SendMode::standard, 9);
                 },
                 [&](const Caller& caller) {
                   std::vector<char> data(5000), end(1);
                   ReceiveOperation receive;
                   if (!is_in_time) caller.begin_receive(receive, data, 0);
                   caller.receive(end, 0, 9);
                   EXPECT_EQ(receive.is_known(), !is_in_time);
                   if (!is_in_time) caller.end(receive);
                 }});
}

}  // namespace
}  // namespace hindcast::mpi
