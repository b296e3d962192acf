// Blocks longer than any message of the machine's. They travel in parts, as bytes, cut at the same places on both sides
// whatever the types there. What does not lie together is copied at the price of a copy; what is combined is combined
// when the last part has come.
#include <algorithm>
#include <deque>
#include <list>

#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

struct Collective::LongBlocks {
  struct Incoming {
    const Posted* last;  // of its parts
    Block block;
    Block bytes;
    bool is_copied;
    Combination combination;
  };
  std::list<Scratch> copies;  // until all is over
  std::deque<Incoming> incoming;

  // The block as bytes that lie together.
  Block flat(BufferPool& pool, const Block& block) {
    if (block.type->lies_together(block.count)) return bytes_at(block.type->data_at(block.data), block.bytes());
    return copies.emplace_back(pool, block.bytes()).block();
  }
};

namespace {

bool lies_together(const Block& block) { return block.type->lies_together(block.count); }

// Of bytes that lie together.
template <typename Visit>
void for_each_part(const Block& bytes, std::size_t longest, Visit visit) {
  const std::size_t all = bytes.bytes();
  for (std::size_t begin = 0; begin < all; begin += longest)
    visit(bytes_at(static_cast<std::byte*>(bytes.data) + begin, std::min(longest, all - begin)), begin);
}

}  // namespace

Collective::LongBlocks& Collective::long_blocks() {
  if (long_blocks_ == nullptr) long_blocks_ = new LongBlocks;
  return *long_blocks_;
}

void Collective::forget_long_blocks() { delete std::exchange(long_blocks_, nullptr); }

Block Collective::flat_to_send(const Block& block) {
  const Block bytes = long_blocks().flat(pool(), block);
  if (!lies_together(block)) copy(block, bytes);
  return bytes;
}

void Collective::post_long_send(const Block& block, int to) {
  for_each_part(flat_to_send(block), process_.longest_message.count(),
                [&](const Block& part, std::size_t) { begin(append_outgoing(Posted::What::send), part, to); });
}

void Collective::post_long_broadcast(const Block& block) {
  for_each_part(flat_to_send(block), process_.longest_message.count(),
                [&](const Block& part, std::size_t) { post_broadcast(part); });
}

void Collective::post_long_receive(const Block& block, int from, const Combination& combination) {
  const Block bytes = long_blocks().flat(pool(), block);
  for_each_part(bytes, process_.longest_message.count(),
                [&](const Block& part, std::size_t) { begin(append_incoming(part, {}), part, from, std::nullopt); });
  long_blocks().incoming.push_back({last_, block, bytes, !lies_together(block), combination});
}

// Every message of the broadcast is received, also those of which nothing is for this rank.
void Collective::post_part_of_long(const Block& block, int from, std::size_t skipped, std::size_t whole) {
  const Block bytes = long_blocks().flat(pool(), block);
  const std::size_t longest = process_.longest_message.count(), end = skipped + bytes.bytes();
  for (std::size_t begins = 0; begins < whole; begins += longest) {
    const std::size_t first = std::clamp(begins, skipped, end), last = std::clamp(begins + longest, skipped, end);
    const Block part = bytes_at(static_cast<std::byte*>(bytes.data) + (first - skipped), last - first);
    begin(append_incoming(part, {}), part, from, first < last ? first - begins : 0);
  }
  long_blocks().incoming.push_back({last_, block, bytes, !lies_together(block), {}});
}

void Collective::end_long_block(const Posted& posted) {
  auto& incoming = long_blocks().incoming;
  const auto ended = std::find_if(incoming.begin(), incoming.end(),
                                  [&](const LongBlocks::Incoming& one) { return one.last == &posted; });
  if (ended == incoming.end()) return;
  const LongBlocks::Incoming block = *ended;
  incoming.erase(ended);
  if (block.is_copied) copy(block.bytes, block.block);
  if (block.combination.own != nullptr) combine(block.combination, block.block);
}

Round Collective::exchange_long(const Block& out, int to, const Block& in, int from, const Combination& combination) {
  if (is_too_long(in))
    post_long_receive(in, from, combination);
  else
    begin(append_incoming(in, combination), in, from, std::nullopt);
  post_send(out, to);
  return all();
}

}  // namespace hindcast::mpi
