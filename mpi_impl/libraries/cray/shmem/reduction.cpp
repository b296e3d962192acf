// Reductions to all members.
//
// Few elements, of which pWrk holds several members': up a tree, where each member puts what it has to its parent's
// pWrk, and the result from the first down to all. Many: members in pairs, at distance 1, 2, 4 and so on, each get one
// half of what the other has to their pWrk and add it to their own, so that every member ends with one part of the
// result; then the same pairs put each other their parts. If the members are no power of two, those too many have a
// partner each who gets what they have first, and puts them the result.
//
// Each element of the result is computed by one member, in an order that depends on the size of the set alone: all have
// the same bits, and so has every run.
#include <fmt/format.h>
#include <mpp/shmem.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "mpi_impl/libraries/cray/shmem/bodies.hpp"
#include "mpi_impl/libraries/cray/shmem/symmetric.hpp"
#include "mpi_impl/libraries/cray/shmem/tree.hpp"

namespace hindcast::shmem::bodies {

namespace {

// Of a tree: one word for each child, and one for the parent.
constexpr int arity_max = 4;
constexpr int result_word = arity_max;
// Of pairs: a word for each distance there and back, and two for the members that are too many.
constexpr int rounds_max = 16;
constexpr int returned_word = rounds_max;
constexpr int folded_word = 2 * rounds_max;
constexpr int unfolded_word = folded_word + 1;
static_assert(result_word < _SHMEM_REDUCE_SYNC_SIZE && unfolded_word < _SHMEM_REDUCE_SYNC_SIZE);

class Reducer {
 public:
  Reducer(const ActiveSet& set, const SyncWords& words, const SymmetricArray& target, const SymmetricArray& work,
          const ReducedElement& element, std::size_t count, const RatedStep& combining)
      : set_(set),
        words_(words),
        target_(target),
        work_(work),
        element_(element),
        count_(count),
        combining_(combining) {}

  void by_tree(int arity) const;
  void by_pairs() const;

 private:
  // Elements of the target, from one on and up to another.
  struct Range {
    std::size_t begin;
    std::size_t end;
    std::size_t size() const { return end - begin; }
    Range half(bool upper) const {
      const std::size_t middle = begin + size() / 2;
      return upper ? Range{middle, end} : Range{begin, middle};
    }
  };

  std::size_t bytes(std::size_t elements) const { return elements * element_.bytes; }
  void put(int member, const Range& range) const {
    target_.put(member, bytes(range.begin), target_.here(bytes(range.begin)), bytes(range.size()));
  }
  void combine(const Range& range, const void* with) const {
    if (range.size() == 0) return;
    Thread::current()->spend(combining_, range.size());
    element_.combine(target_.here(bytes(range.begin)), with, range.size());
  }
  // What another member has there.
  void get_and_combine(int member, const Range& range) const {
    target_.get(member, bytes(range.begin), work_.here(0), bytes(range.size()));
    combine(range, work_.here(0));
  }
  void among_pairs(int members) const;

  const ActiveSet& set_;
  const SyncWords& words_;
  const SymmetricArray& target_;
  const SymmetricArray& work_;
  const ReducedElement& element_;
  const std::size_t count_;
  const RatedStep& combining_;
};

void Reducer::by_tree(int arity) const {
  const Tree tree(arity, set_);
  const Range all{0, count_};
  const auto place_in_work = [&](int place) { return bytes(static_cast<std::size_t>(place) * count_); };
  for (int place = 0; place < tree.children(); ++place) {
    words_.await(tree.child(place), place);
    combine(all, work_.here(place_in_work(place)));
  }
  if (!tree.is_root()) {
    work_.put(tree.parent(), place_in_work(tree.place()), target_.here(0), bytes(count_));
    words_.send_after_data(tree.parent(), tree.place());
  }
  pass_down(set_, 0, words_, result_word, [&](int member) {
    put(member, all);
    words_.send_after_data(member, result_word);
  });
}

void Reducer::by_pairs() const {
  const int members = static_cast<int>(std::bit_floor(static_cast<unsigned>(set_.size())));
  const Range all{0, count_};
  if (set_.me() >= members) {  // one of those too many
    words_.send(set_.me() - members, folded_word);
    words_.await(set_.me() - members, unfolded_word);
    return;
  }
  const int partner = set_.me() + members;
  if (partner < set_.size()) {
    words_.await(partner, folded_word);
    get_and_combine(partner, all.half(false));
    get_and_combine(partner, all.half(true));
  }
  among_pairs(members);
  if (partner < set_.size()) {
    put(partner, all);
    words_.send_after_data(partner, unfolded_word);
  }
}

// Only the partner reads my part of what I give away, before it puts there what it got from it: nothing has to wait for
// a buffer to be free.
void Reducer::among_pairs(int members) const {
  std::vector<Range> ranges{{0, count_}};
  for (int round = 0; 1 << round < members; ++round) {
    const int partner = set_.me() ^ (1 << round);
    words_.send(partner, round);
    words_.await(partner, round);
    ranges.push_back(ranges.back().half(set_.me() > partner));
    get_and_combine(partner, ranges.back());
  }
  while (ranges.size() > 1) {
    const int round = static_cast<int>(ranges.size()) - 2;
    const int partner = set_.me() ^ (1 << round);
    put(partner, ranges.back());
    words_.send_after_data(partner, returned_word + round);
    words_.await(partner, returned_word + round);
    ranges.pop_back();
  }
}

}  // namespace

void reduce(const Call& call, const ReducedElement& element, void* target, const void* source, int count,
            const ActiveSetArguments& arguments, void* work, long* sync) {
  if (count < 0) call.refuse({3, "count"}, fmt::format("is {}; it must not be negative", count));
  const ActiveSet set(call, arguments, 4);
  if (set.size() > 1 << rounds_max)
    call.refuse({6, "PE_size"}, fmt::format("is {}; pSync is too short for more than {}", set.size(), 1 << rounds_max));
  const SyncWords words(call, set, sync, _SHMEM_REDUCE_SYNC_SIZE, 8);
  const auto elements = static_cast<std::size_t>(count);
  const std::size_t room = std::max<std::size_t>(elements / 2 + 1, _SHMEM_REDUCE_MIN_WRKDATA_SIZE);
  const Bytes bytes(elements * element.bytes);
  const SymmetricArray targets(call, set, target, bytes, {1, "target"});
  const SymmetricArray sources(call, set, source, bytes, {2, "source"});
  const SymmetricArray works(call, set, work, Bytes(room * element.bytes), {7, "pWrk"});
  const Costs& costs = call.self().costs();
  if (target != source && elements > 0) {
    call.self().copy(costs.copy, bytes);
    std::memmove(target, source, bytes.count());
  }

  const Reducer reducer(set, words, targets, works, element, elements, costs.combine);
  // With nothing to combine, members still wait for each other.
  if (room >= 2 * elements)
    reducer.by_tree(static_cast<int>(std::min<std::size_t>(room / std::max<std::size_t>(elements, 1), arity_max)));
  else
    reducer.by_pairs();
}

}  // namespace hindcast::shmem::bodies
