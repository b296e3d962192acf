#include "tests/support/seeds.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace hindcast::test {

std::optional<std::uint32_t> only_seed() {
  const char* text = std::getenv(seed_variable);
  if (text == nullptr) return std::nullopt;
  const char* const end = text + std::strlen(text);
  std::uint32_t seed = 0;
  const auto [stopped, error] = std::from_chars(text, end, seed);
  if (error != std::errc() || stopped != end)
    throw std::invalid_argument(fmt::format("{}={}: give a number, such as 17", seed_variable, text));
  return seed;
}

void for_each_seed(std::uint32_t count, const std::function<void(std::uint32_t seed)>& test_one) {
  const std::optional<std::uint32_t> only = only_seed();
  const std::uint32_t last = only.value_or(count);
  for (std::uint32_t seed = only.value_or(1); seed <= last; ++seed) {
    SCOPED_TRACE(fmt::format("seed {0}; {1}={0} runs it alone", seed, seed_variable));
    try {
      test_one(seed);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    if (testing::Test::HasFailure() || seed == last) return;
  }
}

}  // namespace hindcast::test
