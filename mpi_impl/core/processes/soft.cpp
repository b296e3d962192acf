#include "mpi_impl/core/processes/soft.hpp"

#include <algorithm>
#include <charconv>

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
  if (stride == 0) return std::nullopt;
  return Range{numbers.front(), numbers.size() > 1 ? numbers[1] : numbers.front(), stride};
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
    for (long number = range.first; range.stride > 0 ? number <= range.last : number >= range.last;
         number += range.stride)
      if (number >= 0 && number <= most) largest = std::max(largest.value_or(0), static_cast<int>(number));
  return largest;
}

}  // namespace hindcast::mpi
