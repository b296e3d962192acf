// A platform of a few nodes and an engine on it, for tests.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/rank.hpp"

namespace hindcast::test {

// Must be called after the engine's construction.
void make_nodes(int count);

inline void must_not_end_early(Ending) { std::abort(); }

// One rank per body, on nodes "h0", "h1", ...; runs to the end.
void run_ranks(Engine& engine, const std::vector<std::function<void(Thread&)>>& bodies,
               std::function<void(Ending)> on_early_end = must_not_end_early);

struct NoWait final : Wait {
  BlockedOn describe() const override { return {"test", "", {}}; }
};

}  // namespace hindcast::test
