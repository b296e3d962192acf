// The numbers of a machine's file as those who ask want them: of one quantity, in the unit that the simulator reckons
// in.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

const Parameter& MachineFile::find(std::string_view key, Quantity quantity) const {
  return find(key, fmt::format("{} in {}", name_of(quantity), units_of(quantity)));
}

double MachineFile::number(const Parameter& parameter) const {
  const auto* number = std::get_if<double>(&parameter.value);
  if (const auto* text = std::get_if<std::string>(&parameter.value))
    refuse(parameter, fmt::format("'{}' is not a number: here belongs one without quotes", *text));
  if (number == nullptr) refuse(parameter, fmt::format("a list, {}, where one number belongs", shown_value(parameter)));
  if (*number < 0) refuse(parameter, fmt::format("{} is negative", shown_value(parameter)));
  return *number;
}

double MachineFile::quantity(const Parameter& parameter, Quantity quantity) const {
  const double value = number(parameter);
  const auto factor = factor_of(quantity, parameter.unit);
  if (!factor)
    refuse(parameter, parameter.unit.empty()
                          ? fmt::format("the unit is missing: {} is in {}", name_of(quantity), units_of(quantity))
                          : fmt::format("'{}' is no unit of {}, which is in {}", parameter.unit, name_of(quantity),
                                        units_of(quantity)));
  return value * *factor;
}

Time MachineFile::time(std::string_view key) const {
  const Parameter& parameter = find(key, Quantity::time);
  const double ps = std::nearbyint(quantity(parameter, Quantity::time));
  if (!(ps < 9e18)) refuse(parameter, "longer than 100 days");
  return Time::ps(static_cast<std::int64_t>(ps));
}

Time MachineFile::time_above_zero(std::string_view key) const {
  const Parameter& parameter = find(key, Quantity::time);
  if (number(parameter) == 0) refuse(parameter, "must be more than 0, or a polling loop would never advance the clock");
  return later_of(time(key), Time::ps(1));
}

Bytes MachineFile::bytes(std::string_view key) const {
  const Parameter& parameter = find(key, Quantity::size);
  const double count = quantity(parameter, Quantity::size);
  if (count != std::floor(count) || !(count < 9e18)) refuse(parameter, "not a whole number of bytes");
  return Bytes(static_cast<std::uint64_t>(count));
}

Rate MachineFile::rate(std::string_view key, Quantity quantity_of_rate) const {
  const Parameter& parameter = find(key, quantity_of_rate);
  const double per_second = quantity(parameter, quantity_of_rate);
  if (per_second == 0) refuse(parameter, "must be more than 0");
  constexpr double least = 250;  // of less the simulator's fractions of a picosecond cannot tell
  if (per_second < least) refuse(parameter, fmt::format("less than {} a second, one in 4 ms", least));
  return Rate::per_second(per_second);
}

Bandwidth MachineFile::bandwidth(std::string_view key) const {
  if (!measure_the_same(find(key, Quantity::bandwidth).unit, "ns/B")) return rate(key, Quantity::bandwidth);
  const Bandwidth bandwidth = time_per_byte(key);
  if (bandwidth.is_unlimited()) refuse(key, "must be more than 0");
  return bandwidth;
}

Rate MachineFile::time_per_byte(std::string_view key) const {
  const Parameter& parameter = find(key, Quantity::time_per_byte);
  const double ps = quantity(parameter, Quantity::time_per_byte);
  if (!(ps < 4e9)) refuse(parameter, "more than 4 ms for each byte");
  return Rate::taking(ps);
}

FlopRate MachineFile::flop_rate(std::string_view key) const { return rate(key, Quantity::flop_rate); }
Rate MachineFile::operation_rate(std::string_view key) const { return rate(key, Quantity::operation_rate); }

std::int64_t MachineFile::count(std::string_view key, std::int64_t least) const {
  const Parameter& parameter = find(key, "a count, without a unit");
  const double value = number(parameter);
  if (!parameter.unit.empty()) refuse(parameter, fmt::format("a count has no unit, not '{}'", parameter.unit));
  if (value != std::floor(value) || !(value < 9e15)) refuse(parameter, fmt::format("{} is not a whole number", value));
  if (value < static_cast<double>(least)) refuse(parameter, fmt::format("must be at least {}", least));
  return static_cast<std::int64_t>(value);
}

int MachineFile::small_count(std::string_view key, std::int64_t least) const {
  const std::int64_t value = count(key, least);
  constexpr int most = std::numeric_limits<int>::max();
  if (value > most) refuse(key, fmt::format("must be no more than {}", most));
  return static_cast<int>(value);
}

}  // namespace hindcast
