#include "simulator/hardware/node/network_through_memory.hpp"

namespace hindcast {

namespace {

// Our events carry a passage and, in its lowest bit, a moment.
constexpr std::uint64_t moment_mask = 1;

}  // namespace

void NetworkThroughMemory::add(int number, MemoryPort& port) {
  const auto index = static_cast<std::size_t>(number);
  if (nodes_.size() <= index) nodes_.resize(index + 1);
  nodes_[index] = Node{&port, engine_.new_owner(), {port.new_line(), port.new_line()}};
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
  passage.reads = nullptr;
  passage.writes = nullptr;
  passage.read_until = Time();
  passage.has_come = false;
  const Time now = engine_.now();
  if (Node* to = node(inner.to); to != nullptr && !to->port->fits_in_between(inner.bytes)) {
    const Time latency = network_.latency(inner.from, inner.to);
    const Time first_comes = now + latency;
    const Time last_comes = inner.injected + latency;
    passage.writes = line_up(*to, writing, later_of(first_comes, last_comes - own_.time_for(inner.bytes)), inner.bytes);
  }
  Node* from = node(inner.from);
  if (from == nullptr || (from->port->fits_in_between(inner.bytes) && from->port->is_idle(from->lines[reading], now)))
    return tell_entered(passage, inner.injected);
  passage.reads = line_up(*from, reading, now, inner.bytes);
  passage.tells_entry = passage.outer->sink->looks_at_entry(*passage.outer);
  if (passage.tells_entry) at(from->port->end_of(*passage.reads, now), inner.from, passage, Moment::read);
}

// A short one that comes while the unit is at another waits for it: of a longer one before it of its pair the unit has
// begun to write the first bytes earlier than now.
void NetworkThroughMemory::arrived(Transfer& inner) {
  Passage& passage = passage_of(inner);
  passage.came = engine_.now();
  passage.has_come = true;
  if (Node* to = node(inner.to);
      to != nullptr && passage.writes == nullptr && !to->port->was_idle_until(to->lines[writing], engine_.now()))
    passage.writes = line_up(*to, writing, engine_.now(), inner.bytes);
  go_on(passage);
}

void NetworkThroughMemory::fire(const Event& event) {
  Passage& passage = *reinterpret_cast<Passage*>(event.data & ~moment_mask);
  if (static_cast<Moment>(event.data & moment_mask) == Moment::goes_on) return go_on(passage);
  if (!end_reading(passage, Moment::read)) return;
  tell_entered(passage, later_of(engine_.now(), passage.inner.injected));
  if (passage.has_come) go_on(passage);
}

// A level for what stands here, and then what its sink looks at.
void NetworkThroughMemory::fetch(const Transfer& inner, FetchLevel level) const {
  const Transfer* const outer = reinterpret_cast<const Passage&>(inner).outer;
  if (level == 0) return fetch_lines(outer, 0, 3);
  outer->sink->fetch(*outer, level - 1);
}

void NetworkThroughMemory::fetch(const Event& event, FetchLevel level) const {
  fetch(reinterpret_cast<const Passage*>(event.data & ~moment_mask)->inner, level);
}

void NetworkThroughMemory::at(Time time, int number, Passage& passage, Moment moment) {
  engine_.at(time, EventKind::hardware, nodes_[static_cast<std::size_t>(number)].owner, *this,
             reinterpret_cast<std::uint64_t>(&passage) | static_cast<std::uint64_t>(moment));
}

MemoryPort::Use* NetworkThroughMemory::line_up(Node& node, Work work, Time from, Bytes bytes) {
  return &node.port->line_up(node.lines[work], from, own_, bytes);
}

// If it is over. Else that is asked again.
bool NetworkThroughMemory::end_reading(Passage& passage, Moment moment) {
  const Transfer& inner = passage.inner;
  const Time end = port(inner.from).end_of(*passage.reads, engine_.now());
  if (end > engine_.now()) {
    at(end, inner.from, passage, moment);
    return false;
  }
  port(inner.from).give_back(*passage.reads);
  passage.reads = nullptr;
  if (end > inner.injected) passage.read_until = end;
  return true;
}

bool NetworkThroughMemory::end_writing(Passage& passage) {
  const int number = passage.inner.to;
  const Time end = port(number).end_of(*passage.writes, engine_.now());
  if (end > engine_.now()) {
    at(end, number, passage, Moment::goes_on);
    return false;
  }
  port(number).give_back(*passage.writes);
  passage.writes = nullptr;
  return true;
}

void NetworkThroughMemory::tell_entered(Passage& passage, Time injected) {
  Transfer& outer = *passage.outer;
  outer.injected = injected;
  outer.sink->entered(outer);  // last: it may submit further transfers
}

// When it has come as the network has it.
void NetworkThroughMemory::go_on(Passage& passage) {
  const Transfer& inner = passage.inner;
  if (passage.reads != nullptr && (passage.tells_entry || !end_reading(passage, Moment::goes_on))) return;
  if (passage.read_until > Time()) {
    const Time comes = passage.read_until + network_.latency(inner.from, inner.to);
    passage.read_until = Time();
    if (comes > engine_.now()) return at(comes, inner.from, passage, Moment::goes_on);
  }
  if (passage.writes != nullptr && !end_writing(passage)) return;
  end(passage);
}

void NetworkThroughMemory::end(Passage& passage) {
  Transfer& outer = *passage.outer;
  if (engine_.recorder() != nullptr && engine_.now() > passage.came)
    engine_.recorder()->in_hardware(outer.to, Step{&waits_, outer.message, passage.came, engine_.now(), 0});
  free_passages_.push_back(&passage);
  outer.sink->arrived(outer);
}

NetworkThroughMemory::Passage& NetworkThroughMemory::new_passage() {
  if (free_passages_.empty()) return *all_passages_.emplace_back(std::make_unique<Passage>());
  Passage& passage = *free_passages_.back();
  free_passages_.pop_back();
  return passage;
}

}  // namespace hindcast
