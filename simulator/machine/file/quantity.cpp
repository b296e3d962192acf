#include "simulator/machine/file/quantity.hpp"

#include <array>
#include <charconv>

namespace hindcast {

namespace {

struct Unit {
  Quantity quantity;
  std::string_view name;
  double factor;
};

constexpr double kibi = 1024;
constexpr std::array units{
    Unit{Quantity::time, "ps", 1},
    Unit{Quantity::time, "ns", 1e3},
    Unit{Quantity::time, "us", 1e6},
    Unit{Quantity::time, "ms", 1e9},
    Unit{Quantity::time, "s", 1e12},
    Unit{Quantity::size, "B", 1},
    Unit{Quantity::size, "kB", 1e3},
    Unit{Quantity::size, "KB", 1e3},
    Unit{Quantity::size, "MB", 1e6},
    Unit{Quantity::size, "GB", 1e9},
    Unit{Quantity::size, "KiB", kibi},
    Unit{Quantity::size, "MiB", kibi* kibi},
    Unit{Quantity::size, "GiB", kibi* kibi* kibi},
    Unit{Quantity::bandwidth, "B/s", 1},
    Unit{Quantity::bandwidth, "kB/s", 1e3},
    Unit{Quantity::bandwidth, "KB/s", 1e3},
    Unit{Quantity::bandwidth, "MB/s", 1e6},
    Unit{Quantity::bandwidth, "GB/s", 1e9},
    Unit{Quantity::bandwidth, "KiB/s", kibi},
    Unit{Quantity::bandwidth, "MiB/s", kibi* kibi},
    Unit{Quantity::bandwidth, "GiB/s", kibi* kibi* kibi},
    Unit{Quantity::bandwidth, "kbit/s", 1e3 / 8},
    Unit{Quantity::bandwidth, "Mbit/s", 1e6 / 8},
    Unit{Quantity::bandwidth, "Gbit/s", 1e9 / 8},
    Unit{Quantity::time_per_byte, "ps/B", 1},
    Unit{Quantity::time_per_byte, "ns/B", 1e3},
    Unit{Quantity::time_per_byte, "us/B", 1e6},
    Unit{Quantity::flop_rate, "flop/s", 1},
    Unit{Quantity::flop_rate, "kflop/s", 1e3},
    Unit{Quantity::flop_rate, "Mflop/s", 1e6},
    Unit{Quantity::flop_rate, "Gflop/s", 1e9},
    Unit{Quantity::flop_rate, "Tflop/s", 1e12},
    Unit{Quantity::operation_rate, "op/s", 1},
    Unit{Quantity::operation_rate, "kop/s", 1e3},
    Unit{Quantity::operation_rate, "Mop/s", 1e6},
    Unit{Quantity::operation_rate, "Gop/s", 1e9},
};

}  // namespace

std::string_view name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::time:
      return "a time";
    case Quantity::size:
      return "a size";
    case Quantity::bandwidth:
      return "a bandwidth";
    case Quantity::time_per_byte:
      return "a time per byte";
    case Quantity::flop_rate:
      return "a rate of floating-point operations";
    case Quantity::operation_rate:
      return "a rate of operations";
  }
  return "";
}

std::string units_of(Quantity quantity) {
  std::string names;
  for (const Unit& unit : units) {
    if (unit.quantity != quantity) continue;
    if (!names.empty()) names += ", ";
    names += unit.name;
  }
  return names;
}

std::optional<double> factor_of(Quantity quantity, std::string_view name) {
  for (const Unit& unit : units)
    if (unit.quantity == quantity && unit.name == name) return unit.factor;
  return std::nullopt;
}

bool measure_the_same(std::string_view unit, std::string_view other) {
  for (const Unit& known : units)
    if (known.name == unit) return factor_of(known.quantity, other).has_value();
  return false;
}

std::optional<std::pair<double, std::string>> split_number_and_unit(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  while (!rest.empty() && rest.back() == ' ') rest.remove_suffix(1);
  return std::pair{value, std::string(rest)};
}

}  // namespace hindcast
