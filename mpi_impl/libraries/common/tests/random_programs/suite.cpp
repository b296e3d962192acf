#include "mpi_impl/libraries/common/tests/random_programs/suite.hpp"

#include <unistd.h>

#include <ostream>

#include "mpi_impl/libraries/common/tests/random_programs/program.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/step_text.hpp"
#include "traces/stream.hpp"

namespace hindcast::mpi::random_programs {
namespace {

enum class Recorded { no, yes };

Plan plan_of(std::uint32_t seed, const Case& tested) {
  constexpr std::uint32_t further = 1'000'000'007;
  for (;; seed += further) {
    Plan plan = make_plan(seed, tested.together, tested.why_nothing_is_cancelled.empty(), tested.ranks_min);
    if (tested.suits == nullptr || tested.suits(plan)) return plan;
  }
}

// Nothing if the program could not come to its end, which finite buffers can prevent.
std::string run_here(std::uint32_t seed, const Case& tested, bool lockstep, Recorded recorded) {
  const Plan plan = plan_of(seed, tested);
  EngineOptions options;
  options.lockstep = lockstep;
  Engine engine(options);
  Site site(engine, tested.network, plan.ranks);
  const auto library = tested.make_library(engine, site.network(), plan.ranks);
  World world;
  std::vector<Endpoint*> endpoints;
  std::vector<std::string> texts(static_cast<std::size_t>(plan.ranks));
  test::StepText steps;
  traces::Stream stream(engine, steps, seed % 2 == 0 ? 1 : 4096);
  if (recorded == Recorded::yes) engine.set_recorder(&stream);
  for (int rank = 0; rank < plan.ranks; ++rank) {
    Rank& added = engine.add_rank(site.node_name(rank));
    engine.start_thread(added, [&, rank] {
      texts[static_cast<std::size_t>(rank)] =
          Program(plan, added, *endpoints[static_cast<std::size_t>(rank)], *library, world).run();
    });
    endpoints.push_back(&library->add(added, rank));
  }
  engine.run([](Ending) { _exit(0); });
  stream.finish();
  library->end();
  std::string all = world.text + steps.text;
  for (const std::string& text : texts) all += text;
  if (testing::Test::HasFailure()) _exit(3);
  return all;
}

std::string run(std::uint32_t seed, const Case& tested, bool lockstep, Recorded recorded) {
  return test::text_from_child([&] { return run_here(seed, tested, lockstep, recorded); });
}

}  // namespace

void PrintTo(const Case& shown, std::ostream* out) { *out << shown.name; }
std::string name_of_case(const testing::TestParamInfo<Case>& info) { return info.param.name; }

TEST_P(RandomPrograms, SeeTheSameAheadOfTheClockAndInLockstep) {
  const Case& tested = GetParam();
  constexpr std::uint32_t usual_seeds = 200;
  std::uint32_t ended = 0;
  test::for_each_seed(usual_seeds, [&](std::uint32_t seed) {
    const std::string ahead = run(seed, tested, false, Recorded::no);
    ASSERT_EQ(ahead, run(seed, tested, true, Recorded::no));
    if (!ahead.empty()) ++ended;
  });
  if (HasFailure() || test::only_seed()) return;
  EXPECT_GE(ended * 12, test::seeds_of_test(usual_seeds).count() * tested.ended_of_12) << tested.why_not_all;
}

TEST_P(RandomPrograms, AreRecordedAlikeAheadOfTheClockAndInLockstep) {
  const Case& tested = GetParam();
  test::for_each_seed(100, [&](std::uint32_t seed) {
    const std::string ahead = run(seed, tested, false, Recorded::yes);
    ASSERT_TRUE(ahead.empty() || ahead.find("receive") != std::string::npos);
    ASSERT_EQ(ahead, run(seed, tested, true, Recorded::yes));
  });
}

}  // namespace hindcast::mpi::random_programs
