#include "simulator/engine/units.hpp"

#include <cmath>

namespace hindcast {

namespace {
constexpr double fractions_per_second = 4294967296.0 * 1e12;  // of 2^-32 picoseconds
}

Time Time::from_seconds(double seconds) {
  const double ps = std::nearbyint(seconds * 1e12);
  if (!(std::abs(ps) < 9.2e18)) throw std::out_of_range("a time of more than 106 simulated days");
  return Time(static_cast<std::int64_t>(ps));
}

Rate Rate::per_second(double units) {
  if (!(units > 0)) throw std::out_of_range("a rate must be greater than 0");
  const double fraction = std::nearbyint(fractions_per_second / units);
  if (!(fraction < 1.8e19)) throw std::out_of_range("a rate of less than one unit in 4 simulated milliseconds");
  Rate rate;
  rate.fraction_of_ps_ = fraction < 1 ? 1 : static_cast<std::uint64_t>(fraction);
  return rate;
}

Rate Rate::taking(double ps_per_unit) {
  const double fraction = std::nearbyint(ps_per_unit * 4294967296.0);
  if (!(fraction >= 0 && fraction < 1.8e19)) throw std::out_of_range("more than 4 simulated milliseconds a unit");
  Rate rate;
  rate.fraction_of_ps_ = static_cast<std::uint64_t>(fraction);
  return rate;
}

double Rate::in_units_per_second() const {
  return is_unlimited() ? std::numeric_limits<double>::infinity()
                        : fractions_per_second / static_cast<double>(fraction_of_ps_);
}

}  // namespace hindcast
