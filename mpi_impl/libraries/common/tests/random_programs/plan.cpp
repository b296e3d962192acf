#include "mpi_impl/libraries/common/tests/random_programs/plan.hpp"

#include <random>

namespace hindcast::mpi::random_programs {

Plan make_plan(std::uint32_t seed, Together together, bool cancels, int ranks_min) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<int>(random() % n); };
  Plan plan{seed, ranks_min + below(5), {}};
  for (int i = 0, count = 40 + below(60); i < count; ++i)
    plan.messages.push_back({below(static_cast<std::uint32_t>(plan.ranks)),
                             below(static_cast<std::uint32_t>(plan.ranks)), below(3) == 0,
                             static_cast<std::uint64_t>(below(4) == 0 ? 2000 + below(3000) : 8 + below(90)),
                             below(5) == 0 ? SendMode::synchronous : SendMode::standard});
  if (cancels)
    for (PlannedMessage& message : plan.messages)
      message.may_be_cancelled = below(8) == 0 && message.from != message.to && !message.wild;
  if (together == Together::nothing) return plan;
  for (PlannedMessage& message : plan.messages)
    if (const int kind = below(12); kind < (together == Together::barriers ? 1 : 3)) {
      message.to = everybody;
      message.wild = message.may_be_cancelled = false;
      if (kind == 0) message.from = everybody;
    }
  return plan;
}

}  // namespace hindcast::mpi::random_programs
