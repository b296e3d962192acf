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
  transfer.sink = &stand_in_for(*transfer.sink);
  network_.submit(transfer);
}

NetworkThroughMemory::StandIn& NetworkThroughMemory::found_or_made_for(TransferSink& sink) {
  for (const auto& stand_in : stand_ins_)
    if (&stand_in->sink() == &sink) return *stand_in;
  return *stand_ins_.emplace_back(std::make_unique<StandIn>(*this, sink));
}

void NetworkThroughMemory::entered(Transfer& transfer, const StandIn& stand_in) {
  const Time now = engine_.now();
  MemoryPort::Use* writes = nullptr;
  Time latency;
  if (Node* to = node(transfer.to); to != nullptr && !to->port->fits_in_between(transfer.bytes)) {
    latency = network_.latency(transfer.from, transfer.to);
    const Time first_comes = now + latency;
    const Time last_comes = transfer.injected + latency;
    writes = line_up(*to, writing, later_of(first_comes, last_comes - own_.time_for(transfer.bytes)), transfer.bytes);
  }
  Node* from = node(transfer.from);
  const bool is_read = from != nullptr &&
                       !(from->port->fits_in_between(transfer.bytes) && from->port->is_idle(from->lines[reading], now));
  if (writes != nullptr || is_read) {
    Passage& passage = new_passage(transfer, stand_in.sink());
    passage.writes = writes;
    passage.latency = writes != nullptr ? latency : network_.latency(transfer.from, transfer.to);
    if (is_read) return begin_reading(passage, *from);
  }
  tell_entered(transfer, stand_in.sink(), transfer.injected);
}

void NetworkThroughMemory::begin_reading(Passage& passage, Node& from) {
  const Transfer& transfer = *passage.transfer;
  const Time now = engine_.now();
  passage.reads = line_up(from, reading, now, transfer.bytes);
  passage.tells_entry = passage.sink->looks_at_entry(transfer);
  if (passage.tells_entry) at(from.port->end_of(*passage.reads, now), transfer.from, passage, Moment::read);
}

void NetworkThroughMemory::arrived(Transfer& transfer, const StandIn& stand_in) {
  MemoryPort::Use* const writes = write_behind_others(transfer);
  if (writes == nullptr) return tell_arrived(transfer, stand_in.sink());
  Passage& passage = new_passage(transfer, stand_in.sink());
  passage.writes = writes;
  passage.came = engine_.now();
  passage.has_come = true;
  go_on(passage);
}

void NetworkThroughMemory::come(Passage& passage) {
  passage.came = engine_.now();
  passage.has_come = true;
  if (passage.writes == nullptr) passage.writes = write_behind_others(*passage.transfer);
  go_on(passage);
}

// A short one that comes while the unit is at another waits for it: of a longer one before it of its pair the unit has
// begun to write the first bytes earlier than now.
MemoryPort::Use* NetworkThroughMemory::write_behind_others(const Transfer& transfer) {
  Node* to = node(transfer.to);
  if (to == nullptr || to->port->was_idle_until(to->lines[writing], engine_.now())) return nullptr;
  return line_up(*to, writing, engine_.now(), transfer.bytes);
}

void NetworkThroughMemory::fire(const Event& event) {
  Passage& passage = *reinterpret_cast<Passage*>(event.data & ~moment_mask);
  if (static_cast<Moment>(event.data & moment_mask) == Moment::goes_on) return go_on(passage);
  const int number = passage.transfer->from;
  const Time end = port(number).end_of(*passage.reads, engine_.now());
  if (end > engine_.now()) return at(end, number, passage, Moment::read);
  end_reading(passage, end);
  tell_entered(*passage.transfer, *passage.sink, later_of(engine_.now(), passage.injected));
  if (passage.has_come) go_on(passage);
}

// A level for the transfer, and then what its sink looks at.
void NetworkThroughMemory::fetch(const Event& event, FetchLevel level) const {
  const auto& passage = *reinterpret_cast<const Passage*>(event.data & ~moment_mask);
  if (level == 0) return fetch_lines(passage.transfer, 0, 3);
  passage.sink->fetch(*passage.transfer, level - 1);
}

void NetworkThroughMemory::at(Time time, int number, Passage& passage, Moment moment) {
  engine_.at(time, EventKind::hardware, nodes_[static_cast<std::size_t>(number)].owner, *this,
             reinterpret_cast<std::uint64_t>(&passage) | static_cast<std::uint64_t>(moment));
}

MemoryPort::Use* NetworkThroughMemory::line_up(Node& node, Work work, Time from, Bytes bytes) {
  return &node.port->line_up(node.lines[work], from, own_, bytes);
}

void NetworkThroughMemory::end_reading(Passage& passage, Time end) {
  port(passage.transfer->from).give_back(*passage.reads);
  passage.reads = nullptr;
  passage.read_until = end;
}

// If it is over. Else that is asked again.
bool NetworkThroughMemory::end_writing(Passage& passage) {
  const int number = passage.transfer->to;
  const Time end = port(number).end_of(*passage.writes, engine_.now());
  if (end > engine_.now()) {
    at(end, number, passage, Moment::goes_on);
    return false;
  }
  port(number).give_back(*passage.writes);
  passage.writes = nullptr;
  return true;
}

void NetworkThroughMemory::tell_entered(Transfer& transfer, TransferSink& sink, Time injected) {
  transfer.injected = injected;
  sink.entered(transfer);  // last: it may submit further transfers
}

// When it has come as the network has it. What was read later than the network would have taken it comes a latency
// after that. Until then nobody asks: the port knows afterwards when the reading was over.
void NetworkThroughMemory::go_on(Passage& passage) {
  if (passage.reads != nullptr && passage.tells_entry) return;
  const int from = passage.transfer->from;
  const Time read_until =
      passage.reads != nullptr ? port(from).end_of(*passage.reads, engine_.now()) : passage.read_until;
  if (const Time comes = read_until + passage.latency; comes > engine_.now())
    return at(comes, from, passage, Moment::goes_on);
  if (passage.reads != nullptr) end_reading(passage, read_until);
  if (passage.writes != nullptr && !end_writing(passage)) return;
  end(passage);
}

void NetworkThroughMemory::end(Passage& passage) {
  Transfer& transfer = *passage.transfer;
  if (engine_.recorder() != nullptr && engine_.now() > passage.came)
    engine_.recorder()->in_hardware(transfer.to, Step{&waits_, transfer.message, passage.came, engine_.now(), 0});
  free_passages_.push_back(&passage);
  tell_arrived(transfer, *passage.sink);
}

// It may be submitted again.
void NetworkThroughMemory::tell_arrived(Transfer& transfer, TransferSink& sink) {
  transfer.sink = &sink;
  sink.arrived(transfer);
}

NetworkThroughMemory::Passage& NetworkThroughMemory::new_passage(Transfer& transfer, TransferSink& sink) {
  if (free_passages_.empty())
    free_passages_.push_back(all_passages_.emplace_back(std::make_unique<Passage>(*this)).get());
  Passage& passage = *free_passages_.back();
  free_passages_.pop_back();
  passage.begin(transfer, sink);
  return passage;
}

void NetworkThroughMemory::Passage::begin(Transfer& of, TransferSink& told) {
  transfer = &of;
  transfer->sink = this;
  sink = &told;
  injected = of.injected;
  reads = nullptr;
  writes = nullptr;
  read_until = Time();
  latency = Time();
  has_come = false;
  tells_entry = false;
}

}  // namespace hindcast
