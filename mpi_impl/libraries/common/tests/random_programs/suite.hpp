// Random programs of messages, tests, probes and computation, run ahead of the clock and in lockstep: what each rank
// sees, and when, is the same, and so are the steps that a recorder is told of. A library instantiates this suite with
// the ways in which it can be used.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "mpi_impl/libraries/common/tests/random_programs/library.hpp"
#include "mpi_impl/libraries/common/tests/random_programs/plan.hpp"
#include "mpi_impl/libraries/common/tests/random_programs/site.hpp"

namespace hindcast::mpi::random_programs {

struct Case {
  std::string name;
  NetworkKind network = NetworkKind::test;
  std::function<std::unique_ptr<TestLibrary>(Engine& engine, Network& network, int ranks)> make_library;
  Together together = Together::nothing;
  int ranks_min = 2;
  // Whether a program is one for this test; if not, another one is made. None: every one is.
  std::function<bool(const Plan&)> suits = nullptr;
  // How many of 12 programs come to their end at least, and why not all do.
  std::uint32_t ended_of_12 = 12;
  std::string why_not_all = "nothing keeps a program from its end";
  // Nothing if programs cancel sends.
  std::string why_nothing_is_cancelled = "";
};

// With GoogleTest a failing case is shown by its name.
void PrintTo(const Case& shown, std::ostream* out);
std::string name_of_case(const testing::TestParamInfo<Case>& info);

class RandomPrograms : public testing::TestWithParam<Case> {};

}  // namespace hindcast::mpi::random_programs
