#include "mpi_impl/libraries/cellos/native/group/reductions.hpp"

#include <fmt/format.h>

#include <cstring>
#include <type_traits>
#include <utility>

#include "mpi_impl/libraries/cellos/native/system.hpp"

namespace hindcast::cellos {

namespace {

// Numbers of other cells come as bytes.
template <typename Number, Number combined(Number, Number)>
void combine_as(void* into, const void* other) {
  Number numbers[2];
  std::memcpy(&numbers[0], into, sizeof(Number));
  std::memcpy(&numbers[1], other, sizeof(Number));
  const Number result = combined(numbers[0], numbers[1]);
  std::memcpy(into, &result, sizeof(Number));
}

// An integer's sum wraps around, as the processor's does.
template <typename Number>
Number sum(Number a, Number b) {
  if constexpr (std::is_integral_v<Number>)
    return static_cast<Number>(static_cast<std::make_unsigned_t<Number>>(a) +
                               static_cast<std::make_unsigned_t<Number>>(b));
  else
    return a + b;
}
template <typename Number>
Number greater(Number a, Number b) {
  return a < b ? b : a;
}
template <typename Number>
Number less(Number a, Number b) {
  return b < a ? b : a;
}

template <typename Number, Number combined(Number, Number)>
constexpr Reduction reduction(const char* call) {
  return {call, sizeof(Number), combine_as<Number, combined>};
}

}  // namespace

const Reduction isum = reduction<int, sum<int>>("xy_isum");
const Reduction imax = reduction<int, greater<int>>("xy_imax");
const Reduction imin = reduction<int, less<int>>("xy_imin");
const Reduction fsum = reduction<float, sum<float>>("xy_fsum");
const Reduction fmax = reduction<float, greater<float>>("xy_fmax");
const Reduction fmin = reduction<float, less<float>>("xy_fmin");
const Reduction dsum = reduction<double, sum<double>>("xy_dsum");
const Reduction dmax = reduction<double, greater<double>>("xy_dmax");
const Reduction dmin = reduction<double, less<double>>("xy_dmin");

// Brings a number along, and takes the result with it.
template <typename Kind>
class Reductions::Participant final : public Kind {
 public:
  template <typename... Arguments>
  Participant(Reductions& all, int cell, const Reduction& reduction, void* number, Arguments&&... arguments)
      : Kind(all.tree_, cell, std::forward<Arguments>(arguments)...),
        all_(all),
        cell_(cell),
        reduction_(reduction),
        place_(number) {
    std::memcpy(number_.data(), number, reduction.bytes);
  }

 private:
  void fire(const Event& event) override {
    all_.contribute(cell_, reduction_, number_);
    Kind::fire(event);
  }
  void released() override {
    std::memcpy(place_, all_.result_.data(), reduction_.bytes);
    Kind::released();
  }

  Reductions& all_;
  int cell_;
  const Reduction& reduction_;
  void* place_;
  Number number_{};
};

void Reductions::pass(int cell, const Reduction& reduction, void* number) {
  Participant<BlockingBarrierPart>(*this, cell, reduction, number, reduction.call, participants_).pass();
}
void Reductions::begin(int cell, const Reduction& reduction, void* number, Completion& over) {
  (new Participant<BegunBarrierPart>(*this, cell, reduction, number, system_.engine(), over))->begin();
}

void Reductions::contribute(int cell, const Reduction& reduction, const Number& number) {
  numbers_.resize(static_cast<std::size_t>(tree_.leaves()));
  if (current_ == nullptr) {
    current_ = &reduction;
    first_to_call_ = cell;
  }
  if (current_ != &reduction)
    system_.end_run(1, fmt::format("rank {}: {}: cell {} has called {}; all cells have to call the same routine",
                                   participants_.first_rank + cell, reduction.call, first_to_call_, current_->call));
  numbers_[static_cast<std::size_t>(cell)] = number;
  if (++contributed_ == numbers_.size()) combine();
}

void Reductions::combine() {
  result_ = numbers_.front();
  for (std::size_t cell = 1; cell < numbers_.size(); ++cell) current_->combine(result_.data(), numbers_[cell].data());
  current_ = nullptr;
  contributed_ = 0;
}

}  // namespace hindcast::cellos
