#include "mpi_impl/collectives/costs/ways/in_rounds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "mpi_impl/collectives/costs/formula.hpp"
#include "mpi_impl/collectives/costs/ways/receiver.hpp"

namespace hindcast::mpi {

namespace {

struct Sent {
  double bytes;
  double receiver_began;
};

// A rank's round: it sends, or does not, and then hears a message, or does not. What asks before it travels is sent
// when its receiver has it.
double end_of_round(const CostModel& machine, double began, const std::optional<Sent>& sent,
                    const std::optional<Receiver::Message>& heard) {
  const bool asks = sent && machine.message.asks(sent->bytes);
  const double call = !sent ? 0 : machine.between_sends(asks ? 0 : sent->bytes);
  Receiver receiver(machine, began, began + call);
  if (heard) receiver.receive(*heard);
  if (!asks) return receiver.until();
  const double if_awaited = began + machine.message(sent->bytes) - machine.between_receives(0);
  const double if_waiting =
      sent->receiver_began + machine.waiting_message(sent->bytes) + machine.message.asking.per_byte * sent->bytes;
  return std::max({receiver.until(), if_awaited, if_waiting});
}

// What a message of a round has, by the number of ranks whose data it has: there are few such numbers.
class Swapped {
 public:
  struct Of {
    double bytes;
    double work;
  };
  Swapped(const WayOfSwaps& way, int round) : way_(way), round_(round) {}
  Of of(int ranks) {
    const auto [known, is_new] = known_.try_emplace(ranks);
    if (is_new) known->second = {value_at(way_.bytes, {ranks, round_}), value_at(way_.work, {ranks, round_})};
    return known->second;
  }

 private:
  const WayOfSwaps& way_;
  const int round_;
  std::map<int, Of> known_;
};

}  // namespace

double way_of_doubling(const CostModel& machine, int ranks, const WayOfDoubling& way) {
  std::vector<double> began(static_cast<std::size_t>(ranks)), done(began);
  int round = 0;
  for (std::size_t distance = 1; distance < done.size(); distance *= 2, ++round) {
    const WhereOnTheWay where{static_cast<int>(distance), round};
    const double each = value_at(way.bytes, where), work = value_at(way.work, where);
    for (std::size_t rank = 0; rank < done.size(); ++rank) {
      std::optional<Receiver::Message> heard;
      if (rank >= distance) heard = {began[rank - distance] + machine.message(each), each, work};
      std::optional<Sent> sent;
      if (rank + distance < done.size()) sent = {each, began[rank + distance]};
      done[rank] = end_of_round(machine, began[rank], sent, heard);
    }
    began = done;
  }
  done.front() += way.work_of_first;
  return latest(done);
}

double way_of_swaps(const CostModel& machine, int ranks, int rounds, const WayOfSwaps& way) {
  const int places = static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks))), pairs = ranks - places;
  std::vector<double> began(static_cast<std::size_t>(places));
  std::fill_n(began.begin(), pairs, way.late);
  std::vector<double> done = began;
  bool is_one_way = false;
  for (int round = 0; round < rounds; ++round) {
    const int distance = static_cast<int>(value_at(way.distance, {ranks, round}));
    if (distance < 1 || distance >= places) throw FormulaError("a swap with nobody");
    is_one_way = value_at(way.one_way, {ranks, round}) != 0;
    Swapped swapped(way, round);
    const auto ranks_near = [&](int place) { return distance + std::clamp(pairs - (place & -distance), 0, distance); };
    for (int place = 0; place < places; ++place) {
      const int partner = place ^ distance;
      const auto self = static_cast<std::size_t>(place), other = static_cast<std::size_t>(partner);
      std::optional<Sent> sent;
      if (!is_one_way || partner < place) sent = {swapped.of(ranks_near(partner)).bytes, began[other]};
      std::optional<Receiver::Message> heard;
      const Swapped::Of own = swapped.of(ranks_near(place));
      if (!is_one_way || partner > place) heard = {began[other] + machine.message(own.bytes), own.bytes, own.work};
      done[self] = end_of_round(machine, began[self], sent, heard);
    }
    began = done;
  }
  return is_one_way ? done.front() : latest(done);
}

double way_around_ring(const CostModel& machine, std::vector<double> began, int rounds, const OnTheWay& bytes) {
  // From some round on the latest rank goes on alike, for as long as it takes a delay to come around: all of what is
  // left, as there are fewer rounds than ranks.
  constexpr int rounds_alike = 64;
  std::vector<double> done = began;
  double step = 0;
  for (int round = 0, alike = 0; round < rounds; ++round) {
    const double each = value_at(bytes, {1, round});
    for (std::size_t rank = 0; rank < done.size(); ++rank) {
      const std::size_t before = (rank == 0 ? done.size() : rank) - 1, after = rank + 1 == done.size() ? 0 : rank + 1;
      done[rank] = end_of_round(machine, began[rank], Sent{each, began[after]},
                                Receiver::Message{began[before] + machine.message(each), each, 0});
    }
    const double last_step = std::exchange(step, latest(done) - latest(began));
    alike = std::abs(step - last_step) < 1e-9 * step ? alike + 1 : 0;
    if (alike == rounds_alike) return latest(done) + (rounds - round - 1) * step;
    began = done;
  }
  return latest(done);
}

}  // namespace hindcast::mpi
