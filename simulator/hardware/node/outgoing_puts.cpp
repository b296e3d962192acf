#include "simulator/hardware/node/outgoing_puts.hpp"

namespace hindcast {

std::uint64_t OutgoingPuts::add(Bytes bytes) {
  puts_.push_back(Put{total_, total_ + bytes.count()});
  total_ += bytes.count();
  // What lies further back than the registers hold must have left before the processor goes on.
  while (puts_.front().end + registers_ < total_) puts_.pop_front();
  return added_++;
}

std::optional<Time> OutgoingPuts::fits_since() {
  if (total_ <= registers_) return Time();
  const std::uint64_t must_have_left = total_ - registers_;
  const Put& put = puts_.front();
  if (put.injected == Time::never()) return std::nullopt;
  if (must_have_left == put.end) return put.injected;  // As when puts are of one size: spares a division.
  const auto whole = static_cast<std::int64_t>(put.end - put.begin);
  const auto left = static_cast<std::int64_t>(must_have_left - put.begin);
  const __int128 product = static_cast<__int128>((put.injected - put.entry).in_ps()) * left;
  return put.entry + Time::ps(static_cast<std::int64_t>((product + whole - 1) / whole));
}

void OutgoingPuts::entered(std::uint64_t number, Time entry, Time injected) {
  const std::uint64_t first = added_ - puts_.size();
  if (number < first) return;
  Put& put = *(puts_.begin() + static_cast<std::ptrdiff_t>(number - first));
  put.entry = entry;
  put.injected = injected;
}

void OutgoingPuts::written(Time acknowledged) {
  ++written_;
  acknowledged_ = later_of(acknowledged_, acknowledged);
}

}  // namespace hindcast
