// The costs that protocols state in their rows, held against messages of the simulated library, both with the numbers
// of the machine's file.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/cray/mpi_choices.hpp"
#include "mpi_impl/libraries/cray/step_costs.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast::mpi {
namespace {

struct Case {
  std::vector<std::string> settings;
  std::size_t bytes;
  std::string protocol;
  double tolerance;
  friend void PrintTo(const Case& tested, std::ostream* out) {
    *out << fmt::format("{} B by {}, {}", tested.bytes, tested.protocol, fmt::join(tested.settings, " "));
  }
};

MachineFile file_with(const std::vector<std::string>& settings) {
  MachineFile file = load_machine("t3e-900");
  for (const std::string& setting : settings) file.set(setting);
  return file;
}

void wait_for(Endpoint& endpoint, Completion& completion) {
  test::NoWait why;
  Gate gate(*Thread::current());
  gate.add(completion);
  endpoint.wait(gate, why);
}

const Time sent_at = Time::us(100);

void send_all(Endpoint& endpoint, std::vector<std::byte>& data, std::size_t messages) {
  Thread::current()->charge(sent_at);
  std::vector<SendOperation> sends(messages);
  for (SendOperation& send : sends) {
    send.data = data.data();
    send.bytes = Bytes(data.size());
    send.destination = 1;
    endpoint.send(send);
  }
  for (SendOperation& send : sends) wait_for(endpoint, send);
  endpoint.leave();
}

// The end of the last receive, in picoseconds.
std::int64_t receive_all(Endpoint& endpoint, std::vector<std::byte>& data, Time begin, std::size_t messages) {
  Thread::current()->charge(begin);
  for (std::size_t i = 0; i < messages; ++i) {
    ReceiveOperation receive;
    receive.data = data.data();
    receive.capacity = Bytes(data.size());
    receive.pattern = {0, 0, 0};
    endpoint.receive(receive);
    wait_for(endpoint, receive);
    endpoint.finish(receive);
  }
  const std::int64_t end = Thread::current()->clock().in_ps();
  endpoint.leave();
  return end;
}

// When the last receive of so many messages ends, of which the first is waited for since `begin`.
Time end_of(const Case& tested, std::size_t messages, Time begin) {
  return Time::ps(std::stoll(test::text_from_child([&] {
    Engine engine(EngineOptions{});
    const MachineFile file = file_with(tested.settings);
    const Library& library = library_of(file);
    const auto machine = Machine::build(engine, file, 2, library.parts_for(file));
    const EndRun fail = [](int, const std::string&) { std::abort(); };
    const CollectiveChoices choices;
    const auto running = library.start({engine, *machine, 2, choices, fail});
    std::int64_t end = 0;
    for (int number = 0; number < 2; ++number) {
      Rank& rank = engine.add_rank(machine->node_name(number));
      engine.start_thread(rank, [&] {
        Endpoint& endpoint = Process::of(rank)->endpoint();
        std::vector<std::byte> data(tested.bytes);
        if (rank.id == 0)
          send_all(endpoint, data, messages);
        else
          end = receive_all(endpoint, data, begin, messages);
      });
      running->add_rank(rank, number, 0);
    }
    engine.run([](Ending) { std::abort(); });
    return std::to_string(end);
  })));
}

class ProtocolCosts : public testing::TestWithParam<Case> {
 protected:
  const MachineFile file = file_with(GetParam().settings);
  const double bytes = static_cast<double>(GetParam().bytes);
  const T3eProtocolCosts costs = t3e_protocol(GetParam().protocol).costs(t3e::step_costs_of(file));
  void expect_near(Time simulated, double stated) const {
    EXPECT_NEAR(stated / simulated.in_seconds(), 1, GetParam().tolerance) << simulated.in_seconds() << " s";
  }
};

TEST_P(ProtocolCosts, AreThoseOfAMessage) {
  expect_near(end_of(GetParam(), 1, Time()) - sent_at, costs.message(bytes));
}

TEST_P(ProtocolCosts, AreThoseOfAReceiveWhoseMessageHasCome) {
  if (GetParam().protocol == "T") return;   // hardly more than a look
  constexpr std::size_t few = 4, more = 8;  // of which the library may take several out of its queue at once
  const Time begin = Time::us(20000);
  const Time longer = end_of(GetParam(), more, begin) - end_of(GetParam(), few, begin);
  expect_near(Time::ps(longer.in_ps() / static_cast<std::int64_t>(more - few)), costs.between_receives(bytes));
}

INSTANTIATE_TEST_SUITE_P(T3e, ProtocolCosts,
                         testing::Values(Case{{}, 8, "T", 0.02}, Case{{}, 4000, "RTA", 0.02},
                                         Case{{}, 100000, "RTA", 0.02}, Case{{"mpi.longer=RAT"}, 100000, "RAT", 0.05},
                                         Case{{"mpi.library=old"}, 1000, "Tn", 0.2},
                                         Case{{"mpi.library=old"}, 100000, "RTA", 0.1},
                                         Case{{"mpi.library=old", "mpi.longer=RAT"}, 100000, "RAT", 0.1}));

// --- the table of protocols ---

// Of those four; there may be others.
std::string those_that_reach(T3eReach least) {
  std::vector<std::string> names = t3e_protocol_names(least);
  const std::set<std::string> known = {"RAT", "RTA", "T", "Tn"};
  std::erase_if(names, [&](const std::string& name) { return !known.contains(name); });
  return fmt::format("{}", fmt::join(names, " "));
}

TEST(Protocols, AreChosenByTheirReach) {
  EXPECT_EQ(those_that_reach(T3eReach::any), "RAT RTA");
  EXPECT_EQ(those_that_reach(T3eReach::slots), "RAT RTA Tn");
  EXPECT_EQ(those_that_reach(T3eReach::message), "RAT RTA T Tn");
  EXPECT_THROW(t3e_protocol("rta"), std::invalid_argument);
}

TEST(Protocols, AreWhatTheFileChooses) {
  const auto names = [](const std::vector<std::string>& settings) {
    const MachineFile file = file_with(settings);
    const t3e::ChosenProtocols chosen = t3e::chosen_protocols(file);
    return fmt::format("{} {} {} {}", chosen.shortest.name, chosen.medium.name, chosen.longer.name,
                       chosen.synchronous.name);
  };
  EXPECT_EQ(names({}), "T RTA RTA RAT");
  EXPECT_EQ(names({"mpi.library=old"}), "T Tn RTA RAT");
  EXPECT_EQ(names({"mpi.medium=RAT", "mpi.longer=RAT", "mpi.synchronous=RTA"}), "T RAT RAT RTA");
  EXPECT_THROW(names({"mpi.longer=Tn"}), MachineFileError);
  EXPECT_THROW(names({"mpi.medium=T"}), MachineFileError);
  EXPECT_THROW(names({"mpi.medium=Tn"}), MachineFileError) << "packets are no slots";
}

}  // namespace
}  // namespace hindcast::mpi
