// One collective operation under way on a rank: its messages, apart from all others' by context and tag, its copies and
// its combinations. Algorithms are written on this alone:
//
//   co_await collective.send(block, to);           one message, or two at once, and waited for
//   collective.post_receive(block, from);          any number, to be waited for by
//   co_await collective.next();                      the end of the one posted first of those that are left, or
//   co_await collective.all();                       the end of all
//
// and, where the endpoint offers it, on what the machine does for all members at once (group_operations.hpp).
//
// A round that is not over suspends the algorithm, which goes on when it is: in a nonblocking call once the rank makes
// progress, in a blocking one right then, within the engine's loop if the thread may (blocking.hpp). Where it may not,
// a blocking call waits in each round.
//
// A message may be received into a block only while no other that is posted touches it. Any number may be sent from the
// same block at once, as nothing writes it then.
#pragma once

#include <mpi.h>

#include <coroutine>
#include <cstddef>
#include <optional>

#include "mpi_impl/collectives/framework/block.hpp"
#include "mpi_impl/collectives/framework/combined_landing.hpp"
#include "mpi_impl/collectives/framework/parameters.hpp"
#include "mpi_impl/collectives/framework/task.hpp"
#include "mpi_impl/core/communicators/members.hpp"
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/point_to_point.hpp"
#include "mpi_impl/transport/group_operations.hpp"

namespace hindcast::mpi {

// A message, or an operation of the machine's, that an algorithm has posted. What its end looks at is in one line of
// the cache, and of what comes in also in the next: the operation begins in the middle of the first (endpoint.hpp).
struct Posted {
  enum class What : std::uint8_t { send, receive, combine, broadcast, together };

  explicit Posted(What what) : what(what) {}
  Operation& operation();
  const Operation& operation() const { return const_cast<Posted*>(this)->operation(); }

  Posted* next = nullptr;
  What what;
  bool has_landing = false;  // of its own, for what is combined; else that is done at the end
  Staged staged;
};
struct PostedOutgoing : Posted {
  using Posted::Posted;
  alignas(32) SendOperation send;
};
struct PostedIncoming : Posted {
  using Posted::Posted;
  alignas(32) ReceiveOperation receive;
};
struct PostedCombined : PostedIncoming {
  PostedCombined(const Op* op, const Combination& with, const Block& into)
      : PostedIncoming(What::combine), landing(op, with, into) {}
  CombinedLanding landing;
};
struct PostedTogether : Posted {
  using Posted::Posted;
  Operation over;
};
static_assert(sizeof(PostedOutgoing) == 128 && sizeof(PostedIncoming) == 256, "sizes of the pool's blocks");

inline Operation& Posted::operation() {
  switch (what) {
    case What::receive:
    case What::combine:
      return static_cast<PostedIncoming*>(this)->receive;
    case What::together:
      return static_cast<PostedTogether*>(this)->over;
    case What::send:
    case What::broadcast:
      break;
  }
  return static_cast<PostedOutgoing*>(this)->send;
}

// What an algorithm waits for with co_await.
class [[nodiscard]] Round {
 public:
  Round() = default;  // over already
  explicit Round(Collective& collective) : collective_(&collective) {}
  bool await_ready() const;
  void await_suspend(std::coroutine_handle<> algorithm) const;
  void await_resume() const;

 private:
  Collective* collective_ = nullptr;
};

// Of the ranks of a communicator those that take part, by their places among these.
struct RanksOfSome {
  int mine = 0;  // the place of the calling one
  int count = 0;
  const int* ranks = nullptr;  // at each place; null: the same number
  int other_place = -1;        // but at this place there is another one
  int other_rank = -1;

  static RanksOfSome all_of(const Comm& comm) { return {comm.rank, comm.size}; }
  int at(int place) const { return ranks == nullptr ? place : place == other_place ? other_rank : ranks[place]; }
};

class Collective {
 public:
  enum class Waits : std::uint8_t { in_each_round, suspended, in_background, in_background_suspended };

  // The operation is that of reductions. The gate opens when the end of the current round is known.
  Collective(Process& process, Comm& comm, const Parameters& parameters, const Op* op, Waits waits, Gate& gate, int tag)
      : pool_(process.world().pool()),
        process_(process),
        comm_(comm),
        gate_(gate),
        op_(op),
        waits_(waits),
        tag_(tag),
        ranks_(RanksOfSome::all_of(comm)),
        parameters_(parameters),
        call_(process.call()) {}
  // A part of another one that goes on within the group of its intercommunicator.
  explicit Collective(Collective& whole)
      : pool_(whole.pool_),
        process_(whole.process_),
        comm_(whole.comm_.within_group()),
        gate_(whole.gate_),
        op_(whole.op_),
        tag_(whole.tag_),
        ranks_(RanksOfSome::all_of(comm_)),
        whole_(whole.whole_),
        parameters_(whole.parameters_),
        call_(whole.call_) {}
  // A part of another one that goes on among some of its ranks, of which the calling one is one, with parameters of its
  // own. Nothing of the other's may be posted meanwhile. One pair's messages may be of several parts: they are in
  // order.
  Collective(Collective& whole, const RanksOfSome& ranks, const Parameters& parameters)
      : pool_(whole.pool_),
        process_(whole.process_),
        comm_(whole.comm_),
        gate_(whole.gate_),
        op_(whole.op_),
        tag_(whole.tag_),
        ranks_(ranks),
        whole_(whole.whole_),
        parameters_(parameters),
        call_(whole.call_) {}
  ~Collective() {
    if (first_ != nullptr) abandon();
    if (whole_->waiting_ == this) whole_->waiting_ = whole_;
    if (long_blocks_ != nullptr) forget_long_blocks();
  }
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;

  int rank() const { return ranks_.mine; }
  int size() const { return ranks_.count; }
  int peers() const { return comm_.peer_count; }  // to send to and receive from: of an intercommunicator, the others
  const Parameters& parameters() const { return parameters_; }
  bool is_commutative() const { return op_->is_commutative; }
  // Else it changes the second operand, as operations of the program's own do.
  bool combines_anywhere() const { return op_->is_predefined(); }
  BufferPool& pool() { return pool_; }
  // The rank that is `distance` further on, around the end.
  int neighbour(int distance) const { return ((rank() + distance) % size() + size()) % size(); }

  Round send(Block block, int to) {
    post_send(block, to);
    return all();
  }
  Round receive(Block block, int from) {
    receive_alone(block, from, std::nullopt, {});
    return all();
  }
  // Either may be nobody. What comes in may be combined: the block it comes into has the result then, or what it was
  // combined with if that may stay in place. But where the result cannot be anywhere and theirs is first, it is what it
  // was combined with that has it.
  // (Rounds take blocks by value: what is referred to would be kept in the algorithm's frame until the round is over.)
  Round exchange(Block out, int to, Block in, int from, Combination combination = {});

  void post_send(const Block& block, int to);
  // `skipped` and `whole`: see receive_part.
  void post_receive(const Block& block, int from, std::optional<std::size_t> skipped = std::nullopt,
                    std::size_t whole = 0);

  // By the machine: to all other members, who receive it; or as much of it as the block has room for, after so many
  // bytes that are for others.
  Round broadcast(Block block) {
    post_broadcast(block);
    return all();
  }
  // `whole` are the bytes of all of it, or somewhat more, if that is longer than any message of the machine's.
  Round receive_part(Block block, int from, std::size_t skipped, std::size_t whole = 0) {
    if (Bytes(whole) > process_.longest_message) [[unlikely]]
      post_part_of_long(block, from, skipped, whole);
    else
      receive_alone(block, from, skipped, {});
    return all();
  }
  std::size_t longest_message() const { return process_.longest_message.count(); }
  void post_broadcast(const Block& block);
  // All members together: they meet; they reduce an element, the result of which each gets.
  Round meet();
  Round reduce_element(const Datatype& type, const void* mine, void* result);
  // Or anything else that a library of its own has for them: `start(over)` begins the calling rank's part of it, and
  // has `over`, an Operation, completed.
  template <typename Start>
  Round perform(Start start) {
    start(append_together().over);
    return all();
  }
  // The machine's, where it offers something. An algorithm of a library's own knows which class it is.
  GroupOperations& group_operations() { return *process_.endpoint().group_operations(); }
  // How the communicator's members lie, where that was asked for: with algorithms that need it.
  const Levels& levels() const { return *comm_.levels; }
  // The rank here of one that has this number in the run.
  int rank_of(int number_in_run) const { return comm_.group->rank_of(number_in_run); }

  // See SentForGood.
  void keep_what_is_sent() { keeps_sends_ = is_suspended(); }
  void release_what_was_sent() {
    keeps_sends_ = false;
    if (kept_ != nullptr) end_kept();
  }

  Round next() { return wait_for(first_); }
  Round all() { return wait_for(last_); }

  // Once the algorithm is done: throws if something was longer than the room for it. Until then it goes on, as the
  // other ranks do not know.
  void throw_if_truncated() const {
    if (truncation_) [[unlikely]]
      throw *truncation_;
  }

  // For that, the first one. What is no truncation is thrown.
  [[gnu::cold]] void note(const Error& error);

  // On this rank, at the cost of a copy.
  void copy(const Block& from, const Block& to);
  // The same where no library would have to: it is where it is for the sake of this computer's caches.
  void move(const Block& from, const Block& to);
  // out = first op second, at its cost. `out` may be the second one, or the first if it may be anywhere; if it may not,
  // the second is copied, unless it is there.
  void combine(const void* first, const void* second, const Block& out);
  void combine(const void* in, const Block& inout) { combine(in, inout.data, inout); }

  void spend_combine(const Block& out) const;

  // Of one in the background: from now on its thread waits for it alone.
  void suspend_rounds() { waits_ = Waits::in_background_suspended; }
  // Of one that is suspended, between its rounds.
  void suspend(std::coroutine_handle<> algorithm);
  void resume() { waiting_->algorithm_.resume(); }
  // What that will look at.
  void fetch() const {
    constexpr int lines_of_frame = 5;
    fetch_lines(waiting_->algorithm_.address(), 0, lines_of_frame);
    fetch_lines(waiting_->first_, 0, 2);
    fetch_lines(waiting_->last_, 0, 3);
    fetch_lines(waiting_->kept_, 0, 2);
  }
  const Collective& waiting() const { return *waiting_; }  // this one, or the part of it that waits
  Time round_is_over_at() const;
  bool is_round_over() const;
  // Where the library polls, a thread that idles until then may be called to its work, and so has to give way.
  bool round_ends_by_idling() const;
  void end_round();
  BlockedOn describe() const;

 private:
  Waits waits() const { return whole_->waits_; }
  bool is_in_background() const { return waits() == Waits::in_background || waits() == Waits::in_background_suspended; }
  bool is_suspended() const { return waits() == Waits::suspended || waits() == Waits::in_background_suspended; }
  std::uint32_t context() const { return comm_.collective_context(); }
  Round wait_for(Posted* last);
  void add_round_to_gate();
  void wait_for_round();
  void append(Posted& posted);
  PostedIncoming& append_incoming(const Block& block, const Combination& combination);
  void begin(PostedOutgoing& posted, const Block& block, int to);
  void begin(PostedIncoming& posted, const Block& block, int from, std::optional<std::size_t> skipped);
  void receive_alone(const Block& block, int from, std::optional<std::size_t> skipped, const Combination& combination);
  void combine_received(const PostedCombined& posted);
  void combine(const Combination& with, const Block& in);
  // Of what is longer than any message of the machine's: long_blocks.cpp.
  struct LongBlocks;
  bool is_too_long(const Block& block) const { return Bytes(block.bytes()) > process_.longest_message; }
  LongBlocks& long_blocks();
  void forget_long_blocks();
  Block flat_to_send(const Block& block);
  void post_long_send(const Block& block, int to);
  void post_long_broadcast(const Block& block);
  void post_long_receive(const Block& block, int from, const Combination& combination);
  void post_part_of_long(const Block& block, int from, std::size_t skipped, std::size_t whole);
  void end_long_block(const Posted& posted);
  Round exchange_long(const Block& out, int to, const Block& in, int from, const Combination& combination);
  PostedOutgoing& append_outgoing(Posted::What what);
  PostedTogether& append_together();
  Members members() const { return members_of(comm_); }
  // Once its operation holds; gives back its memory.
  void end(Posted& posted);
  void end_outgoing(PostedOutgoing& posted);
  void end_kept();
  void end_incoming(PostedIncoming& posted);
  template <typename AsPosted>
  void give_back(AsPosted& posted) {
    posted.~AsPosted();
    pool().give_back(&posted, sizeof posted);
  }
  // After an error: what is left is ended in any way.
  void abandon();

  // First what every round looks at, which by then has left the caches if the ranks are many.
  Collective* waiting_ = this;
  std::coroutine_handle<> algorithm_;
  Posted* first_ = nullptr;
  Posted* last_ = nullptr;
  Posted* awaited_ = nullptr;       // the last one that the current round waits for
  PostedOutgoing* kept_ = nullptr;  // of the round before
  BufferPool& pool_;
  Process& process_;
  Comm& comm_;
  Gate& gate_;
  const Op* op_;
  Waits waits_ = Waits::in_each_round;  // of the whole
  bool keeps_sends_ = false;
  int tag_;
  RanksOfSome ranks_;
  Collective* whole_ = this;
  Parameters parameters_;
  const Call* call_;
  std::optional<Error> truncation_;  // of the whole
  LongBlocks* long_blocks_ = nullptr;
};

// As long as this lives, what an algorithm sends stays as it is, as the program's send buffer does. A message that is
// still on its way when its round is over need then not be captured: it is nearly always there one round later.
class SentForGood {
 public:
  explicit SentForGood(Collective& collective) : collective_(collective) { collective.keep_what_is_sent(); }
  ~SentForGood() { collective_.release_what_was_sent(); }
  SentForGood(const SentForGood&) = delete;
  SentForGood& operator=(const SentForGood&) = delete;

 private:
  Collective& collective_;
};

inline BufferPool& pool_of(Collective& collective) { return collective.pool(); }

inline bool Round::await_ready() const { return collective_ == nullptr || collective_->is_round_over(); }
inline void Round::await_suspend(std::coroutine_handle<> algorithm) const { collective_->suspend(algorithm); }
inline void Round::await_resume() const {
  if (collective_ != nullptr) collective_->end_round();
}

}  // namespace hindcast::mpi
