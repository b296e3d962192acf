#include "simulator/engine/memory/given_stack.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <vector>

#include "simulator/engine/thread.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

constexpr std::size_t given_bytes = std::size_t{512} * 1024;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these have a calloc of their own

TEST(GivenStack, IsWhatTheNextAllocationOfItsSizeGets) {
  std::vector<std::byte> memory(given_bytes);
  const auto allocate = [](std::size_t size) { return std::calloc(size, 1); };
  void* smaller = nullptr;
  void* first = nullptr;
  void* second = nullptr;
  ASSERT_TRUE(GivenStack::is_possible());
  {
    const GivenStack given({memory.data(), given_bytes});
    smaller = allocate(given_bytes - 1);
    first = allocate(given_bytes);
    second = allocate(given_bytes);
  }
  EXPECT_NE(smaller, memory.data());
  EXPECT_EQ(first, memory.data());
  EXPECT_NE(second, memory.data());
  std::free(smaller);
  std::free(second);
  { const GivenStack given({memory.data(), given_bytes}); }
  void* later = allocate(given_bytes);
  EXPECT_NE(later, memory.data());
  std::free(later);
}

// Whether a thread to which a stack is given runs on it.
bool runs_on_stack_given(bool ends_process, bool starts_in_run) {
  std::vector<std::byte> memory(given_bytes);
  EngineOptions options;
  options.ends_process = ends_process;
  options.actor_stack_bytes = std::size_t{16} * 1024;
  Engine engine(options);
  bool is_there = false;
  const auto look = [&] {
    const auto* here = static_cast<const std::byte*>(__builtin_frame_address(0));
    is_there = here >= memory.data() && here < memory.data() + given_bytes;
  };
  const auto start = [&] { engine.start_thread(engine.add_rank("h0"), look, {memory.data(), given_bytes}); };
  test::make_nodes(1);
  if (starts_in_run)
    engine.start_thread(engine.add_rank("h0"), start);
  else
    start();
  engine.run([&](Ending) { _exit(is_there ? 1 : 0); });
  return is_there;
}

TEST(GivenStack, IsWhereAThreadRunsFromItsBeginning) {
  EXPECT_EXIT(runs_on_stack_given(true, false), testing::ExitedWithCode(1), "");
}

TEST(GivenStack, IsNotTakenWhereSimgridWouldFreeIt) {
  EXPECT_EXIT(runs_on_stack_given(true, true), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(_exit(runs_on_stack_given(false, false) ? 1 : 0), testing::ExitedWithCode(0), "");
}

#endif

}  // namespace
}  // namespace hindcast
