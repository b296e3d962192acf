#include "mpi_impl/libraries/aplib/native/together.hpp"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <string_view>

namespace hindcast::aplib {

namespace {

class OthersWait final : public Wait {
 public:
  OthersWait(const char* call, int other) : call_(call), other_(other) {}
  BlockedOn describe() const override { return {call_, "until all cells have called it", {other_}}; }

 private:
  const char* call_;
  int other_;
};

constexpr int tag_of_reductions = -2;  // those of barriers are their rounds

// Of another cell, which has sent its number and waits for the result.
void check_reduction(Cell& self, const char* call, int other) {
  const std::string_view theirs = Cell::of(self.node().system().node(other)->rank())->reduction;
  if (theirs != call)
    self.node().system().end_run(
        fmt::format("rank {}: {}: cell {} has called {}; all cells have to call the same routine", self.number(), call,
                    other, theirs));
}

}  // namespace

void synchronize(Cell& self, const char* call) {
  const int cells = self.cells();
  int round = 0;
  for (int distance = 1; distance < cells; distance *= 2, ++round) {
    const int to = (self.number() + distance) % cells, from = (self.number() - distance + cells) % cells;
    self.send_own(to, round, nullptr, Bytes(), OthersWait(call, to));
    self.receive_own(from, round, nullptr, Bytes(), OthersWait(call, from));
  }
}

void reduce(Cell& self, const char* call, void* number, Bytes bytes, const Combine& combine) {
  self.reduction = call;
  if (self.number() != 0) {
    self.send_own(0, tag_of_reductions, number, bytes, OthersWait(call, 0));
    return self.receive_own(0, tag_of_reductions, number, bytes, OthersWait(call, 0));
  }
  std::array<std::byte, sizeof(double)> theirs;
  assert(bytes.count() <= theirs.size());
  for (int cell = 1; cell < self.cells(); ++cell) {
    self.receive_own(cell, tag_of_reductions, theirs.data(), bytes, OthersWait(call, cell));
    check_reduction(self, call, cell);
    Thread::current()->spend(self.settings().combine, 1);
    combine(number, theirs.data());
  }
  for (int cell = 1; cell < self.cells(); ++cell)
    self.send_own(cell, tag_of_reductions, number, bytes, OthersWait(call, cell));
}

}  // namespace hindcast::aplib
