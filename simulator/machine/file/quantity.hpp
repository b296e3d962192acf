// Units as they are written in machine files. A number without its unit means nothing, and one with the unit of another
// quantity is a mistake.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hindcast {

enum class Quantity { time, size, bandwidth, time_per_byte, flop_rate, operation_rate };

std::string_view name_of(Quantity quantity);  // "a time"
std::string units_of(Quantity quantity);      // "ps, ns, us, ms, s"

// How many base units (ps, B, B/s, ps/B, flop/s, op/s) one `unit` is; nothing if it is no unit of that quantity.
std::optional<double> factor_of(Quantity quantity, std::string_view unit);

bool measure_the_same(std::string_view unit, std::string_view other);

// "10 MB/s" into 10 and "MB/s"; nothing if it does not start with a number.
std::optional<std::pair<double, std::string>> split_number_and_unit(std::string_view text);

}  // namespace hindcast
