#include "mpi_impl/libraries/cellos/native/group/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "mpi_impl/libraries/cellos/native/cell.hpp"

namespace hindcast::cellos {

namespace {

std::uint64_t bytes_of(const Strided& items) { return items.bytes().count(); }

// Where the byte at `position` of all is, and how many lie together from there on.
std::pair<std::byte*, std::uint64_t> find(const Strided& items, std::uint64_t position) {
  const auto each = static_cast<std::uint64_t>(items.item_bytes);
  const auto item = static_cast<std::ptrdiff_t>(position / each);
  const std::uint64_t within = position % each;
  return {static_cast<std::byte*>(items.first) + item * static_cast<std::ptrdiff_t>(items.stride) + within,
          each - within};
}

// They may be cut differently.
void copy(const Strided& from, const Strided& to) {
  const std::uint64_t bytes = std::min(bytes_of(from), bytes_of(to));
  for (std::uint64_t position = 0; position < bytes;) {
    const auto [source, there] = find(from, position);
    const auto [target, here] = find(to, position);
    const std::uint64_t length = std::min({there, here, bytes - position});
    std::memmove(target, source, length);
    position += length;
  }
}

}  // namespace

const char* name_of(Direction direction) { return direction == Direction::scatter ? "h_sscatter" : "h_rgather"; }

// What one caller takes part with.
class Distribution::Part : public EventSink, public BarrierSink {
 public:
  Part(Distribution& all, Cell& cell, Direction direction, const DistributedBlock& block)
      : all(all), cell(cell), direction(direction), block(block) {}
  virtual void end() = 0;  // in a handler

  void begin() {
    Thread& thread = *Thread::current();
    const Costs& costs = cell.costs();
    if (cell.is_host()) message = cell.next_message();
    thread.spend(direction == Direction::scatter ? costs.host_scatter : costs.host_gather, message);
    thread.act(*this, 0);
  }

  Distribution& all;
  Cell& cell;
  const Direction direction;
  const DistributedBlock block;
  std::uint64_t opposite = 0;
  MessageId message = 0;

 private:
  void fire(const Event&) override { all.arrive(*this); }
  void released() override {
    if (cell.is_host()) all.start();
  }
};

class Distribution::BlockingPart final : public Part, private Wait {
 public:
  BlockingPart(Distribution& all, Cell& cell, Direction direction, const DistributedBlock& block)
      : Part(all, cell, direction, block), thread_(*Thread::current()) {}

  void pass() {
    begin();
    while (!is_over_) thread_.wait_without_polling(*this);
  }

 private:
  void end() override {
    is_over_ = true;
    thread_.wake();
  }
  BlockedOn describe() const override {
    BlockedOn blocked{name_of(direction), "until the host and all cells have called it", {}};
    for (int rank = 0; rank < all.tree_.leaves(); ++rank)
      if (!all.tree_.has_arrived(rank)) blocked.ranks.push_back(rank);
    return blocked;
  }

  Thread& thread_;
  bool is_over_ = false;
};

// One whose thread goes on meanwhile. It owns itself.
class Distribution::BegunPart final : public Part {
 public:
  BegunPart(Distribution& all, Cell& cell, Direction direction, const DistributedBlock& block, Completion& over)
      : Part(all, cell, direction, block), over_(over) {}

 private:
  void end() override {
    over_.complete(all.system_.engine().now());
    delete this;
  }
  Completion& over_;
};

void Distribution::pass(Cell& cell, Direction direction, const DistributedBlock& block) {
  BlockingPart(*this, cell, direction, block).pass();
}
void Distribution::begin(Cell& cell, Direction direction, const DistributedBlock& block, Completion& over) {
  (new BegunPart(*this, cell, direction, block, over))->begin();
}

void Distribution::arrive(Part& part) {
  if (!parts_.empty()) {
    const auto first = std::find_if(parts_.begin(), parts_.end(), [](const Part* other) { return other != nullptr; });
    if ((*first)->direction != part.direction)
      system_.end_run(
          1, fmt::format("rank {}: {}: rank {} has called {}; the host and all cells have to call the same routine",
                         part.cell.rank().id, name_of(part.direction), (*first)->cell.rank().id,
                         name_of((*first)->direction)));
  }
  parts_.resize(static_cast<std::size_t>(tree_.leaves()));
  parts_[static_cast<std::size_t>(part.cell.rank().id)] = &part;
  tree_.arrive(part.cell.rank().id, part);
}

void Distribution::start() {
  const Part& host = *parts_.front();
  std::uint64_t bytes = 0;
  for (auto part = parts_.begin() + 1; part != parts_.end(); ++part)
    bytes += bytes_of(host.direction == Direction::scatter ? host.block.items : (*part)->block.items);
  transfer_ = BusTransfer();
  transfer_.from = host.cell.node();
  transfer_.bytes = system_.costs().header + Bytes(bytes);
  transfer_.line = &line_;
  transfer_.sink = this;
  transfer_.message = host.message;
  bus_.request(transfer_);
}

void Distribution::delivered(BusTransfer&) {
  bus_.release();
  const std::vector<Part*> parts = std::move(parts_);
  parts_.clear();
  for (auto part = parts.begin() + 1; part != parts.end(); ++part) move(*parts.front(), **part);
  for (Part* part : parts) {
    if (part->block.opposite != nullptr) *part->block.opposite = part->opposite;
    part->end();
  }
}

void Distribution::move(Part& host, Part& cell) const {
  Strided at_host = host.block.items;
  at_host.first = static_cast<std::byte*>(at_host.first) + cell.cell.number() * host.block.apart;
  if (host.direction == Direction::scatter)
    copy(at_host, cell.block.items);
  else
    copy(cell.block.items, at_host);
  cell.opposite = bytes_of(host.block.items);
  host.opposite = std::max(host.opposite, bytes_of(cell.block.items));
}

}  // namespace hindcast::cellos
