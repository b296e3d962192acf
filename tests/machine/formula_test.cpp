// Formulas of machine files, as `follows` and `at_most` have them: which are right, and what is said of others.
#include "simulator/machine/file/formula.hpp"

#include <gtest/gtest.h>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {
namespace {

// "" if the formula is right.
std::string problem_of(const std::string& text, const std::string& attribute = "follows") {
  static const MachineFile file = MachineFile::parse(
      "[machine]\nname = 'small'\ndescription = 'for tests'\n"
      "[bus]\nheader = { value = 16, unit = 'B', kind = 'invented' }\n"
      "rate = { value = 50, unit = 'MB/s', kind = 'invented' }\n"
      "slots = { value = 3, kind = 'invented' }\n"
      "flops = { value = 5, unit = 'Mflop/s', kind = 'invented' }\n"
      "model = { value = 'fluid', kind = 'invented' }\n"
      "[node.p-1]\npoll = { value = 1, unit = 'us', kind = 'invented' }\n",
      "m.toml");
  const std::string problem = problem_of(Formula{"bus.slots", attribute, text}, file.parameters(), {"queue.slots"});
  const std::string begin = attribute + " = \"" + text + "\": ";
  EXPECT_TRUE(problem.empty() || problem.starts_with(begin)) << problem;
  return problem.empty() ? "" : problem.substr(begin.size());
}

TEST(Formulas, ThatAreRight) {
  for (const char* text : {"25 us - bus.header * bus.rate", "(3.25 us - node.p-1.poll) / 2", "200 B + bus.header",
                           "0.0162 us/B - bus.rate", "bus.slots * bus.header", "2 bus.slots (1 + 3)", "-bus.slots + 1",
                           "sqrt(bus.slots) ^ 2", "3 sqrt(2)", "1e3 ns - node.p-1.poll", "floor bus.slots", "4 KiB",
                           "1 us - bus.header*bus.rate"})
    EXPECT_EQ(problem_of(text), "") << text;
}

TEST(Formulas, OfNumbersThatAreNotThere) {
  EXPECT_EQ(problem_of("2 * bus.heder"), "bus.heder: no number of this file has that key, did you mean 'bus.header'?");
  EXPECT_EQ(problem_of("cellos.time_slice"), "cellos.time_slice: no number of this file has that key");
  EXPECT_EQ(problem_of("header * 2"),
            "'header' is no key, which has the name of its table before it, such as mpi.header_bytes");
  EXPECT_EQ(problem_of("bus.model"), "bus.model is fluid, which is no number");
  EXPECT_EQ(problem_of("bus.flops"),
            "bus.flops is in Mflop/s, and formulas are of times, sizes, bandwidths and counts");
}

TEST(Formulas, OfNumbersThatAFileMayLeaveOut) {
  EXPECT_EQ(problem_of("queue.slots * bus.header", "at_most"), "");
  EXPECT_EQ(problem_of("queue.slos * bus.header", "at_most"),
            "queue.slos: no number of this file has that key, did you mean 'queue.slots'?");
  EXPECT_EQ(problem_of("queue.slots * bus.header"), "queue.slots: no number of this file has that key");
}

TEST(Formulas, InAnotherUnit) {
  EXPECT_EQ(problem_of("25 parsec"), "'parsec' is no unit of a time, a size or a time per byte");
  EXPECT_EQ(problem_of("25 MB/s"),
            "'s' is no key, which has the name of its table before it, such as mpi.header_bytes");
  EXPECT_EQ(problem_of("25us"), "a space is missing before 'us'");
}

TEST(Formulas, ThatDoNotEndOrBegin) {
  EXPECT_EQ(problem_of("bus.slots -"), "something is missing at its end");
  EXPECT_EQ(problem_of("bus.slots ** 2"), "something is missing before '*'");
  EXPECT_EQ(problem_of("(bus.slots + 1"), "a bracket is not closed");
  EXPECT_EQ(problem_of("bus.slots + 1)"), "there is a ) too many");
  EXPECT_EQ(problem_of("3 $"), "not understood from '$' on");
}

}  // namespace
}  // namespace hindcast
