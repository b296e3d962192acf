// --compute recorded:FILE: what each rank computes before each of its calls is known from an earlier run, whose file
// --record-computation has written (recording.hpp).
//
// A program may look more or less often for what has not come than it did then, because the machine is another one. So
// what was computed before such looks, and is not asked for by them, is charged before the next call of the recording
// that is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/run/computation/run_stretches.hpp"

namespace hindcast {

class RecordedComputation final : public RunStretches {
 public:
  // Throws std::runtime_error, naming the line, if that is no such file.
  explicit RecordedComputation(const std::string& path);

  programs::Measuring unit() const { return unit_; }
  double factor() const { return factor_; }

  bool are_known() const override { return true; }
  std::uint64_t charged_before(const char* call, const Thread& thread, std::uint64_t measured) override;
  int run_ends(int status) override;

 private:
  using Calls = std::map<std::string, bool, std::less<>>;  // by name; whether they look for what may not have come
  using Call = Calls::value_type;
  static bool looks_again(const Call& call) { return call.second; }
  struct Stretch {
    const Call* before;
    std::uint64_t amount;
  };
  struct OfThread {
    std::vector<Stretch> all;
    std::size_t charged = 0;  // the first so many
  };
  using RankAndThread = std::pair<int, int>;

  void read(std::istream& file);
  void read_comment(std::string_view text);
  void read_stretch(std::string_view line);
  [[noreturn]] void refuse_line(const std::string& what) const;

  const Call& call_of(std::string_view name);
  OfThread& recorded_of(const Thread& thread);
  // How many stretches are to be charged before the call: the next ones, up to the first that ends with this call, if
  // all in between end with looks. None if there is no such one.
  static std::size_t count_before(const Call& call, const OfThread& recorded);

  std::string path_;
  programs::Measuring unit_ = programs::Measuring::nothing;
  double factor_ = 1;
  bool has_factor_ = false;
  std::uint64_t line_ = 0;  // that is being read
  Calls calls_;
  std::map<RankAndThread, OfThread> threads_;
};

}  // namespace hindcast
