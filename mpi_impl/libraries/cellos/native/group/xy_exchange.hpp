// The way of the xy routines' numbers over the T-net, which nobody describes but by their name: along the rows of
// cells, then along the columns.
//
// In each direction cells exchange what they have with one that is a cell away, then two, four, and so on, so that all
// of them have the whole at the same time. With rows as long as a power of two these are the cells whose numbers differ
// in one bit. Cells beyond a power of two give theirs to another one before, and get the result from that one after. A
// number goes from cell to cell by the message controllers, with a header and no copy; the cell that gets it is in the
// routine, too, and takes a step.
#pragma once

#include <array>
#include <vector>

#include "mpi_impl/libraries/cellos/native/costs.hpp"
#include "simulator/hardware/collective/barrier_tree.hpp"
#include "simulator/hardware/network/network.hpp"

namespace hindcast::cellos {

class System;

class XyExchange final : public MeetingOfLeaves, private EventSink, private TransferSink {
 public:
  XyExchange(System& system, int cells);

  void arrive(int cell, BarrierSink& sink) override;
  bool has_arrived(int cell) const override { return part(cell).sink != nullptr; }
  int leaves() const override { return static_cast<int>(parts_.size()); }

  // How many steps follow each other from the last cell's call until all have the result.
  static int steps_for(int cells);

 private:
  struct Way : Transfer {
    int to_cell = 0;
    int round = 0;
  };
  struct Part {
    BarrierSink* sink = nullptr;  // of the cell, while it is in the routine
    int round = 0;                // that it is in
    std::uint32_t heard = 0;      // of which rounds a number has come, a bit for each
    bool is_stepping = false;
    // Two of each round, which reductions take in turn: one may begin while the number of the reduction before it still
    // waits in the cell's port. Two reductions back a number has always arrived, as the partner has gone on since.
    std::vector<std::array<Way, 2>> ways;
    std::size_t reductions = 0;  // that have begun
  };

  Part& part(int cell) { return parts_[static_cast<std::size_t>(cell)]; }
  const Part& part(int cell) const { return parts_[static_cast<std::size_t>(cell)]; }
  // The first round is that of the numbers from beyond the power of two, the last that of the results that go there.
  int last_round() const { return exchanges_ + 1; }
  bool is_beyond(int cell) const { return cell >= 1 << exchanges_; }
  bool has_one_beyond(int cell) const { return !is_beyond(cell) && cell + (1 << exchanges_) < leaves(); }
  int partner(int cell, int round) const;
  bool sends(int cell, int round) const;
  bool hears(int cell, int round) const;
  void enter(int cell, int round);
  void go_on(int cell);
  void fire(const Event& event) override;
  void entered(Transfer&) override {}
  void arrived(Transfer& transfer) override;

  System& system_;
  EventOwner owner_;
  int exchanges_ = 0;
  std::vector<Part> parts_;
};

}  // namespace hindcast::cellos
