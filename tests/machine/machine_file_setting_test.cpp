// What --set does to a machine's file.
#include <gtest/gtest.h>

#include <functional>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {
namespace {

class Settings : public testing::Test {
 protected:
  MachineFile file = MachineFile::parse(
      "[machine]\nname = 'm'\ndescription = 'a machine for tests'\n"
      "[network]\n"
      "link_bandwidth = { value = 300, unit = 'MB/s', kind = 'stated', source = 's' }\n"
      "mode = { value = 'a', one_of = ['a', 'b'], kind = 'stated', source = 's' }\n"
      "dimensions = { value = 'square', one_of = ['square'], kind = 'stated', source = 's' }\n"
      "count = { value = 3, kind = 'stated', source = 's' }\n"
      "model = { value = 'a', one_of = ['a', 'b'], kind = 'stated', source = 's' }\n",
      "m.toml");
  std::string error_of_setting(const std::string& setting) {
    return error_in([&] { file.set(setting); });
  }
  static std::string error_in(const std::function<void()>& action) {
    try {
      action();
    } catch (const MachineFileError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(Settings, ChangeNumbersInAnyUnitOfTheirs) {
  file.set("network.link_bandwidth=10 kB/s");
  EXPECT_EQ(file.bandwidth("network.link_bandwidth"), Bandwidth::per_second(1e4));
  file.set("network.link_bandwidth = 20");
  EXPECT_EQ(file.bandwidth("network.link_bandwidth"), Bandwidth::per_second(2e4));
  file.set("network.link_bandwidth=1MB/s");
  EXPECT_EQ(file.bandwidth("network.link_bandwidth"), Bandwidth::per_second(1e6));
  EXPECT_EQ(file.parameters()[0].set_by, "network.link_bandwidth=1MB/s");
  file.set("network.count=7");
  EXPECT_EQ(file.count("network.count"), 7);
}

TEST_F(Settings, ChangeABandwidthByATimePerByteAndBack) {
  file.set("network.link_bandwidth=100 ns/B");
  EXPECT_EQ(file.bandwidth("network.link_bandwidth"), Bandwidth::per_second(1e7));
  file.set("network.link_bandwidth=20 MB/s");
  EXPECT_EQ(file.bandwidth("network.link_bandwidth"), Bandwidth::per_second(2e7));
}

TEST_F(Settings, ChangeChoicesAndExtents) {
  file.set("network.mode=b");
  EXPECT_EQ(file.choice("network.mode", {"a", "b"}), "b");
  file.set("network=b");
  EXPECT_EQ(file.choice("network.model", {"a", "b"}), "b");
  file.set("network.model=a");
  EXPECT_EQ(file.choice("network.model", {"a", "b"}), "a");
  file.set("network.dimensions=16x8");
  EXPECT_EQ(file.extents("network.dimensions", {"square"}), (std::vector<std::int64_t>{16, 8}));
  file.set("network.dimensions=[4, 2, 2]");
  EXPECT_EQ(file.extents("network.dimensions", {"square"}), (std::vector<std::int64_t>{4, 2, 2}));
  file.set("network.dimensions=square");
  EXPECT_EQ(file.extents("network.dimensions", {"square"}), std::nullopt);
}

TEST_F(Settings, AreCheckedLikeTheFile) {
  EXPECT_EQ(error_of_setting("network.link_bandwith=3"),
            "--set network.link_bandwith=3: unknown key, did you mean 'network.link_bandwidth'? "
            "('hindcast show m.toml' lists them)");
  EXPECT_EQ(error_of_setting("qqqqqq=3"), "--set qqqqqq=3: unknown key; 'hindcast show m.toml' lists them");
  EXPECT_EQ(error_of_setting("network.link_bandwidth=3 us"),
            "--set network.link_bandwidth=3 us: 'us' is no unit of this number, which is in MB/s");
  EXPECT_EQ(error_of_setting("network.count=3 us"), "--set network.count=3 us: this number has no unit");
  EXPECT_EQ(error_of_setting("network.link_bandwidth=fast"),
            "--set network.link_bandwidth=fast: 'fast' is not a number with a unit, such as 300 MB/s");
  EXPECT_EQ(error_of_setting("network.link_bandwidth=-3"), "--set network.link_bandwidth=-3: -3 is negative");
  EXPECT_EQ(error_of_setting("network=c"), "--set network=c: 'c' is not one of a, b");
  EXPECT_EQ(error_of_setting("network.mode=c"), "--set network.mode=c: 'c' is not one of a, b");
  EXPECT_EQ(error_of_setting("network.mode"),
            "--set network.mode: a parameter is set by key=value, such as network.link_bandwidth='10 MB/s'");
  file.set("network.link_bandwidth=0");
  EXPECT_EQ(error_in([&] { file.bandwidth("network.link_bandwidth"); }),
            "--set network.link_bandwidth=0: must be more than 0");
}

}  // namespace
}  // namespace hindcast
