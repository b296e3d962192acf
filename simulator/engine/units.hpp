// Simulated time, sizes and rates. Each has a type of its own, so that a number never loses its unit on the way.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace hindcast {

// A point on the simulated clock, or a length of it: whole picoseconds. 64 bits last for 106 days.
class Time {
 public:
  constexpr Time() = default;
  static constexpr Time ps(std::int64_t count) { return Time(count); }
  static constexpr Time ns(std::int64_t count) { return Time(count * 1'000); }
  static constexpr Time us(std::int64_t count) { return Time(count * 1'000'000); }
  static constexpr Time never() { return Time(std::numeric_limits<std::int64_t>::max()); }

  // Rounds to the nearest picosecond; for reading input, not for arithmetic on the way.
  static Time from_seconds(double seconds);

  constexpr std::int64_t in_ps() const { return ps_; }
  constexpr double in_seconds() const { return static_cast<double>(ps_) * 1e-12; }
  constexpr double in_us() const { return static_cast<double>(ps_) * 1e-6; }

  friend constexpr auto operator<=>(Time, Time) = default;
  friend constexpr Time operator+(Time a, Time b) { return Time(a.ps_ + b.ps_); }
  friend constexpr Time operator-(Time a, Time b) { return Time(a.ps_ - b.ps_); }
  friend constexpr Time operator*(Time a, std::int64_t n) { return Time(a.ps_ * n); }
  constexpr Time& operator+=(Time b) {
    ps_ += b.ps_;
    return *this;
  }

 private:
  explicit constexpr Time(std::int64_t ps) : ps_(ps) {}
  std::int64_t ps_ = 0;
};

constexpr Time later_of(Time a, Time b) { return a < b ? b : a; }

class Bytes {
 public:
  constexpr Bytes() = default;
  explicit constexpr Bytes(std::uint64_t count) : count_(count) {}
  constexpr std::uint64_t count() const { return count_; }
  friend constexpr auto operator<=>(Bytes, Bytes) = default;
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes(a.count_ + b.count_); }

 private:
  std::uint64_t count_ = 0;
};

// Work per time: bytes or floating-point operations a second. Kept as time per unit in 2^-32 picoseconds, so that a
// duration is one multiplication, exact to the picosecond, and the same on every machine.
class Rate {
 public:
  // A rate that takes no time at all.
  constexpr Rate() = default;
  static Rate per_second(double units);
  static Rate taking(double ps_per_unit);

  bool is_unlimited() const { return fraction_of_ps_ == 0; }
  double in_units_per_second() const;

  // Rounded up: work that takes time at all takes at least a picosecond.
  Time time_for(std::uint64_t units) const {
    const auto product = static_cast<unsigned __int128>(units) * fraction_of_ps_;
    return Time::ps(static_cast<std::int64_t>((product + ((1ULL << 32) - 1)) >> 32));
  }
  Time time_for(Bytes bytes) const { return time_for(bytes.count()); }
  // Not rounded, in 2^-32 picoseconds.
  unsigned __int128 fine_time_for(std::uint64_t units) const {
    return static_cast<unsigned __int128>(units) * fraction_of_ps_;
  }

  friend constexpr Rate slower_of(Rate a, Rate b) { return a.fraction_of_ps_ < b.fraction_of_ps_ ? b : a; }
  friend constexpr bool operator==(Rate, Rate) = default;

 private:
  std::uint64_t fraction_of_ps_ = 0;
};

using Bandwidth = Rate;  // bytes a second
using FlopRate = Rate;   // floating-point operations a second

}  // namespace hindcast
