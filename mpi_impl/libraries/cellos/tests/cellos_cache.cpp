// What the message controller finds in a cell's cache when it reads a broadcast's data: what comes from memory takes 33
// ns a byte, the rest what the bus takes.

#include "mpi_impl/libraries/cellos/tests/cells.hpp"

namespace hindcast::cellos {
namespace {

// What cell 0 does first; then it broadcasts so much, and that takes on the bus so long.
Time bus_time(std::string& data, const Body& first, const Body& partner) {
  Time received;
  run_cells(costs(), {[&](Cell& cell) {
                        first(cell);
                        Thread::current()->charge(Time::us(1'000'000) - clock());
                        broadcast(cell, 2, data);
                      },
                      [&](Cell& cell) {
                        partner(cell);
                        Message& second = cell.wait_for(Space::plain, {0, 0, 2}, NoWait());
                        received = clock();
                        cell.copy_out(second, nullptr, Bytes());
                      }});
  return received - Time::us(1'000'580) - interrupted - woken - Time::ns(header_bytes * 20 + 200);
}

struct Pass {
  std::int64_t kib;
  std::int64_t kib_from_memory;
};
class Cache : public testing::TestWithParam<Pass> {};

TEST_P(Cache, BendsTheTimeOfARepeatedBroadcastAtItsSizeAndAtTwiceThat) {
  const Pass& pass = GetParam();
  std::string data(static_cast<std::size_t>(pass.kib) * 1024, 'x');
  const std::int64_t quick = (pass.kib - pass.kib_from_memory) * 1024;
  const std::int64_t slow = pass.kib_from_memory * 1024;
  const Time again = bus_time(
      data, [&](Cell& cell) { broadcast(cell, 1, data); }, [](Cell& cell) { receive(cell, 0, 1); });
  EXPECT_EQ(again, Time::ns(quick * 20 + slow * 33));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Cache,
                         testing::Values(Pass{100, 0}, Pass{128, 0}, Pass{192, 128}, Pass{256, 256}, Pass{300, 300}));

constexpr std::int64_t kib = 1024;
const Body nothing = [](Cell&) {};

TEST(Cache, HasNothingAtFirst) {
  std::string data(10 * kib, 'x');
  EXPECT_EQ(bus_time(data, nothing, nothing), Time::ns(10 * kib * 33));
}

TEST(Cache, HasWhatAReceiveHasCopied) {
  std::string data(10 * kib, '-');
  const Time time = bus_time(
      data,
      [&](Cell& cell) {
        Message& message = cell.wait_for(Space::plain, {0, 1, 7}, NoWait());
        cell.copy_out(message, data.data(), Bytes(4 * kib));
      },
      [](Cell& cell) { send(cell, 0, 7, std::string(4 * kib, 'x')); });
  EXPECT_EQ(time, Time::ns(4 * kib * 20 + 6 * kib * 33));
}

TEST(Cache, HasWhatTheProgramHasTouched) {
  std::string data(10 * kib, 'x');
  const Body touch = [&](Cell& cell) {
    cell.rank().touched_memory->touched(*Thread::current(), data.data() + 2 * kib, Bytes(3 * kib));
  };
  EXPECT_EQ(bus_time(data, touch, nothing), Time::ns(3 * kib * 20 + 7 * kib * 33));
}

// Its copy for the system takes the place of what was read for it.
TEST(Cache, LosesToTheSystemsBufferWhatASendHasCopied) {
  std::string data(10 * kib, 'x');
  const Time time = bus_time(
      data,
      [&](Cell& cell) {
        broadcast(cell, 1, data);
        Thread::current()->charge(Time::us(10'000));
        cell.send({"l_asend", 1, Space::plain, {0, 0, 7}, data.data(), Bytes(4 * kib)});
      },
      [](Cell& cell) {
        receive(cell, 0, 1);
        receive(cell, 0, 7);
      });
  EXPECT_EQ(time, Time::ns(6 * kib * 20 + 4 * kib * 33));
}

}  // namespace
}  // namespace hindcast::cellos
