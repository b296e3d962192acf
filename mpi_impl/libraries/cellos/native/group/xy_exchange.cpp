#include "mpi_impl/libraries/cellos/native/group/xy_exchange.hpp"

#include <utility>

#include "mpi_impl/libraries/cellos/native/cell.hpp"

namespace hindcast::cellos {

namespace {

constexpr Bytes number_bytes(8);

int whole_powers_of_two(int cells) {
  int powers = 0;
  while (std::int64_t{2} << powers <= cells) ++powers;
  return powers;
}

}  // namespace

XyExchange::XyExchange(System& system, int cells)
    : system_(system),
      owner_(system.engine().new_owner()),
      exchanges_(whole_powers_of_two(cells)),
      parts_(static_cast<std::size_t>(cells)) {
  for (Part& part : parts_) part.ways.resize(static_cast<std::size_t>(last_round()) + 1);
}

int XyExchange::steps_for(int cells) {
  const int exchanges = whole_powers_of_two(cells);
  return exchanges + (1 << exchanges < cells ? 2 : 0);
}

int XyExchange::partner(int cell, int round) const {
  if (round == 0 || round == last_round()) return cell ^ (1 << exchanges_);
  return cell ^ (1 << (round - 1));
}

bool XyExchange::sends(int cell, int round) const {
  if (round == 0) return is_beyond(cell);
  return round == last_round() ? has_one_beyond(cell) : !is_beyond(cell);
}

bool XyExchange::hears(int cell, int round) const {
  if (round == 0) return has_one_beyond(cell);
  return round == last_round() ? is_beyond(cell) : !is_beyond(cell);
}

void XyExchange::arrive(int cell, BarrierSink& sink) {
  part(cell).sink = &sink;
  ++part(cell).reductions;
  if (parts_.size() > 1) return enter(cell, 0);
  // It has nobody to hear, and is released like all others by an event.
  Engine& engine = system_.engine();
  engine.at(engine.now(), EventKind::hardware, owner_, *this, static_cast<std::uint64_t>(cell));
}

void XyExchange::enter(int cell, int round) {
  Part& at = part(cell);
  at.round = round;
  if (round > last_round()) return std::exchange(at.sink, nullptr)->released();
  if (sends(cell, round)) {
    Way& way = at.ways[static_cast<std::size_t>(round)][at.reductions % 2];
    way.to_cell = partner(cell, round);
    way.round = round;
    way.from = system_.cell(cell).node();
    way.to = system_.cell(way.to_cell).node();
    way.bytes = system_.costs().header + number_bytes;
    way.sink = this;
    system_.submit(way);
  }
  if (!hears(cell, round)) return enter(cell, round + 1);
  go_on(cell);
}

// A number may come before its round, from a cell that is ahead, and before the cell is in the routine.
void XyExchange::arrived(Transfer& transfer) {
  const auto& way = static_cast<const Way&>(transfer);
  part(way.to_cell).heard |= 1U << way.round;
  go_on(way.to_cell);
}

void XyExchange::go_on(int cell) {
  Part& at = part(cell);
  if (at.sink == nullptr || at.is_stepping || (at.heard & 1U << at.round) == 0) return;
  at.heard &= ~(1U << at.round);
  at.is_stepping = true;
  const Time now = system_.engine().now();
  const FixedStep& step = system_.costs().reduction_step;
  if (Recorder* recorder = system_.engine().recorder(); recorder != nullptr && step.cost > Time())
    recorder->in_hardware(system_.cell(cell).node(), Step{&step.kind, 0, now, now + step.cost});
  system_.engine().at(now + step.cost, EventKind::hardware, owner_, *this, static_cast<std::uint64_t>(cell));
}

void XyExchange::fire(const Event& event) {
  const int cell = static_cast<int>(event.data);
  part(cell).is_stepping = false;
  enter(cell, part(cell).round + 1);
}

}  // namespace hindcast::cellos
