#include "simulator/programs/openmp/shares.hpp"

#include <algorithm>

namespace hindcast::programs::openmp {

namespace {

void piece_is_over(Member& member) {
  if (!std::exchange(member.has_piece, false)) return;
  WorkShare& share = share_of(member);
  share.pieces_over.insert(member.piece);
  while (share.pieces_over.erase(share.piece_in_order) > 0) ++share.piece_in_order;
  Runtime::wake_all(share.waiting_for_order);
}

// In one block each, or in chunks by turns: which, depends on the member alone.
bool take_own(Member& member, const WorkShare& share, std::uint64_t& begin, std::uint64_t& end) {
  const std::uint64_t size = member.team->size;
  if (share.chunk == 0) {
    member.piece = member.number;
    const std::uint64_t each = share.count / size, more = share.count % size, own = member.number;
    begin = own * each + std::min(own, more);
    end = begin + each + (own < more ? 1 : 0);
    member.has_piece = member.own_pieces++ == 0 && begin < end;
    return member.has_piece;
  }
  const std::uint64_t pieces = share.count / share.chunk + (share.count % share.chunk != 0 ? 1 : 0);
  member.piece = member.own_pieces * size + member.number;
  member.has_piece = member.piece < pieces;
  if (!member.has_piece) return false;
  ++member.own_pieces;
  begin = member.piece * share.chunk;
  end = begin + std::min(share.chunk, share.count - begin);
  return true;
}

bool take(Member& member, std::uint64_t& begin, std::uint64_t& end) {
  piece_is_over(member);
  WorkShare& share = share_of(member);
  if (share.schedule == Schedule::in_blocks) return take_own(member, share, begin, end);
  const std::uint64_t left = share.count - share.next;
  if (left == 0) return false;
  const std::uint64_t evenly = (left - 1) / member.team->size + 1;
  const std::uint64_t wanted = std::max<std::uint64_t>(share.chunk, 1);
  begin = share.next;
  share.next += std::min(left, share.schedule == Schedule::guided ? std::max(evenly, wanted) : wanted);
  end = share.next;
  member.piece = share.pieces++;
  member.has_piece = true;
  return true;
}

}  // namespace

WorkShare& share_of(const Member& member) { return member.team->shares.at(member.own_share); }

WorkShare& begin_share(Member& member, const WorkShare& described) {
  member.own_share = member.shares_begun++;
  member.own_pieces = 0;
  member.has_piece = false;
  return member.team->shares.try_emplace(member.own_share, described).first->second;
}

void end_share(Member& member) {
  piece_is_over(member);
  WorkShare& share = share_of(member);
  if (++share.has_left == member.team->size) member.team->shares.erase(member.own_share);
}

bool end_share_and_meet(bool may_be_cancelled) {
  Member& member = Runtime::member("a barrier of OpenMP");
  end_share(member);
  return Runtime::barrier(member, may_be_cancelled);
}

bool next_piece(std::uint64_t& begin, std::uint64_t& end) {
  Member& member = Runtime::member("a loop of OpenMP");
  std::uint64_t from = 0, to = 0;
  if (!take(member, from, to)) return false;
  const WorkShare& share = share_of(member);
  begin = share.first + from * share.step;
  end = to == share.count ? share.end : share.first + to * share.step;  // as the next step may be beyond all numbers
  return true;
}

namespace {

WorkShare loop(std::uint64_t first, std::uint64_t end, std::uint64_t count, std::uint64_t step, Schedule schedule,
               std::uint64_t chunk) {
  WorkShare share;
  share.first = first;
  share.end = end;
  share.count = count;
  share.step = step;
  share.schedule = schedule;
  share.chunk = chunk;
  return share;
}

// The distance is not 0.
std::uint64_t steps_in(std::uint64_t distance, std::uint64_t stride) { return (distance - 1) / stride + 1; }

}  // namespace

WorkShare numbered(std::uint64_t first, std::uint64_t count, Schedule schedule, std::uint64_t chunk) {
  return loop(first, first + count, count, 1, schedule, chunk);
}

WorkShare signed_loop(long begin, long end, long step, Schedule schedule, long chunk) {
  const auto from = static_cast<std::uint64_t>(begin), to = static_cast<std::uint64_t>(end);
  const auto advance = static_cast<std::uint64_t>(step);
  const bool is_empty = step > 0 ? begin >= end : begin <= end;
  const std::uint64_t count = is_empty ? 0 : step > 0 ? steps_in(to - from, advance) : steps_in(from - to, -advance);
  return loop(from, to, count, advance, schedule, static_cast<std::uint64_t>(std::max(chunk, 0L)));
}

WorkShare unsigned_loop(bool up, unsigned long long begin, unsigned long long end, unsigned long long step,
                        Schedule schedule, unsigned long long chunk) {
  const bool is_empty = up ? begin >= end : begin <= end;
  const std::uint64_t count = is_empty ? 0 : up ? steps_in(end - begin, step) : steps_in(begin - end, -step);
  return loop(begin, end, count, step, schedule, chunk);
}

}  // namespace hindcast::programs::openmp
