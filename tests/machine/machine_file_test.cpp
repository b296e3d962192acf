#include "simulator/machine/file/machine_file.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "simulator/machine/file/keys_of_choice.hpp"
#include "simulator/machine/file/program_choices.hpp"

namespace hindcast {
namespace {

constexpr auto head = "[machine]\nname = 'm'\ndescription = 'a machine for tests'\n[network]\n";  // four lines

MachineFile parse(const std::string& lines) { return MachineFile::parse(head + lines, "m.toml"); }

std::string number(const std::string& value, const std::string& unit) {
  return "x = { value = " + value + (unit.empty() ? "" : ", unit = '" + unit + "'") +
         ", kind = 'stated', source = 'a test' }\n";
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const MachineFileError& error) {
    return error.what();
  }
  return "no error";
}

std::string parse_error(const std::string& lines) {
  return error_of([&] { parse(lines); });
}

TEST(MachineFile, ReadsEveryUnit) {
  EXPECT_EQ(parse(number("1.5", "us")).time("network.x"), Time::ns(1500));
  EXPECT_EQ(parse(number("7", "ps")).time("network.x"), Time::ps(7));
  EXPECT_EQ(parse(number("2", "ms")).time("network.x"), Time::us(2000));
  EXPECT_EQ(parse(number("0.25", "s")).time("network.x"), Time::us(250000));
  EXPECT_EQ(parse(number("16", "KiB")).bytes("network.x"), Bytes(16384));
  EXPECT_EQ(parse(number("16", "KB")).bytes("network.x"), Bytes(16000));
  EXPECT_EQ(parse(number("1.5", "MB")).bytes("network.x"), Bytes(1500000));
  EXPECT_EQ(parse(number("2", "MiB")).bytes("network.x"), Bytes(2097152));
  EXPECT_EQ(parse(number("300", "MB/s")).bandwidth("network.x"), Bandwidth::per_second(3e8));
  EXPECT_EQ(parse(number("1", "MiB/s")).bandwidth("network.x"), Bandwidth::per_second(1048576));
  EXPECT_EQ(parse(number("155", "Mbit/s")).bandwidth("network.x"), Bandwidth::per_second(19375000));
  EXPECT_EQ(parse(number("5.56", "Mflop/s")).flop_rate("network.x"), FlopRate::per_second(5.56e6));
  EXPECT_EQ(parse(number("3", "kop/s")).operation_rate("network.x"), Rate::per_second(3000));
  EXPECT_EQ(parse(number("64", "")).count("network.x"), 64);
}

TEST(MachineFile, KnowsNameAndParametersInTheOrderOfTheFile) {
  const MachineFile file = parse(
      "zeta = { value = 1, unit = 'us', kind = 'fitted', fits = 'AP-04', source = 'Figure 3' }\n"
      "alpha = { value = 'a', one_of = ['a', 'b'], kind = 'stated', source = 's' }\n");
  EXPECT_EQ(file.name(), "m");
  EXPECT_EQ(file.description(), "a machine for tests");
  ASSERT_EQ(file.parameters().size(), 2U);
  EXPECT_EQ(file.parameters()[0].key, "network.zeta");
  EXPECT_EQ(file.parameters()[0].fits, "AP-04");
  EXPECT_EQ(shown_value(file.parameters()[0]), "1 us");
  EXPECT_EQ(file.parameters()[1].key, "network.alpha");
  EXPECT_EQ(file.choice("network.alpha", {"a", "b"}), "a");
}

TEST(MachineFile, ReadsABandwidthAsTheTimePerByte) {
  const auto with = [](const std::string& value) {
    return parse("x = { value = " + value + ", kind = 'stated', source = 's' }\n");
  };
  EXPECT_EQ(with("158.4, unit = 'ns/B'").bandwidth("network.x").time_for(Bytes(1000)), Time::ps(158'400'000));
  EXPECT_EQ(with("2, unit = 'MB/s'").bandwidth("network.x").time_for(Bytes(1000)), Time::us(500));
  EXPECT_EQ(with("0, unit = 'ns/B'").time_per_byte("network.x").time_for(Bytes(1000)), Time());
  EXPECT_EQ(error_of([&] { with("0, unit = 'ns/B'").bandwidth("network.x"); }),
            "m.toml:5:1: network.x: must be more than 0");
  EXPECT_EQ(error_of([&] { with("2, unit = 'MB/s'").time_per_byte("network.x"); }),
            "m.toml:5:1: network.x: 'MB/s' is no unit of a time per byte, which is in ps/B, ns/B, us/B");
}

TEST(MachineFile, ReadsExtents) {
  const auto list = [](const std::string& value) {
    return parse("x = { value = " + value + ", one_of = ['square'], kind = 'stated', source = 's' }\n");
  };
  EXPECT_EQ(list("[16, 8]").extents("network.x", {"square"}), (std::vector<std::int64_t>{16, 8}));
  EXPECT_EQ(list("'square'").extents("network.x", {"square"}), std::nullopt);
  EXPECT_EQ(error_of([&] { list("[4, 0]").extents("network.x", {"square"}); }),
            "m.toml:5:1: network.x: 0 is not at least 1");
  EXPECT_EQ(error_of([&] { list("[]"); }), "m.toml:5:15: network.x: the list is empty");
  EXPECT_EQ(error_of([&] { list("[4, 2.5]"); }),
            "m.toml:5:19: network.x: element 2 is no whole number, as all of this list must be");
  EXPECT_EQ(error_of([&] { list("['a', 2]"); }),
            "m.toml:5:21: network.x: element 2 is no text in quotes, as all of this list must be");
  EXPECT_EQ(error_of([&] {
              parse("x = { value = '4x4', kind = 'stated', source = 's' }\n").extents("network.x", {"square"});
            }),
            "m.toml:5:1: network.x: '4x4' is neither 'square' nor a list such as [16, 8]");
}

TEST(MachineFile, WhatIsInventedNeedsNoSourceAndNoRange) {
  const MachineFile file = parse("x = { value = 3, unit = 'us', kind = 'invented' }\n");
  EXPECT_EQ(file.time("network.x"), Time::us(3));
  EXPECT_EQ(shown_kind(file.parameters()[0]), "invented");
  EXPECT_EQ(shown_source(file.parameters()[0]), "");
}

// --- choices whose names the program knows ---

constexpr auto choice_of_library = "x = { value = 'a', kind = 'stated', source = 's' }\n";

std::vector<std::string> names_of_test() { return {"a", "b"}; }
const Row<ProgramChoices> choices_of_test{{"library of a test", "network.x", names_of_test}};

MachineFile parse_with_library(const std::string& lines, const std::string& library) {
  return parse(lines + "[messages]\nlibrary = { value = '" + library + "', one_of = ['" + library +
               "'], kind = 'stated', source = 's' }\n");
}

TEST(ProgramChoices, StandForOneOfInFilesOfTheirLibrary) {
  MachineFile file = parse_with_library(choice_of_library, "library of a test");
  EXPECT_EQ(file.choices(file.parameters()[0]), names_of_test());
  file.set("network.x=b");
  EXPECT_EQ(file.choice("network.x", names_of_test()), "b");
  EXPECT_EQ(error_of([&] { file.set("network.x=c"); }), "--set network.x=c: 'c' is not one of a, b");
  EXPECT_EQ(error_of([&] { parse_with_library(choice_of_library, "another").choice("network.x", names_of_test()); }),
            "m.toml:5:1: network.x: one_of is missing: what else could be chosen? There are a, b");
  EXPECT_EQ(error_of([&] {
              parse_with_library("x = { value = 'c', kind = 'stated', source = 's' }\n", "library of a test");
            }),
            "m.toml:5:1: network.x: 'c' is not one of a, b");
}

TEST(ProgramChoices, MayBeNarrowedByTheFile) {
  MachineFile file =
      parse_with_library("x = { value = 'a', one_of = ['a'], kind = 'stated', source = 's' }\n", "library of a test");
  EXPECT_EQ(error_of([&] { file.set("network.x=b"); }), "--set network.x=b: 'b' is not one of a");
}

// --- keys of choices ---

TEST(KeysOfChoice, AreAskedForAsAnyOthersIfItIsTaken) {
  const MachineFile file = parse(number("3", "us"));
  const KeysOfChoice keys(file, true);
  EXPECT_EQ(keys.time("network.x"), Time::us(3));
  EXPECT_EQ(error_of([&] { keys.bytes("network.y"); }),
            "m.toml:4:1: network.y: this key is missing: a size in B, kB, KB, MB, GB, KiB, MiB, GiB");
  EXPECT_TRUE(keys.are_complete());
}

TEST(KeysOfChoice, MayBeMissingIfItIsNotTaken) {
  const MachineFile file = parse("");
  const KeysOfChoice keys(file, false);
  EXPECT_TRUE(keys.are_complete());
  EXPECT_EQ(keys.time("network.x"), Time());
  EXPECT_FALSE(keys.are_complete());
  EXPECT_EQ(keys.time_above_zero("network.x"), Time::ps(1));
  EXPECT_EQ(keys.bytes("network.x"), Bytes());
  EXPECT_EQ(keys.bandwidth("network.x"), Bandwidth());
  EXPECT_EQ(keys.flop_rate("network.x"), FlopRate());
  EXPECT_EQ(keys.operation_rate("network.x"), Rate());
  EXPECT_EQ(keys.count("network.x", 2), 2);
  EXPECT_EQ(keys.choice("network.x", {"a", "b"}), "a");
}

TEST(KeysOfChoice, AreKnownAndCheckedIfTheyAreThereAlthoughItIsNotTaken) {
  const MachineFile file = parse(number("3", "us"));
  const KeysOfChoice keys(file, false);
  EXPECT_EQ(error_of([&] { file.refuse_unknown_keys(); }), "m.toml:5:1: network.x: unknown key: no part of m uses it");
  EXPECT_EQ(keys.time("network.x"), Time::us(3));
  EXPECT_TRUE(keys.are_complete());
  EXPECT_EQ(error_of([&] { file.refuse_unknown_keys(); }), "no error");
  EXPECT_EQ(error_of([&] { keys.bytes("network.x"); }).substr(0, 35), "m.toml:5:1: network.x: 'us' is no u");
}

// --- mistakes that the file alone shows ---

TEST(MachineFileMistakes, BrokenToml) {
  EXPECT_EQ(parse_error("x = { value = 1,,\n").substr(0, 13), "m.toml:5:17: ");
  EXPECT_EQ(parse_error("x = \n").substr(0, 9), "m.toml:5:");
}

TEST(MachineFileMistakes, NoNameOrDescription) {
  EXPECT_EQ(error_of([] { MachineFile::parse("[network]\n", "m.toml"); }), "m.toml: the table [machine] is missing");
  EXPECT_EQ(error_of([] { MachineFile::parse("\n[[machine]]\nname = \"x\"\n", "m.toml"); }),
            "m.toml:2:1: machine: must be one table: [machine]");
  EXPECT_EQ(error_of([] { MachineFile::parse("\n[machine]\nname = 'm'\n", "m.toml"); }),
            "m.toml:2:1: machine: key 'description' is missing");
}

TEST(MachineFileMistakes, ABareNumber) {
  EXPECT_EQ(parse_error("x = 3\n"),
            "m.toml:5:1: network.x: a parameter is written { value = ..., unit = ..., kind = ..., source = ... }");
}

TEST(MachineFileMistakes, AnUnknownAttribute) {
  EXPECT_EQ(parse_error("x = { value = 1, unti = 'us', kind = 'stated', source = 's' }\n"),
            "m.toml:5:18: network.x: unknown attribute 'unti', did you mean 'unit'?");
}

TEST(MachineFileMistakes, ANumberFromNowhere) {
  EXPECT_EQ(parse_error("x = { value = 1, unit = 'us', kind = 'stated' }\n"),
            "m.toml:5:1: network.x: source is missing: where does the value come from?");
  EXPECT_EQ(parse_error("x = { value = 1, unit = 'us', source = 's' }\n"),
            "m.toml:5:1: network.x: kind is missing: one of stated, derived, tied, fitted, assumed, invented");
  EXPECT_EQ(parse_error("x = { value = 1, kind = 'guessed', source = 's' }\n"),
            "m.toml:5:25: network.x: kind 'guessed' is not one of stated, derived, tied, fitted, assumed, invented");
  EXPECT_EQ(parse_error("x = { value = 1, kind = 'fitted', source = 's' }\n"),
            "m.toml:5:1: network.x: fits is missing: which claim was it fitted to?");
  EXPECT_EQ(parse_error("x = { value = 1, kind = 'assumed', source = 's' }\n"),
            "m.toml:5:1: network.x: range is missing: within which bounds can an assumed value be changed?");
  EXPECT_EQ(parse_error("x = { value = 1, kind = 'assumed', range = [2, 3], source = 's' }\n"),
            "m.toml:5:44: network.x: the range does not contain the value, 1");
  EXPECT_EQ(parse_error("x = { value = 2, kind = 'assumed', range = [3, 1], source = 's' }\n"),
            "m.toml:5:44: network.x: the range is the wrong way round: [lowest, highest] is [1, 3]");
  const std::string ranged = "x = { value = 2, kind = 'assumed', range = [1, 3], ";
  EXPECT_EQ(parse_error(ranged + "holds = [0, 2], source = 's' }\n"),
            "m.toml:5:60: network.x: holds must lie within the range, [1, 3]");
  EXPECT_EQ(parse_error(ranged + "holds = [2.5, 3], source = 's' }\n"),
            "m.toml:5:60: network.x: what claims hold in does not contain the value, 2");
  EXPECT_EQ(parse_error("x = { value = 2, kind = 'derived', follows = '3 us - a.b', source = 's' }\n"),
            "m.toml:5:46: network.x: only a fitted number follows from others");
  EXPECT_EQ(parse_error("x = { value = 2, kind = 'fitted', fits = 'A-01', holds = [1, 3], source = 's' }\n"),
            "m.toml:5:58: network.x: holds is a part of a range, and there is none");
  EXPECT_EQ(parse_error("x = { value = 2, kind = 'stated', at_most = '2 * a.b', source = 's' }\n"),
            "m.toml:5:45: network.x: at_most narrows a range, and there is none");
}

TEST(MachineFileMistakes, AChoiceThatIsNone) {
  EXPECT_EQ(parse_error("x = { value = 'c', one_of = ['a', 'b'], kind = 'stated', source = 's' }\n"),
            "m.toml:5:15: network.x: 'c' is not one of a, b");
  EXPECT_EQ(error_of([] {
              parse("x = { value = 'c', kind = 'stated', source = 's' }\n").choice("network.x", {"c", "d"});
            }),
            "m.toml:5:1: network.x: one_of is missing: what else could be chosen? There are c, d");
}

TEST(MachineFileMistakes, NotAFile) {
  EXPECT_EQ(error_of([] { MachineFile::load("no/such.toml"); }),
            "no/such.toml: cannot be read: No such file or directory");
}

// --- mistakes that show when a part asks ---

TEST(MachineFileMistakes, TheWrongUnit) {
  const MachineFile file = parse(number("3", "us"));
  EXPECT_EQ(
      error_of([&] { file.bandwidth("network.x"); }),
      "m.toml:5:1: network.x: 'us' is no unit of a bandwidth, which is in B/s, kB/s, KB/s, MB/s, GB/s, KiB/s, MiB/s, "
      "GiB/s, kbit/s, Mbit/s, Gbit/s");
  EXPECT_EQ(error_of([&] { file.count("network.x"); }), "m.toml:5:1: network.x: a count has no unit, not 'us'");
}

TEST(MachineFileMistakes, MoreThanAnIntHolds) {
  EXPECT_EQ(parse(number("2147483647", "")).small_count("network.x"), 2147483647);
  EXPECT_EQ(error_of([] { parse(number("4294967296", "")).small_count("network.x"); }),
            "m.toml:5:1: network.x: must be no more than 2147483647");
}

TEST(MachineFileMistakes, ARateThatTheSimulatorCannotTell) {
  EXPECT_EQ(parse(number("250", "B/s")).bandwidth("network.x"), Bandwidth::per_second(250));
  EXPECT_EQ(error_of([] { parse(number("249", "B/s")).bandwidth("network.x"); }),
            "m.toml:5:1: network.x: less than 250 a second, one in 4 ms");
}

TEST(MachineFileMistakes, NoUnit) {
  EXPECT_EQ(error_of([] { parse(number("3", "")).time("network.x"); }),
            "m.toml:5:1: network.x: the unit is missing: a time is in ps, ns, us, ms, s");
}

TEST(MachineFileMistakes, NotANumber) {
  EXPECT_EQ(error_of([] {
              parse("x = { value = 'fast', one_of = ['fast'], kind = 'stated', source = 's' }\n").time("network.x");
            }),
            "m.toml:5:1: network.x: 'fast' is not a number: here belongs one without quotes");
  EXPECT_EQ(
      error_of([] { parse("x = { value = '3', unit = 'us', kind = 'stated', source = 's' }\n").time("network.x"); }),
      "m.toml:5:1: network.x: '3' is not a number: here belongs one without quotes");
  EXPECT_EQ(error_of([] { parse("x = { value = [3, 4], kind = 'stated', source = 's' }\n").count("network.x"); }),
            "m.toml:5:1: network.x: a list, 3x4, where one number belongs");
  EXPECT_EQ(parse_error(number("nan", "us")), "m.toml:5:15: network.x: not a finite number");
}

TEST(MachineFileMistakes, NumbersOutOfBounds) {
  EXPECT_EQ(error_of([] { parse(number("-3", "us")).time("network.x"); }), "m.toml:5:1: network.x: -3 us is negative");
  EXPECT_EQ(error_of([] { parse(number("0", "B/s")).bandwidth("network.x"); }),
            "m.toml:5:1: network.x: must be more than 0");
  EXPECT_EQ(error_of([] { parse(number("0.5", "B")).bytes("network.x"); }),
            "m.toml:5:1: network.x: not a whole number of bytes");
  EXPECT_EQ(error_of([] { parse(number("2.5", "")).count("network.x"); }),
            "m.toml:5:1: network.x: 2.5 is not a whole number");
  EXPECT_EQ(error_of([] { parse(number("0", "")).count("network.x", 1); }),
            "m.toml:5:1: network.x: must be at least 1");
  EXPECT_EQ(error_of([] { parse(number("1e9", "s")).time("network.x"); }),
            "m.toml:5:1: network.x: longer than 100 days");
}

TEST(MachineFileMistakes, APollThatCostsNothing) {
  EXPECT_EQ(error_of([] { parse(number("0", "us")).time_above_zero("network.x"); }),
            "m.toml:5:1: network.x: must be more than 0, or a polling loop would never advance the clock");
  EXPECT_EQ(parse(number("0.1", "ps")).time_above_zero("network.x"), Time::ps(1));
}

TEST(MachineFileMistakes, AMissingKey) {
  EXPECT_EQ(error_of([] { parse_with_library("", "plain").time("network.hop_latency"); }),
            "m.toml:4:1: network.hop_latency: this key is missing: a time in ps, ns, us, ms, s; to begin with, "
            "hop_latency = { value = 100, unit = \"ns\", kind = \"invented\" }, as ideal has");
  EXPECT_EQ(error_of([] { parse("").count("nothing.like_this"); }),
            "m.toml: nothing.like_this: this key is missing, and the table too: a count, without a unit");
}

TEST(MachineFileMistakes, AMistypedKey) {
  const MachineFile file =
      parse(number("1", "us") + "link_bandwith = { value = 1, unit = 'MB/s', kind = 'stated', source = 's' }\n");
  EXPECT_EQ(error_of([&] { file.bandwidth("network.link_bandwidth"); }),
            "m.toml:6:1: network.link_bandwith: unknown key, did you mean 'link_bandwidth'?");
}

TEST(MachineFileMistakes, AKeyThatNobodyAsksFor) {
  const MachineFile file = parse(number("1", "us") + "y = { value = 1, kind = 'stated', source = 's' }\n");
  file.time("network.x");
  EXPECT_EQ(error_of([&] { file.refuse_unknown_keys(); }), "m.toml:6:1: network.y: unknown key: no part of m uses it");
  file.count("network.y");
  EXPECT_EQ(error_of([&] { file.refuse_unknown_keys(); }), "no error");
}

TEST(MachineFileMistakes, AChoiceThatThePartDoesNotKnow) {
  const MachineFile file = parse("x = { value = 'c', one_of = ['c'], kind = 'stated', source = 's' }\n");
  EXPECT_EQ(error_of([&] { file.choice("network.x", {"a", "b"}); }), "m.toml:5:1: network.x: 'c' is not one of a, b");
}

TEST(MachineFileMistakes, AChoiceOfferedThatThePartDoesNotKnow) {
  const MachineFile file = parse("x = { value = 'a', one_of = ['a', 'c'], kind = 'stated', source = 's' }\n");
  EXPECT_EQ(error_of([&] {
              file.choice("network.x", {"a", "b"});
            }),
            "m.toml:5:1: network.x: one_of has 'c', which is not one of a, b");
}

}  // namespace
}  // namespace hindcast
