#include "simulator/hardware/node/node_memories.hpp"

#include <utility>

namespace hindcast {

namespace {

// Our events carry the transfer that is seen or, with the lowest bit set, the move that may be over.
constexpr std::uint64_t move_mark = 1;

const StepKind waits_for_copy{"wait for the node's memory", ""};

}  // namespace

void NodeMemories::add(int node, const Kind& kind) {
  const auto number = static_cast<std::size_t>(node);
  if (memories_.size() <= number) memories_.resize(number + 1);
  memories_[number] = std::make_unique<Memory>(kind, engine_.new_owner());
}

void NodeMemories::submit(Transfer& transfer) {
  Memory& memory = at(transfer.from);
  transfer.since = engine_.now();
  MemoryPort::Use& use = memory.port.begin(engine_.now(), memory.kind.own, transfer.bytes);
  if (engine_.recorder() != nullptr) record(transfer, waits_for_copy, transfer.since, MemoryPort::begin_of(use));
  Move& move = new_move();
  move.transfer = &transfer;
  move.use = &use;
  engine_.at(memory.port.end_of(use, engine_.now()), EventKind::hardware, memory.owner, *this,
             reinterpret_cast<std::uint64_t>(&move) | move_mark);
}

void NodeMemories::fire(const Event& event) {
  if ((event.data & move_mark) == 0) {
    auto& transfer = *reinterpret_cast<Transfer*>(event.data);
    return transfer.sink->arrived(transfer);
  }
  auto& move = *reinterpret_cast<Move*>(event.data & ~move_mark);
  Memory& memory = at(move.transfer->from);
  const Time end = memory.port.end_of(*move.use, engine_.now());
  if (end <= engine_.now()) return moved(move, memory);
  engine_.at(end, EventKind::hardware, memory.owner, *this, event.data);
}

void NodeMemories::moved(Move& move, Memory& memory) {
  Transfer& transfer = *move.transfer;
  transfer.injected = engine_.now();
  const Time seen = engine_.now() + memory.kind.seen.cost;
  if (engine_.recorder() != nullptr) {
    record(transfer, memory.kind.moved, MemoryPort::begin_of(*move.use), engine_.now(), transfer.bytes.count());
    record(transfer, memory.kind.seen.kind, engine_.now(), seen);
  }
  memory.port.give_back(*move.use);
  move.next_free = std::exchange(free_moves_, &move);
  engine_.at(seen, EventKind::hardware, memory.owner, *this, reinterpret_cast<std::uint64_t>(&transfer));
  transfer.sink->entered(transfer);  // last: it may submit further transfers
}

NodeMemories::Move& NodeMemories::new_move() {
  if (free_moves_ == nullptr) return *all_moves_.emplace_back(std::make_unique<Move>());
  return *std::exchange(free_moves_, free_moves_->next_free);
}

void NodeMemories::record(const Transfer& transfer, const StepKind& kind, Time begin, Time end,
                          std::uint64_t amount) const {
  if (end > begin) engine_.recorder()->in_hardware(transfer.from, Step{&kind, transfer.message, begin, end, amount});
}

}  // namespace hindcast
