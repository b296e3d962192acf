#include "tests/support/seeds.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace hindcast::test {

namespace {

std::optional<std::uint32_t> parse_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stopped != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::uint32_t> only_seed() {
  const char* text = std::getenv(seed_variable);
  if (text == nullptr) return std::nullopt;
  const std::optional<std::uint32_t> seed = parse_number(text);
  if (!seed) throw std::invalid_argument(fmt::format("{}={}: give a number, such as 17", seed_variable, text));
  return seed;
}

Seeds seeds_of_test(std::uint32_t count) {
  if (const std::optional<std::uint32_t> only = only_seed()) return {*only, *only};
  const char* variable = std::getenv(seeds_variable);
  if (variable == nullptr) return {1, count};
  const std::string_view text = variable;
  const std::size_t dash = text.find('-');
  const std::optional<std::uint32_t> first = dash == std::string_view::npos ? 1 : parse_number(text.substr(0, dash));
  const std::optional<std::uint32_t> last = parse_number(dash == std::string_view::npos ? text : text.substr(dash + 1));
  if (!first || !last || *first > *last)
    throw std::invalid_argument(fmt::format(
        "{}={}: give how many, such as 10000, or from which to which, such as 201-10000", seeds_variable, text));
  return {*first, *last};
}

void for_each_seed(std::uint32_t count, const std::function<void(std::uint32_t seed)>& test_one) {
  const auto [first, last] = seeds_of_test(count);
  for (std::uint32_t seed = first; seed <= last; ++seed) {
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
