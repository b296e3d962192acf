#include "mpi_impl/collectives/framework/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "mpi_impl/collectives/framework/element.hpp"

namespace hindcast::mpi {

namespace {

constexpr int named_max = 4;

BlockedOn describe_one(const Call* call, const Comm& comm, int tag, const Posted& posted) {
  const std::uint32_t context = comm.collective_context();
  switch (posted.what) {
    case Posted::What::broadcast:
      return {call->name, fmt::format("a broadcast to all of {}, inside the collective", comm.name()), {}};
    case Posted::What::together:
      return {call->name,
              fmt::format("for what the machine does for all of {} together, inside the collective", comm.name()),
              {}};
    case Posted::What::receive:
    case Posted::What::combine: {
      const int from = static_cast<const PostedIncoming&>(posted).receive.pattern.source;
      return PeerWait(call, comm, PeerWait::What::receive, context, from, tag).describe();
    }
    case Posted::What::send:
      break;
  }
  const int to = comm.peers->rank_of(static_cast<const PostedOutgoing&>(posted).send.destination);
  return PeerWait(call, comm, PeerWait::What::send, context, to, tag).describe();
}

// For the messages that are posted, up to one of them.
BlockedOn describe_posted(const Call* call, const Comm& comm, int tag, const Posted* first, const Posted* last) {
  BlockedOn blocked{call->name, "", {}};
  int open = 0;
  for (const Posted* posted = first; posted != nullptr; posted = posted == last ? nullptr : posted->next) {
    if (posted->operation().is_known()) continue;
    const BlockedOn one = describe_one(call, comm, tag, *posted);
    if (open++ < named_max) blocked.detail += (blocked.detail.empty() ? "" : "; ") + one.detail;
    blocked.ranks.insert(blocked.ranks.end(), one.ranks.begin(), one.ranks.end());
  }
  if (open > named_max) blocked.detail += fmt::format("; and {} more", open - named_max);
  return blocked;
}

class PostedWait final : public Wait {
 public:
  explicit PostedWait(const Collective& collective) : collective_(collective) {}
  BlockedOn describe() const override { return collective_.describe(); }

 private:
  const Collective& collective_;
};

}  // namespace

bool Collective::round_ends_by_idling() const {
  const Thread& thread = *Thread::current();
  return thread.progress() != Progress::hardware && waiting_->round_is_over_at() > thread.clock();
}

// In the background, whether it is over does not depend on how far the rank has run ahead.
bool Collective::is_round_over() const {
  Thread& thread = *Thread::current();
  if (is_suspended())
    return thread.progress() == Progress::hardware && round_is_over_at() < Time::never() &&
           !(thread.is_off_stack() && thread.has_too_many_acts());
  if (round_is_over_at() <= thread.clock()) return true;
  thread.settle();
  return round_is_over_at() <= thread.clock();
}

// The receive is posted before the message is sent; but the end of sending comes first.
Round Collective::exchange(Block out, int to, Block in, int from, Combination combination) {
  if (to == MPI_PROC_NULL || from == MPI_PROC_NULL) {
    if (to != MPI_PROC_NULL) post_send(out, to);
    if (from != MPI_PROC_NULL) receive_alone(in, from, std::nullopt, combination);
    return all();
  }
  if (is_too_long(out) || is_too_long(in)) [[unlikely]]
    return exchange_long(out, to, in, from, combination);
  PostedOutgoing& outgoing = append_outgoing(Posted::What::send);
  PostedIncoming& incoming = append_incoming(in, combination);
  begin(incoming, in, from, std::nullopt);
  if (incoming.has_landing && to == from && out.data == combination.own && out.count == in.count) {
    CombinedLanding& landing = static_cast<PostedCombined&>(incoming).landing;
    landing.declare_swap();
    outgoing.send.opposite = &landing;
  }
  begin(outgoing, out, to);
  return all();
}

void Collective::post_send(const Block& block, int to) {
  if (is_too_long(block)) [[unlikely]]
    return post_long_send(block, to);
  begin(append_outgoing(Posted::What::send), block, to);
}

void Collective::post_receive(const Block& block, int from, std::optional<std::size_t> skipped, std::size_t whole) {
  if (skipped && Bytes(whole) > process_.longest_message) [[unlikely]]
    return post_part_of_long(block, from, *skipped, whole);
  if (!skipped && is_too_long(block)) [[unlikely]]
    return post_long_receive(block, from, {});
  begin(append_incoming(block, {}), block, from, skipped);
}

// The next thing to be waited for, and the only one.
void Collective::receive_alone(const Block& block, int from, std::optional<std::size_t> skipped,
                               const Combination& combination) {
  if (!skipped && is_too_long(block)) [[unlikely]]
    return post_long_receive(block, from, combination);
  PostedIncoming& posted = append_incoming(block, combination);
  posted.receive.is_blocking = !is_in_background() && first_ == &posted && process_.background.is_empty();
  begin(posted, block, from, skipped);
}

void Collective::begin(PostedOutgoing& posted, const Block& block, int to) {
  begin_send(process_, posted.send, posted.staged, comm_, context(),
             {block.data, block.count, *block.type, ranks_.at(to), tag_}, SendMode::standard);
}

void Collective::begin(PostedIncoming& posted, const Block& block, int from, std::optional<std::size_t> skipped) {
  prepare_receive(posted.receive, posted.staged, context(),
                  {block.data, block.count, *block.type, ranks_.at(from), tag_, skipped});
  posted.has_landing = posted.what == Posted::What::combine && is_suspended() && !posted.receive.is_staged;
  if (posted.has_landing) posted.receive.landing = &static_cast<PostedCombined&>(posted).landing;
  process_.endpoint().receive(posted.receive);
}

void Collective::post_broadcast(const Block& block) {
  if (is_too_long(block)) [[unlikely]]
    return post_long_broadcast(block);
  PostedOutgoing& posted = append_outgoing(Posted::What::broadcast);
  begin_broadcast(process_, posted.send, posted.staged, comm_, {block.data, block.count, *block.type, tag_});
}

Round Collective::meet() {
  return perform([&](Operation& over) { group_operations().meet(members(), over); });
}

Round Collective::reduce_element(const Datatype& type, const void* mine, void* result) {
  const ElementReduction reduction{*element_kind(type), *element_operation(*op_), mine, result};
  return perform([&](Operation& over) { group_operations().reduce(members(), reduction, over); });
}

PostedOutgoing& Collective::append_outgoing(Posted::What what) {
  auto& posted = *new (pool().take(sizeof(PostedOutgoing))) PostedOutgoing(what);
  append(posted);
  return posted;
}

PostedIncoming& Collective::append_incoming(const Block& block, const Combination& combination) {
  auto& posted = combination.own == nullptr
                     ? *new (pool().take(sizeof(PostedIncoming))) PostedIncoming(Posted::What::receive)
                     : *new (pool().take(sizeof(PostedCombined))) PostedCombined(op_, combination, block);
  append(posted);
  return posted;
}

PostedTogether& Collective::append_together() {
  auto& posted = *new (pool().take(sizeof(PostedTogether))) PostedTogether(Posted::What::together);
  append(posted);
  return posted;
}

void Collective::append(Posted& posted) {
  if (last_ != nullptr)
    last_->next = &posted;
  else
    first_ = &posted;
  last_ = &posted;
}

Round Collective::wait_for(Posted* last) {
  if (last == nullptr) return {};
  awaited_ = last;
  if (waits() != Waits::in_each_round) return Round(*this);
  add_round_to_gate();
  mpi::wait(process_, gate_, PostedWait(*this));
  end_round();
  return {};
}

void Collective::suspend(std::coroutine_handle<> algorithm) {
  algorithm_ = algorithm;
  whole_->waiting_ = this;
  add_round_to_gate();
}

void Collective::add_round_to_gate() {
  for (Posted* posted = first_;; posted = posted->next) {
    gate_.add(posted->operation());
    if (posted == awaited_) return;
  }
}

Time Collective::round_is_over_at() const {
  Time at;
  for (const Posted* posted = first_;; posted = posted->next) {
    if (!posted->operation().is_known()) return Time::never();
    at = later_of(at, posted->operation().at());
    if (posted == awaited_) return at;
  }
}

// All are ended before the first error is told. In the background none is before all of the round have come.
void Collective::end_round() {
  std::optional<Error> error;
  if (waits() == Waits::in_background_suspended) wait_for_round();
  for (bool is_last = false; !is_last;) {
    Posted& posted = *first_;
    is_last = &posted == awaited_;
    if (!is_in_background()) wait_until_holds(process_, posted.operation(), PostedWait(*this));
    first_ = posted.next;
    if (first_ == nullptr) last_ = nullptr;
    try {
      end(posted);
    } catch (const Error& thrown) {
      if (!error) error = thrown;
    }
  }
  if (error) note(*error);
}

// As an alarm would wake the thread, which goes on a picosecond after what has woken it.
void Collective::wait_for_round() {
  const Time over = round_is_over_at();
  if (over > Thread::current()->clock()) wait_until(process_, over + Time::ps(1), PostedWait(*this));
}

void Collective::note(const Error& error) {
  if (error.code != MPI_ERR_TRUNCATE) throw error;
  if (!whole_->truncation_) whole_->truncation_ = error;
}

BlockedOn Collective::describe() const { return describe_posted(call_, comm_, tag_, first_, awaited_); }

void Collective::end(Posted& posted) {
  switch (posted.what) {
    case Posted::What::send:
    case Posted::What::broadcast:
      return end_outgoing(static_cast<PostedOutgoing&>(posted));
    case Posted::What::receive:
    case Posted::What::combine:
      return end_incoming(static_cast<PostedIncoming&>(posted));
    case Posted::What::together:
      return give_back(static_cast<PostedTogether&>(posted));
  }
}

// Where an algorithm may be suspended, the end of a send takes no time, whenever it comes.
void Collective::end_outgoing(PostedOutgoing& posted) {
  if (keeps_sends_ && !posted.send.is_captured && !posted.send.is_staged) {
    if (kept_ != nullptr) end_kept();
    kept_ = &posted;
    return;
  }
  end_send(process_, posted.send);
  give_back(posted);
}

void Collective::end_kept() {
  PostedOutgoing& posted = *std::exchange(kept_, nullptr);
  end_send(process_, posted.send);
  give_back(posted);
}

void Collective::end_incoming(PostedIncoming& posted) {
  end_receive(process_, posted.receive, posted.staged);
  if (posted.what == Posted::What::combine) combine_received(static_cast<PostedCombined&>(posted));
  if (long_blocks_ != nullptr) [[unlikely]]
    end_long_block(posted);
  std::optional<Error> error;
  if (error_of(posted.receive) != MPI_SUCCESS) [[unlikely]]
    error = truncation(posted.receive, comm_);
  if (posted.what == Posted::What::combine)
    give_back(static_cast<PostedCombined&>(posted));
  else
    give_back(posted);
  if (error) throw *error;
}

void Collective::abandon() {
  Thread::current()->settle();
  while (first_ != nullptr) {
    Posted& posted = *first_;
    awaited_ = &posted;
    const bool is_sent = posted.what == Posted::What::send || posted.what == Posted::What::broadcast;
    if (is_sent)
      process_.endpoint().release_buffer(static_cast<PostedOutgoing&>(posted).send);
    else if (posted.what != Posted::What::together)
      process_.endpoint().cancel(static_cast<PostedIncoming&>(posted).receive);
    if (!is_sent) mpi::wait_for(process_, posted.operation(), PostedWait(*this));
    first_ = posted.next;
    try {
      end(posted);
    } catch (const Error&) {  // the first one is told already
    }
  }
  last_ = nullptr;
}

void Collective::copy(const Block& from, const Block& to) {
  const std::size_t bytes = from.bytes();
  if (bytes > to.bytes()) [[unlikely]]
    return note({MPI_ERR_TRUNCATE,
                 fmt::format("the {} bytes that the rank sends to itself do not fit in the receive buffer of {} bytes",
                             bytes, to.bytes()),
                 &comm_});
  // Two datatypes may lead from one address, such as MPI_BOTTOM, to different places.
  if (bytes == 0 || (from.data == to.data && from.type == to.type)) return;
  move(from, to);
  process_.endpoint().local().spend_copy(Bytes(bytes), 0);
}

void Collective::move(const Block& from, const Block& to) {
  const std::size_t bytes = from.bytes();
  if (from.type->lies_together(from.count)) {
    unpack(*to.type, from.type->data_at(from.data), bytes, to.data);
  } else if (to.type->lies_together(to.count)) {
    pack(*from.type, from.data, from.count, to.type->data_at(to.data));
  } else {
    Scratch packed(pool(), bytes);
    pack(*from.type, from.data, from.count, packed.bytes());
    unpack(*to.type, packed.bytes(), bytes, to.data);
  }
}

void Collective::combine_received(const PostedCombined& posted) {
  const bool has_landed = posted.has_landing && posted.receive.landing == nullptr;
  if (has_landed)
    spend_combine(posted.landing.into());
  else
    combine(posted.landing.with(), posted.landing.into());
}

void Collective::combine(const Combination& with, const Block& in) {
  if (with.theirs_first)
    combine(in.data, with.own, combines_anywhere() ? in : Block{with.own, in.count, in.type});
  else
    combine(with.own, in);
}

void Collective::combine(const void* first, const void* second, const Block& out) {
  if (combines_anywhere()) {
    const ProgramsArithmetic arithmetic(*Thread::current());
    op_->combine(first, second, out.data, static_cast<std::size_t>(out.count), *out.type);
  } else {
    copy({const_cast<void*>(second), out.count, out.type}, out);
    op_->apply(first, out.data, out.count, *out.type);
  }
  spend_combine(out);
}

void Collective::spend_combine(const Block& out) const {
  process_.endpoint().local().spend_combine(static_cast<std::uint64_t>(out.count), out.type->arithmetic);
}

}  // namespace hindcast::mpi
