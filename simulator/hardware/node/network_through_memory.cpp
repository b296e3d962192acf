#include "simulator/hardware/node/network_through_memory.hpp"

#include <utility>

namespace hindcast {

namespace {

// Our events carry a passage and, in its lowest bits, a moment.
constexpr std::uint64_t moment_bits = 3;

}  // namespace

void NetworkThroughMemory::add(int number, MemoryPort& port) {
  Node& added = node(number);
  added.port = &port;
  added.owner = engine_.new_owner();
}

void NetworkThroughMemory::submit(Transfer& transfer) {
  transfer.since = engine_.now();
  Passage& passage = new_passage();
  passage.inner = transfer;
  passage.inner.sink = this;
  passage.outer = &transfer;
  network_.submit(passage.inner);
}

void NetworkThroughMemory::entered(Transfer& inner) {
  Passage& passage = passage_of(inner);
  passage.outer->since = inner.since;
  passage.open = 1;
  if (node(inner.to).port != nullptr && !is_short_at(inner.to, inner.bytes)) {
    ++passage.open;
    const Time comes = inner.injected + network_.latency(inner.from, inner.to);
    at(later_of(engine_.now(), comes - own_.time_for(inner.bytes)), inner.to, passage, Moment::due);
  }
  if (node(inner.from).port == nullptr || fits_in_between(passage, reading))
    return tell_entered(passage, inner.injected);
  ++passage.open;
  line_up(passage, reading);
}

void NetworkThroughMemory::arrived(Transfer& inner) {
  Passage& passage = passage_of(inner);
  passage.came = engine_.now();
  if (is_short_at(inner.to, inner.bytes) && !fits_in_between(passage, writing)) {
    ++passage.open;
    line_up(passage, writing);
  }
  end_part(passage);
}

bool NetworkThroughMemory::is_short_at(int number, Bytes bytes) const {
  const MemoryPort* const port = nodes_[static_cast<std::size_t>(number)].port;
  return port != nullptr && port->fits_in_between(bytes);
}

// Longer ones before it of its pair are at the unit by the time at which it comes there.
bool NetworkThroughMemory::fits_in_between(const Passage& passage, Work work) const {
  const int number = node_of(passage, work);
  return is_short_at(number, passage.inner.bytes) &&
         nodes_[static_cast<std::size_t>(number)].lines[work].first == nullptr;
}

void NetworkThroughMemory::fire(const Event& event) {
  Passage& passage = *reinterpret_cast<Passage*>(event.data & ~moment_bits);
  switch (static_cast<Moment>(event.data & moment_bits)) {
    case Moment::read:
      if (is_over(passage, reading)) end_reading(passage);
      return;
    case Moment::due:
      return line_up(passage, writing);
    case Moment::written:
      if (is_over(passage, writing)) end_part(passage);
      return;
    case Moment::arrived:
      return end_part(passage);
  }
}

// A level for what stands here, and then what its sink looks at.
void NetworkThroughMemory::fetch(const Transfer& inner, FetchLevel level) const {
  const Transfer* const outer = reinterpret_cast<const Passage&>(inner).outer;
  if (level == 0) return fetch_lines(outer, 0, 3);
  outer->sink->fetch(*outer, level - 1);
}

void NetworkThroughMemory::fetch(const Event& event, FetchLevel level) const {
  const Passage& passage = *reinterpret_cast<const Passage*>(event.data & ~moment_bits);
  const auto moment = static_cast<Moment>(event.data & moment_bits);
  const Node& at = nodes_[static_cast<std::size_t>(moment == Moment::read ? passage.inner.from : passage.inner.to)];
  if (level == 0) fetch_lines(&at, 0, 2);
  if (level == 1) fetch_lines(at.port, 0, 2);
  if (moment == Moment::written || moment == Moment::arrived) fetch(passage.inner, level);
}

void NetworkThroughMemory::at(Time time, int number, Passage& passage, Moment moment) {
  engine_.at(time, EventKind::hardware, node(number).owner, *this,
             reinterpret_cast<std::uint64_t>(&passage) | static_cast<std::uint64_t>(moment));
}

void NetworkThroughMemory::line_up(Passage& passage, Work work) {
  Line& line = node(node_of(passage, work)).lines[work];
  passage.next[work] = nullptr;
  Passage* const before = std::exchange(line.last, &passage);
  if (line.first != nullptr) {
    before->next[work] = &passage;
    return;
  }
  line.first = &passage;
  begin(passage, work);
}

void NetworkThroughMemory::begin(Passage& passage, Work work) {
  const int number = node_of(passage, work);
  const MemoryPort::Foreseen use = node(number).port->begin(engine_.now(), own_, passage.inner.bytes);
  node(number).lines[work].use = use.number;
  at(use.end, number, passage, work == reading ? Moment::read : Moment::written);
}

// Unless somebody else has come to the port since.
bool NetworkThroughMemory::is_over(Passage& passage, Work work) {
  const int number = node_of(passage, work);
  Line& line = node(number).lines[work];
  const Time end = node(number).port->end_of(line.use, engine_.now());
  if (end > engine_.now()) {
    at(end, number, passage, work == reading ? Moment::read : Moment::written);
    return false;
  }
  line.first = passage.next[work];
  if (line.first != nullptr) begin(*line.first, work);
  return true;
}

void NetworkThroughMemory::end_reading(Passage& passage) {
  const Transfer& inner = passage.inner;
  if (engine_.now() > inner.injected) {
    ++passage.open;
    at(engine_.now() + network_.latency(inner.from, inner.to), inner.from, passage, Moment::arrived);
  }
  tell_entered(passage, later_of(engine_.now(), inner.injected));
  end_part(passage);
}

void NetworkThroughMemory::tell_entered(Passage& passage, Time injected) {
  Transfer& outer = *passage.outer;
  outer.injected = injected;
  outer.sink->entered(outer);  // last: it may submit further transfers
}

void NetworkThroughMemory::end_part(Passage& passage) {
  if (--passage.open > 0) return;
  Transfer& outer = *passage.outer;
  if (engine_.recorder() != nullptr && engine_.now() > passage.came)
    engine_.recorder()->in_hardware(outer.to, Step{&waits_, outer.message, passage.came, engine_.now(), 0});
  free_passages_.push_back(&passage);
  outer.sink->arrived(outer);
}

NetworkThroughMemory::Node& NetworkThroughMemory::node(int number) {
  const auto index = static_cast<std::size_t>(number);
  if (nodes_.size() <= index) nodes_.resize(index + 1);
  return nodes_[index];
}

NetworkThroughMemory::Passage& NetworkThroughMemory::new_passage() {
  if (free_passages_.empty()) return *all_passages_.emplace_back(std::make_unique<Passage>());
  Passage& passage = *free_passages_.back();
  free_passages_.pop_back();
  return passage;
}

}  // namespace hindcast
