// What is wrong with a program that cannot be run: one line for the user.
#pragma once

#include <stdexcept>

namespace hindcast::programs {

class ProgramError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace hindcast::programs
