// The seeds of random tests. One that failed is printed, and can be run alone by an environment variable.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace hindcast::test {

constexpr const char* seed_variable = "HINDCAST_TEST_SEED";

// The seed that the environment variable asks for. Throws std::invalid_argument if it is no number.
std::optional<std::uint32_t> only_seed();

// Runs the test with the seeds 1 to `count`, or with the only one. Stops after the first that fails, also by an
// exception, and says which it was.
void for_each_seed(std::uint32_t count, const std::function<void(std::uint32_t seed)>& test_one);

}  // namespace hindcast::test
