#include "simulator/programs/load/arena.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>

#include "simulator/programs/load/program_error.hpp"
#include "simulator/programs/process/own_stack.hpp"

namespace hindcast::programs {
namespace {

constexpr std::size_t image = 3 * 4096;
constexpr std::size_t stack = 64 * 1024;

class ArenaTest : public testing::TestWithParam<GuardKind> {};

TEST_P(ArenaTest, GuardsEveryStack) {
  Arena arena(4, image, stack, GetParam());
  for (std::size_t slot = 0; slot < 4; ++slot) {
    arena.install_guard(slot);
    std::memset(arena.image(slot), 1, image);
    std::memset(arena.stack_bottom(slot), 2,
                static_cast<std::size_t>(arena.stack_top(slot) - arena.stack_bottom(slot)));
    EXPECT_GE(arena.stack_top(slot) - arena.stack_bottom(slot), static_cast<std::ptrdiff_t>(stack));
  }
  EXPECT_DEATH(*arena.guard(2) = std::byte{1}, "");
  EXPECT_DEATH(*(arena.stack_bottom(2) - 1) = std::byte{1}, "");
}

INSTANTIATE_TEST_SUITE_P(Guards, ArenaTest, testing::Values(GuardKind::best_available, GuardKind::by_protection),
                         [](const auto& test) {
                           return test.param == GuardKind::best_available ? "best" : "protection";
                         });

TEST(Arena, KnowsWhoseAnAddressIs) {
  Arena arena(3, image, stack);
  EXPECT_EQ(arena.slot_of(arena.image(0)), 0u);
  EXPECT_EQ(arena.slot_of(arena.stack_top(1) - 1), 1u);
  EXPECT_EQ(arena.slot_of(arena.image(2)), 2u);
  EXPECT_EQ(arena.slot_of(arena.image(0) - 1), std::nullopt);
  EXPECT_EQ(arena.slot_of(arena.stack_top(2)), std::nullopt);
  EXPECT_TRUE(arena.is_in_guard(arena.guard(1)));
  EXPECT_TRUE(arena.is_in_guard(arena.stack_bottom(1) - 1));
  EXPECT_FALSE(arena.is_in_guard(arena.stack_bottom(1)));
  EXPECT_FALSE(arena.is_in_guard(arena.guard(1) - 1));
}

long resident_pages() {
  std::ifstream file("/proc/self/statm");
  long all = 0, resident = 0;
  file >> all >> resident;
  return resident;
}

TEST(Arena, TakesNoMemoryBeforeItIsTouched) {
  const long before = resident_pages();
  Arena arena(10'000, image, 8 << 20);
  EXPECT_LT(resident_pages() - before, 1000);
}

TEST(Arena, SaysWhatWouldHelpIfThereIsNoRoom) {
  try {
    Arena arena(1 << 20, image, std::size_t{1} << 40);
    FAIL();
  } catch (const ProgramError& error) {
    EXPECT_NE(std::string(error.what()).find("--stack"), std::string::npos);
  }
}

struct Call {
  const Arena* arena;
  std::optional<std::size_t> slot;
};

TEST(OwnStack, RunsAFunctionThere) {
  Arena arena(2, 0, stack);
  Call call{&arena, {}};
  call_on_stack(
      arena.stack_top(1) - 1,  // any alignment will do
      [](void* argument) {
        auto& given = *static_cast<Call*>(argument);
        given.slot = given.arena->slot_of(__builtin_frame_address(0));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) % 16, 0u);
      },
      &call);
  EXPECT_EQ(call.slot, 1u);
}

TEST(OwnStack, ExceptionsAreCaughtOnItButDoNotLeaveIt) {
  Arena arena(1, 0, stack);
  int caught = 0;
  call_on_stack(
      arena.stack_top(0),
      [](void* argument) {
        try {
          throw 7;
        } catch (int value) {
          *static_cast<int*>(argument) = value;
        }
      },
      &caught);
  EXPECT_EQ(caught, 7);
  const auto let_one_out = [&] {
    try {
      call_on_stack(
          arena.stack_top(0), [](void*) { throw 8; }, nullptr);
    } catch (int) {
      _exit(0);
    }
  };
  EXPECT_EXIT(let_one_out(), testing::KilledBySignal(SIGABRT), "terminate");
}

}  // namespace
}  // namespace hindcast::programs
