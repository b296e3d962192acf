// The seeds of random tests. One that failed is printed, and can be run alone by an environment variable. Another says
// how many there are, for long tests.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace hindcast::test {

constexpr const char* seed_variable = "HINDCAST_TEST_SEED";
constexpr const char* seeds_variable = "HINDCAST_TEST_SEEDS";

struct Seeds {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t count() const { return last - first + 1; }
};

// The seed that the environment variable asks for. Throws std::invalid_argument if it is no number.
std::optional<std::uint32_t> only_seed();

// Those of a test that has so many of its own: 1 to `count`; or as HINDCAST_TEST_SEEDS says, "10000" or "201-10000"; or
// the only one. Throws std::invalid_argument if a variable has something else.
Seeds seeds_of_test(std::uint32_t count);

// Runs the test with each of these seeds. Stops after the first that fails, also by an
// exception, and says which it was.
void for_each_seed(std::uint32_t count, const std::function<void(std::uint32_t seed)>& test_one);

}  // namespace hindcast::test
