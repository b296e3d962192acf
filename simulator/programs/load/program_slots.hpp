// The programs of a run as they are loaded, and which of the slots for their ranks are taken. The slot of a rank that
// has gone is there for a later rank of the same program.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simulator/programs/load/loader.hpp"

namespace hindcast::programs {

class ProgramSlots {
 public:
  // What a rank gets: a program of its own, and memory for what it prints.
  struct Slot {
    Loader* loader;
    std::size_t number;
    char* output_buffer;
  };

  static constexpr std::size_t output_buffer_bytes = 1024;

  ProgramSlots(bool separate_files, std::size_t stack_bytes)
      : separate_files_(separate_files), stack_bytes_(stack_bytes) {}

  // So many slots, with the program of this path in each. Throws ProgramError.
  std::vector<Slot> take(const std::string& path, std::size_t count);
  void give_back(const Slot& slot);

 private:
  struct Loaded {
    std::unique_ptr<Loader> loader;
    char* output_buffers;
    std::vector<std::size_t> free;  // the lowest is the last
  };

  Loaded& load(const std::string& path, std::size_t slots);

  const bool separate_files_;
  const std::size_t stack_bytes_;
  std::map<std::string, std::deque<Loaded>> loaded_;  // by path
};

}  // namespace hindcast::programs
