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
    const std::uint64_t each = share.count / size, more = share.count % size, own = member.number;
    begin = own * each + std::min(own, more);
    end = begin + each + (own < more ? 1 : 0);
    return member.own_pieces++ == 0 && begin < end;
  }
  begin = (member.own_pieces++ * size + member.number) * share.chunk;
  end = std::min(begin + share.chunk, share.count);
  return begin < share.count;
}

bool take(Member& member, std::uint64_t& begin, std::uint64_t& end) {
  piece_is_over(member);
  WorkShare& share = share_of(member);
  if (share.schedule == Schedule::in_blocks) return take_own(member, share, begin, end);
  const std::uint64_t left = share.count - share.next;
  if (left == 0) return false;
  const std::uint64_t evenly = (left + member.team->size - 1) / member.team->size;
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
  end = share.first + to * share.step;
  return true;
}

WorkShare loop(std::uint64_t first, std::uint64_t count, std::uint64_t step, Schedule schedule, std::uint64_t chunk) {
  WorkShare share;
  share.first = first;
  share.count = count;
  share.step = step;
  share.schedule = schedule;
  share.chunk = chunk;
  return share;
}

WorkShare signed_loop(long begin, long end, long step, Schedule schedule, long chunk) {
  const long span = step > 0 ? end - begin + step - 1 : end - begin + step + 1;
  const bool is_empty = step > 0 ? begin >= end : begin <= end;
  return loop(static_cast<std::uint64_t>(begin), is_empty ? 0 : static_cast<std::uint64_t>(span / step),
              static_cast<std::uint64_t>(step), schedule, static_cast<std::uint64_t>(chunk));
}

WorkShare unsigned_loop(bool up, unsigned long long begin, unsigned long long end, unsigned long long step,
                        Schedule schedule, unsigned long long chunk) {
  const bool is_empty = up ? begin >= end : begin <= end;
  const unsigned long long stride = up ? step : -step;
  const unsigned long long span = up ? end - begin : begin - end;
  return loop(begin, is_empty ? 0 : (span + stride - 1) / stride, step, schedule, chunk);
}

}  // namespace hindcast::programs::openmp
