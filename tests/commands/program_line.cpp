#include "commands/run/program_line.hpp"

#include <gtest/gtest.h>

namespace hindcast {
namespace {

using Words = std::vector<std::string>;

struct Split {
  Words own;
  ProgramLine line;
};

Split split(Words words) {
  CLI::App run;
  int ranks = 1;
  std::string directory;
  run.add_option("-n,--ranks", ranks);
  run.add_option("--wdir", directory);
  run.add_flag("--label");
  run.add_flag(alone);
  ProgramLine line = take_program_line(run, words);
  return {words, line};
}

TEST(ProgramLine, BeginsAtTheFirstWordThatIsNoOption) {
  const Split found = split({"-n", "4", "--label", "./prog", "-n", "--label", "x"});
  EXPECT_EQ(found.own, (Words{"-n", "4", "--label"}));
  EXPECT_EQ(found.line.first, (Words{"./prog", "-n", "--label", "x"}));
}

TEST(ProgramLine, BeginsBehindTwoDashes) {
  const Split found = split({"--label", "--", "-odd-name", "--", "-n"});
  EXPECT_EQ(found.own, (Words{"--label"}));
  EXPECT_EQ(found.line.first, (Words{"-odd-name", "--", "-n"}));
}

TEST(ProgramLine, KnowsValuesJoinedToTheirOptions) {
  EXPECT_EQ(split({"-n4", "prog"}).line.first, (Words{"prog"}));
  EXPECT_EQ(split({"--ranks=4", "prog"}).line.first, (Words{"prog"}));
  EXPECT_EQ(split({"--ranks", "4", "prog"}).line.first, (Words{"prog"}));
}

TEST(ProgramLine, WritesMpirunsSpellingsAsOurs) {
  const Split found = split({"-np", "4", "-wdir", "/tmp", "prog"});
  EXPECT_EQ(found.own, (Words{"-n", "4", "--wdir", "/tmp"}));
  EXPECT_EQ(split({"-wd", "/tmp", "prog"}).own, (Words{"--wdir", "/tmp"}));
}

TEST(ProgramLine, HasFurtherProgramsBehindColons) {
  const Split found = split({"one", "a", ":", "-n", "2", "two", ":", "three"});
  EXPECT_EQ(found.line.first, (Words{"one", "a"}));
  EXPECT_EQ(found.line.further, (std::vector<Words>{{"-n", "2", "two"}, {"three"}}));
}

TEST(ProgramLine, KeepsColonsOfAProgramThatRunsAlone) {
  const Split found = split({"--alone", "--", "one", ":", "a"});
  EXPECT_EQ(found.line.first, (Words{"one", ":", "a"}));
  EXPECT_TRUE(found.line.further.empty());
}

TEST(ProgramLine, MayBeMissing) {
  EXPECT_TRUE(split({"-n", "4"}).line.first.empty());
  EXPECT_TRUE(split({"-n"}).line.first.empty());
  EXPECT_TRUE(split({}).line.first.empty());
}

}  // namespace
}  // namespace hindcast
