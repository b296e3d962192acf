// The public copy of a rank's part of a window whose memory model is MPI_WIN_SEPARATE: what others do goes there, and
// the rank itself stores and loads what is its own. They meet in the rank's calls that the standard names, and not
// before, so that a program which counts on more is found out.
#pragma once

#include <cstddef>
#include <memory>

#include "mpi_impl/core/memory.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast::mpi {

class Process;
struct Window;

class PublicCopy {
 public:
  PublicCopy(std::byte* own, std::size_t bytes);

  std::byte* begin() const { return public_.get(); }
  std::byte* own() const { return own_; }
  // What has changed on one side since the last time is on the other, too. How much that is.
  Bytes publish() { return carry_over(own_, public_.get()); }
  Bytes take_in() { return carry_over(public_.get(), own_); }

 private:
  Bytes carry_over(const std::byte* from, std::byte* to);

  std::byte* own_;
  std::size_t bytes_;
  OwnMemory public_;
  OwnMemory known_;  // on both sides, the last time
};

// By the window's owner, at its time, which takes a copy of what has changed. Nothing where the memory is one.
void publish(Process& process, Window& window);
void take_in(Process& process, Window& window);

}  // namespace hindcast::mpi
