// The file of hindcast run --record-computation: what each rank computed before each of its calls.
//
//   # factor: 40
//   rank,thread,call,ns
//   0,0,MPI_Init,1520
//   1,0,MPI_Init,1498
//   0,0,MPI_Send,73
//
// The stretches of one thread come in the order in which it computed them. `ns` are of this computer and not yet times
// the factor; with --compute counted they are instructions, there is no factor, and the last column's name says so.
#pragma once

#include <cstdint>
#include <string>

#include "commands/run/computation/run_stretches.hpp"
#include "commands/run/output_file.hpp"

namespace hindcast {

namespace recorded_computation {
inline constexpr auto head_of_factor = "# factor: ";
inline constexpr auto columns_of_time = "rank,thread,call,ns";
inline constexpr auto columns_of_instructions = "rank,thread,call,instructions";
}  // namespace recorded_computation

class ComputationRecording final : public RunStretches {
 public:
  // Throws if there can be no such file.
  ComputationRecording(const std::string& path, const programs::MeasuredComputation& measured);

  bool are_known() const override { return false; }
  std::uint64_t charged_before(const char* call, const Thread& thread, std::uint64_t measured) override;
  int run_ends(int status) override { return file_.finish(status); }

 private:
  OutputFile file_;
};

}  // namespace hindcast
