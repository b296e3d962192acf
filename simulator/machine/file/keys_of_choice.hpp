// The keys that belong to a choice, such as those of one kind of queue. If the choice is taken, they are asked for as
// any others. If not, they may be missing from the file; those that are there are known all the same, and checked one
// by one. For what is missing stands the least that it could be: nobody uses it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

class KeysOfChoice {
 public:
  KeysOfChoice(const MachineFile& file, bool is_taken) : file_(file), is_taken_(is_taken) {}

  Time time(std::string_view key) const { return is_read(key) ? file_.time(key) : Time(); }
  Time time_above_zero(std::string_view key) const { return is_read(key) ? file_.time_above_zero(key) : Time::ps(1); }
  Bytes bytes(std::string_view key) const { return is_read(key) ? file_.bytes(key) : Bytes(); }
  Bandwidth bandwidth(std::string_view key) const { return is_read(key) ? file_.bandwidth(key) : Bandwidth(); }
  FlopRate flop_rate(std::string_view key) const { return is_read(key) ? file_.flop_rate(key) : FlopRate(); }
  Rate operation_rate(std::string_view key) const { return is_read(key) ? file_.operation_rate(key) : Rate(); }
  std::int64_t count(std::string_view key, std::int64_t least = 0) const {
    return is_read(key) ? file_.count(key, least) : least;
  }
  int small_count(std::string_view key, int least = 0) const {
    return is_read(key) ? file_.small_count(key, least) : least;
  }
  std::string choice(std::string_view key, const std::vector<std::string>& allowed) const {
    return is_read(key) ? file_.choice(key, allowed) : allowed.front();
  }

  // As MachineFile::extents, without words; empty if it is missing.
  std::vector<std::int64_t> list(std::string_view key) const {
    return is_read(key) ? *file_.extents(key, {}) : std::vector<std::int64_t>();
  }

  // Whether it can be asked for in ways of its own.
  bool is_there(std::string_view key) const { return is_read(key); }

  const MachineFile& file() const { return file_; }
  bool is_taken() const { return is_taken_; }
  // Whether all that was asked for so far was there, so that it can be checked together.
  bool are_complete() const { return are_complete_; }

 private:
  bool is_read(std::string_view key) const {
    if (is_taken_ || file_.has(key)) return true;
    are_complete_ = false;
    return false;
  }

  const MachineFile& file_;
  const bool is_taken_;
  mutable bool are_complete_ = true;
};

}  // namespace hindcast
