#include "mpi_impl/native/cellos_reductions.hpp"

#include <fmt/format.h>

#include <cstring>
#include <type_traits>
#include <utility>

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

// One's part in what all do together.
class Part : public EventSink, public BarrierSink {
 public:
  Part(BarrierTree& tree, int leaf) : tree_(tree), leaf_(leaf) {}
  void begin() { Thread::current()->act(*this, 0); }

 protected:
  void fire(const Event&) override { tree_.arrive(leaf_, *this); }
  BarrierTree& tree_;
  int leaf_;
};

// A call that waits until all have made it.
class BlockingPart : public Part, public Wait {
 public:
  BlockingPart(BarrierTree& tree, int leaf, const char* call, const Participants& participants)
      : Part(tree, leaf), call_(call), participants_(participants), thread_(*Thread::current()) {}

  void pass() {
    begin();
    while (!is_released_) thread_.wait_without_polling(*this);
  }

 protected:
  void released() override {
    is_released_ = true;
    thread_.wake();
  }

 private:
  BlockedOn describe() const override {
    BlockedOn blocked{call_, participants_.wait_for_all, {}};
    for (int leaf = 0; leaf < tree_.leaves(); ++leaf)
      if (!tree_.has_arrived(leaf)) blocked.ranks.push_back(participants_.first_rank + leaf);
    return blocked;
  }

  const char* call_;
  const Participants& participants_;
  Thread& thread_;
  bool is_released_ = false;
};

// One whose thread goes on meanwhile. It owns itself.
class BegunPart : public Part {
 public:
  BegunPart(BarrierTree& tree, int leaf, Engine& engine, Completion& over)
      : Part(tree, leaf), engine_(engine), over_(over) {}
  virtual ~BegunPart() = default;

 protected:
  void released() override {
    over_.complete(engine_.now());
    delete this;
  }

 private:
  Engine& engine_;
  Completion& over_;
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

void Barrier::pass(int leaf, const char* call) { BlockingPart(tree_, leaf, call, participants_).pass(); }
void Barrier::begin(int leaf, Completion& over) { (new BegunPart(tree_, leaf, system_.engine(), over))->begin(); }

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
    if (cell_ == 0) all_.combine();  // the first to be told
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
  Participant<BlockingPart>(*this, cell, reduction, number, reduction.call, participants_).pass();
}
void Reductions::begin(int cell, const Reduction& reduction, void* number, Completion& over) {
  (new Participant<BegunPart>(*this, cell, reduction, number, system_.engine(), over))->begin();
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
}

void Reductions::combine() {
  result_ = numbers_.front();
  for (std::size_t cell = 1; cell < numbers_.size(); ++cell) current_->combine(result_.data(), numbers_[cell].data());
  current_ = nullptr;
}

}  // namespace hindcast::cellos
