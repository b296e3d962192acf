// How many messages of collectives of two levels go from one site to another: of sites that differ in size and whose
// ranks lie among each other's.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mpi_impl/api/bodies.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "simulator/engine/recorder.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "tests/support/in_child.hpp"

namespace hindcast::mpi {
namespace {

const std::vector<int> site_of_rank{0, 1, 0, 2, 1, 1, 2, 0, 0, 1, 3, 0};
constexpr int sites = 4;
const int ranks = static_cast<int>(site_of_rank.size());

// From one site to another, so many messages.
class Crossings final : public Recorder {
 public:
  void on_thread(const Thread& thread, const hindcast::Step& step) override {
    if (std::string_view(step.kind->name) != marks_of_library_messages.sent.name) return;
    ++messages_;
    const int from = site_of(thread.rank().id), to = site_of(step.peer);
    if (from != to) ++crossings_[{from, to}];
  }
  void in_hardware(int, const hindcast::Step&) override {}
  void put_off(const Thread&, const Postponement&) override {}
  // "0>1:2 ...", and all messages.
  std::string text() const {
    std::string all;
    for (const auto& [pair, count] : crossings_) all += fmt::format("{}>{}:{} ", pair.first, pair.second, count);
    return all + fmt::format("of {}", messages_);
  }

 private:
  static int site_of(int rank) { return site_of_rank[static_cast<std::size_t>(rank)]; }
  std::map<std::pair<int, int>, int> crossings_;
  int messages_ = 0;
};

using Program = std::function<void(Process&)>;

// Each rank on a node of its own.
std::string crossings(const std::string& choice, const Program& program) {
  return test::text_from_child([&] {
    Engine engine(EngineOptions{});
    const MachineFile file = load_machine("ideal");
    const Library& library = library_of(file);
    const auto machine = Machine::build(engine, file, ranks, library.parts_for(file));
    const EndRun fail = [](int, const std::string& line) {
      fmt::print(stderr, "{}\n", line);
      std::abort();
    };
    CollectiveChoices choices;
    choices.force(choice);
    const auto running = library.start({engine, *machine, ranks, choices, fail});
    Crossings counted;
    engine.set_recorder(&counted);
    for (int number = 0; number < ranks; ++number) {
      Rank& rank = engine.add_rank(machine->node_name(number));
      engine.start_thread(rank, [&] {
        Process& process = *Process::of(rank);
        program(process);
        process.endpoint().leave();
      });
      running->add_rank(rank, number, 0);
      Process::of(rank)->world().places().put(number, {number, site_of_rank[static_cast<std::size_t>(number)]});
    }
    engine.run([](Ending) { std::abort(); });
    return counted.text();
  });
}

// So many from a site to each other, of so many in all.
std::string between_all(int each, int in_all) {
  std::string text;
  for (int from = 0; from < sites; ++from)
    for (int to = 0; to < sites; ++to)
      if (from != to) text += fmt::format("{}>{}:{} ", from, to, each);
  return text + fmt::format("of {}", in_all);
}

int count_in(const std::string& text) {
  int count = 0;
  for (std::size_t at = text.find(':'); at != std::string::npos; at = text.find(':', at + 1))
    count += std::stoi(text.substr(at + 1));
  return count;
}

const Datatype& type() { return *predefined_datatype(MPI_INT); }
Op sum() { return *predefined_op(MPI_SUM); }

TEST(Crossings, OfABroadcastAreOneForEachOtherSite) {
  for (int root = 0; root < ranks; ++root) {
    const Program program = [root](Process& process) {
      int data = 0;
      body::Bcast(process, &data, 1, &type(), root, process.comm_world());
    };
    EXPECT_EQ(count_in(crossings("bcast=two_level", program)), sites - 1) << "root " << root;
    EXPECT_GT(count_in(crossings("bcast=binomial", program)), sites - 1) << "root " << root;
  }
}

TEST(Crossings, OfOperationsWithARootAreOneForEachOtherSite) {
  for (const int root : {0, 1, 9, 10}) {
    const auto count = [](const std::string& operation, const Program& program) {
      return count_in(crossings(operation + "=two_level", program));
    };
    EXPECT_EQ(count("reduce",
                    [root](Process& process) {
                      int mine = 0, result = 0;
                      const Op op = sum();
                      body::Reduce(process, &mine, &result, 1, &type(), &op, root, process.comm_world());
                    }),
              sites - 1);
    EXPECT_EQ(count("gather",
                    [root](Process& process) {
                      std::vector<int> all(site_of_rank.size());
                      int mine = 0;
                      body::Gather(process, &mine, 1, &type(), all.data(), 1, &type(), root, process.comm_world());
                    }),
              sites - 1);
    EXPECT_EQ(count("scatter",
                    [root](Process& process) {
                      std::vector<int> all(site_of_rank.size());
                      int mine = 0;
                      body::Scatter(process, all.data(), 1, &type(), &mine, 1, &type(), root, process.comm_world());
                    }),
              sites - 1);
  }
}

TEST(Crossings, OfAnAllgatherAreOneForEachOrderedPairOfSites) {
  const Program program = [](Process& process) {
    std::vector<int> all(site_of_rank.size());
    int mine = 0;
    body::Allgather(process, &mine, 1, &type(), all.data(), 1, type(), process.comm_world());
  };
  // Besides, each member but the leader sends to its leader, and gets what has come.
  EXPECT_EQ(crossings("allgather=two_level", program), between_all(1, 2 * (ranks - sites) + sites * (sites - 1)));
}

TEST(Crossings, OfAnAlltoallAreOneForEachOrderedPairOfSites) {
  const Program program = [](Process& process) {
    std::vector<int> out(site_of_rank.size()), in(site_of_rank.size());
    body::Alltoall(process, out.data(), 1, &type(), in.data(), 1, type(), process.comm_world());
  };
  EXPECT_EQ(crossings("alltoall=two_level", program), between_all(1, 2 * (ranks - sites) + sites * (sites - 1)));
  EXPECT_GT(count_in(crossings("alltoall=linear", program)), sites * (sites - 1));
}

TEST(Crossings, OfABarrierAreThoseOfLeaders) {
  const Program program = [](Process& process) { body::Barrier(process, process.comm_world()); };
  EXPECT_EQ(count_in(crossings("barrier=two_level", program)), sites * 2);  // four leaders meet in two rounds
}

}  // namespace
}  // namespace hindcast::mpi
