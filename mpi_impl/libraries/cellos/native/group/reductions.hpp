// What all cells do together besides waiting for each other (barrier.hpp): they reduce one number of each. The xy
// routines do so along the rows and columns of the torus (xy_exchange.hpp); the status of a sync travels with its
// signal over the synchronisation net. The numbers are combined in the order of the cells.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "mpi_impl/libraries/common/barrier.hpp"

namespace hindcast::cellos {

class System;

// One of the reductions that there are; told apart by its address.
struct Reduction {
  const char* call;
  std::size_t bytes;  // of a number: 4 or 8
  void (*combine)(void* into, const void* other);
};

// By the kind of number and the operation, for the library above and cellos.h.
extern const Reduction isum, imax, imin, fsum, fmax, fmin, dsum, dmax, dmin;

class Reductions {
 public:
  Reductions(System& system, MeetingOfLeaves& tree, const Participants& participants)
      : system_(system), tree_(tree), participants_(participants) {}
  // The same: all cells have to call the same one. The result takes the place of the number.
  void pass(int cell, const Reduction& reduction, void* number);
  void begin(int cell, const Reduction& reduction, void* number, Completion& over);

 private:
  using Number = std::array<std::byte, 8>;
  template <typename Kind>
  class Participant;

  void contribute(int cell, const Reduction& reduction, const Number& number);
  void combine();

  System& system_;
  MeetingOfLeaves& tree_;
  Participants participants_;
  const Reduction* current_ = nullptr;  // by the first cell that calls
  int first_to_call_ = 0;
  std::size_t contributed_ = 0;
  std::vector<Number> numbers_;  // by cell
  Number result_{};
};

}  // namespace hindcast::cellos
