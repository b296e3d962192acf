#include "mpi_impl/core/processes/soft.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

namespace hindcast::mpi {

namespace {

template <typename Take>
bool each_part(std::string_view text, char separator, const Take& take) {
  for (;;) {
    const std::size_t end = text.find(separator);
    if (!take(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<Soft::Range> Soft::parse_range(std::string_view text) {
  std::vector<long> numbers;
  const bool are_numbers = each_part(text, ':', [&](std::string_view part) {
    const std::size_t begin = std::min(part.find_first_not_of(' '), part.size());
    part = part.substr(begin, part.find_last_not_of(' ') + 1 - begin);
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), numbers.emplace_back());
    return error == std::errc() && end == part.data() + part.size();
  });
  if (!are_numbers || numbers.size() > 3) return std::nullopt;
  const long stride = numbers.size() == 3 ? numbers[2] : 1;
  const long last = numbers.size() > 1 ? numbers[1] : numbers.front();
  const bool are_too_large = std::any_of(
      numbers.begin(), numbers.end(), [](long number) { return std::abs(number) > std::numeric_limits<int>::max(); });
  if (stride == 0 || are_too_large) return std::nullopt;
  return Range{numbers.front(), last, stride};
}

std::optional<Soft> Soft::parse(std::string_view text) {
  Soft soft;
  const bool are_ranges = each_part(text, ',', [&](std::string_view part) {
    const std::optional<Range> range = parse_range(part);
    if (range) soft.ranges_.push_back(*range);
    return range.has_value();
  });
  return are_ranges ? std::optional(soft) : std::nullopt;
}

std::optional<int> Soft::largest_up_to(int most) const {
  std::optional<int> largest;
  for (const Range& range : ranges_)
    if (const std::optional<int> of_range = range.largest_up_to(most))
      largest = std::max(largest.value_or(0), *of_range);
  return largest;
}

// The range is first, first + stride, and so on up to last, or down to it.
std::optional<int> Soft::Range::largest_up_to(int most) const {
  const long top = std::min<long>(std::max(first, last), most);
  const long bottom = std::max<long>(std::min(first, last), 0);
  const bool is_empty = stride > 0 ? first > last : first < last;
  if (is_empty || top < bottom) return std::nullopt;
  const long step = std::abs(stride);
  const long too_much = ((top - first) % step + step) % step;  // above the number of the range that is next below
  if (top - too_much < bottom) return std::nullopt;
  return static_cast<int>(top - too_much);
}

}  // namespace hindcast::mpi
