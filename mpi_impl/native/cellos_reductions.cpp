#include "mpi_impl/native/cellos_reductions.hpp"

#include <fmt/format.h>

#include <cstring>
#include <type_traits>

#include "mpi_impl/native/cellos_system.hpp"

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

// A call that waits until all cells have made it.
class BarrierCall : public EventSink, public BarrierSink, public Wait {
 public:
  BarrierCall(BarrierTree& tree, int cell, const char* call)
      : tree_(tree), cell_(cell), call_(call), thread_(*Thread::current()) {}

  void pass() {
    thread_.act(*this, 0);
    while (!is_released_) thread_.wait_without_polling(*this);
  }

 protected:
  void fire(const Event&) override { tree_.arrive(cell_, *this); }
  void released() override {
    is_released_ = true;
    thread_.wake();
  }

 private:
  BlockedOn describe() const override {
    BlockedOn blocked{call_, "until all cells have called it", {}};
    for (int cell = 0; cell < tree_.leaves(); ++cell)
      if (!tree_.has_arrived(cell)) blocked.ranks.push_back(cell);
    return blocked;
  }

  BarrierTree& tree_;
  int cell_;
  const char* call_;
  Thread& thread_;
  bool is_released_ = false;
};

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

void Barrier::pass(int cell, const char* call) { BarrierCall(tree_, cell, call).pass(); }

class Reductions::Participant final : public BarrierCall {
 public:
  Participant(Reductions& all, int cell, const Reduction& reduction, const void* number)
      : BarrierCall(all.tree_, cell, reduction.call), all_(all), cell_(cell), reduction_(reduction) {
    std::memcpy(number_.data(), number, reduction.bytes);
  }

 private:
  void fire(const Event& event) override {
    all_.contribute(cell_, reduction_, number_);
    BarrierCall::fire(event);
  }
  void released() override {
    if (cell_ == 0) all_.combine();  // the first to be told
    BarrierCall::released();
  }

  Reductions& all_;
  int cell_;
  const Reduction& reduction_;
  Number number_{};
};

void Reductions::pass(int cell, const Reduction& reduction, void* number) {
  Participant(*this, cell, reduction, number).pass();
  std::memcpy(number, result_.data(), reduction.bytes);
}

void Reductions::contribute(int cell, const Reduction& reduction, const Number& number) {
  numbers_.resize(static_cast<std::size_t>(tree_.leaves()));
  if (current_ == nullptr) {
    current_ = &reduction;
    first_to_call_ = cell;
  }
  if (current_ != &reduction)
    system_.end_run(1, fmt::format("rank {}: {}: cell {} has called {}; all cells have to call the same routine", cell,
                                   reduction.call, first_to_call_, current_->call));
  numbers_[static_cast<std::size_t>(cell)] = number;
}

void Reductions::combine() {
  result_ = numbers_.front();
  for (std::size_t cell = 1; cell < numbers_.size(); ++cell) current_->combine(result_.data(), numbers_[cell].data());
  current_ = nullptr;
}

}  // namespace hindcast::cellos
