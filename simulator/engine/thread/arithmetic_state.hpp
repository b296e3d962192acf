// How a thread computes: the rounding that it has chosen and the flags that its arithmetic has raised, of both the SSE
// unit and the x87.
#pragma once

#include <cstdint>

namespace hindcast {

class ArithmeticState {
 public:
  void save() {
    mxcsr_ = mxcsr_now();
    x87_ = x87_now();
  }
  void restore() const {
    load(mxcsr_);
    load(x87_);
  }
  // Right after it was saved. Handlers and SimGrid compute with the usual rounding, whatever the program chose. Flags
  // mean nothing to them.
  void reset_rounding() const {
    constexpr std::uint32_t flags = 0x3f;
    if ((mxcsr_ & ~flags) != usual_mxcsr) load(usual_mxcsr);
    if (x87_ != usual_x87) load(usual_x87);
  }
  // As a program finds it: no flags of others either.
  static void set_usual() {
    load(usual_mxcsr);
    load(usual_x87);
    asm volatile("fnclex");
  }

 private:
  static constexpr std::uint32_t usual_mxcsr = 0x1f80;
  static constexpr std::uint16_t usual_x87 = 0x037f;

  static std::uint32_t mxcsr_now() {
    std::uint32_t now;
    asm volatile("stmxcsr %0" : "=m"(now));
    return now;
  }
  static std::uint16_t x87_now() {
    std::uint16_t now;
    asm volatile("fnstcw %0" : "=m"(now));
    return now;
  }
  static void load(const std::uint32_t& mxcsr) { asm volatile("ldmxcsr %0" : : "m"(mxcsr)); }
  static void load(const std::uint16_t& x87) { asm volatile("fldcw %0" : : "m"(x87)); }

  std::uint32_t mxcsr_ = 0;
  std::uint16_t x87_ = 0;
};

}  // namespace hindcast
