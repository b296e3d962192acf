// What pvm_setopt sets, by the numbers of pvm3.h.
#pragma once

#include <array>
#include <utility>

#include "mpi_impl/libraries/pvm/include/pvm3.h"

namespace hindcast::pvm {

class Options {
 public:
  // What a task says of its children's output and traces, which is so of theirs too; and what they then have as their
  // own.
  static constexpr std::array<std::pair<int, int>, 8> inherited = {{{PvmOutputTid, PvmSelfOutputTid},
                                                                    {PvmOutputCode, PvmSelfOutputCode},
                                                                    {PvmOutputContext, PvmSelfOutputContext},
                                                                    {PvmTraceTid, PvmSelfTraceTid},
                                                                    {PvmTraceCode, PvmSelfTraceCode},
                                                                    {PvmTraceContext, PvmSelfTraceContext},
                                                                    {PvmTraceBuffer, PvmSelfTraceBuffer},
                                                                    {PvmTraceOptions, PvmSelfTraceOptions}}};
  static bool is_one(int what) { return what >= PvmRoute && what <= PvmNoReset; }
  int get(int what) const { return values_[static_cast<std::size_t>(what)]; }
  int set(int what, int value) { return std::exchange(values_[static_cast<std::size_t>(what)], value); }

 private:
  std::array<int, PvmNoReset + 1> values_ = first_values();
  static constexpr std::array<int, PvmNoReset + 1> first_values() {
    std::array<int, PvmNoReset + 1> values{};
    values[PvmRoute] = PvmAllowDirect;
    values[PvmAutoErr] = 1;
    values[PvmTraceOptions] = values[PvmSelfTraceOptions] = PvmTraceFull;
    values[PvmShowTids] = 1;
    values[PvmPollType] = PvmPollConstant;
    return values;
  }
};

}  // namespace hindcast::pvm
