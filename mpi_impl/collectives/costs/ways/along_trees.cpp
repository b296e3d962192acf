#include "mpi_impl/collectives/costs/ways/along_trees.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "mpi_impl/collectives/costs/ways/receiver.hpp"
#include "mpi_impl/core/communicators/knomial.hpp"

namespace hindcast::mpi {

namespace {

std::size_t index(int place) { return static_cast<std::size_t>(place); }

// A place that sends to its children one after another.
class Teller {
 public:
  Teller(const CostModel& machine, const WayDown& way, std::vector<double>& done)
      : machine_(machine), way_(way), done_(done) {}
  void tell(int place, int child, WhereOnTheWay where) {
    const double bytes = value_at(way_.bytes, where), begin = done_[index(place)] + value_at(way_.before, where);
    done_[index(child)] = begin + machine_.message(bytes);
    done_[index(place)] = begin + machine_.between_sends(bytes);
  }

 private:
  const CostModel& machine_;
  const WayDown& way_;
  std::vector<double>& done_;
};

// Each place has the next k that are left as children.
class KaryPlaces {
 public:
  explicit KaryPlaces(Tree tree) : tree_(tree), where_(index(tree.n), WhereOnTheWay{1, 0}) {
    for (int place = tree.n - 1; place > 0; --place) where_[index(parent(place))].ranks += where(place).ranks;
    for (int place = 1; place < tree.n; ++place) where_[index(place)].steps = where(parent(place)).steps + 1;
  }
  int parent(int place) const { return (place - 1) / tree_.k; }
  int first_child(int place) const {
    return static_cast<int>(std::min<long>(tree_.n, static_cast<long>(place) * tree_.k + 1));
  }
  int children(int place) const { return std::min(tree_.k, tree_.n - first_child(place)); }
  WhereOnTheWay where(int place) const { return where_[index(place)]; }

 private:
  Tree tree_;
  std::vector<WhereOnTheWay> where_;
};

// Below a place of a k-nomial tree are the places from it on: a tree by itself, known by the number of its ranks.
class KnomialPart {
 public:
  KnomialPart(WhereOnTheWay here, int k) : steps_(here.steps), k_(k), tree_(0, here.ranks, k) {}
  int widest_stride() const { return tree_.widest_stride(); }
  // The children of a level.
  template <typename Visit>
  void for_level(int stride, Visit visit) const {
    for (int digit = 1; digit < k_ && tree_.has_child(digit * stride); ++digit)
      visit(digit * stride, WhereOnTheWay{tree_.held(digit * stride, stride), steps_ + 1});
  }

 private:
  const int steps_;
  const int k_;
  const Knomial tree_;
};

class KnomialWayUp {
 public:
  KnomialWayUp(const CostModel& machine, int k, const WayUp& way, WaitsFor waits_for)
      : machine_(machine), k_(k), way_(way), waits_for_(waits_for) {}

  // From the leaves to a place.
  double to(WhereOnTheWay here) {
    const auto [known, is_new] = known_.try_emplace({here.ranks, here.steps});
    if (is_new) known->second = worked_out(here);
    return known->second;
  }

 private:
  double worked_out(WhereOnTheWay here) {
    Receiver receiver(machine_, value_at(way_.begins, here));
    std::vector<Receiver::Message> awaited;
    const auto receive = [&] {
      receiver.receive_together(awaited);
      awaited.clear();
    };
    const KnomialPart part(here, k_);
    for (int stride = 1; stride <= part.widest_stride(); stride *= k_) {
      if (waits_for_ != WaitsFor::all) receiver.get_ready();
      part.for_level(stride, [&](int, WhereOnTheWay child) {
        const double bytes = value_at(way_.bytes, child);
        awaited.push_back({to(child) + machine_.message(bytes), bytes, value_at(way_.work, child)});
        if (waits_for_ == WaitsFor::each) receive();
      });
      if (waits_for_ == WaitsFor::a_level) receive();
    }
    receive();
    return receiver.until();
  }

  const CostModel& machine_;
  const int k_;
  const WayUp& way_;
  const WaitsFor waits_for_;
  std::map<std::pair<int, int>, double> known_;  // by ranks and steps
};

void go_down_knomial(int place, WhereOnTheWay here, int k, Teller& teller) {
  const KnomialPart part(here, k);
  for (int stride = part.widest_stride(); stride > 0; stride /= k) {
    part.for_level(stride, [&](int distance, WhereOnTheWay child) {
      teller.tell(place, place + distance, child);
      go_down_knomial(place + distance, child, k, teller);
    });
  }
}

}  // namespace

double way_up_kary(const CostModel& machine, Tree tree, const WayUp& way, HeardFirst heard_first) {
  const KaryPlaces places(tree);
  std::vector<double> heard(index(tree.n));
  for (int place = tree.n - 1; place >= 0; --place) {
    Receiver receiver(machine, value_at(way.begins, places.where(place)));
    const int first = places.first_child(place), children = places.children(place);
    for (int i = 0; i < children; ++i) {
      const int child = first + (heard_first == HeardFirst::last_child ? children - 1 - i : i);
      const WhereOnTheWay where = places.where(child);
      const double bytes = value_at(way.bytes, where);
      receiver.get_ready();
      receiver.receive({heard[index(child)] + machine.message(bytes), bytes, value_at(way.work, where)});
    }
    heard[index(place)] = receiver.until();
  }
  return heard.front();
}

double way_up_knomial(const CostModel& machine, Tree tree, const WayUp& way, WaitsFor waits_for) {
  return KnomialWayUp(machine, tree.k, way, waits_for).to({tree.n, 0});
}

std::vector<double> way_down_kary(const CostModel& machine, Tree tree, const WayDown& way) {
  const KaryPlaces places(tree);
  std::vector<double> done(index(tree.n));
  Teller teller(machine, way, done);
  for (int place = 1; place < tree.n; ++place) teller.tell(places.parent(place), place, places.where(place));
  return done;
}

std::vector<double> way_down_knomial(const CostModel& machine, Tree tree, const WayDown& way) {
  std::vector<double> done(index(tree.n));
  Teller teller(machine, way, done);
  go_down_knomial(0, {tree.n, 0}, tree.k, teller);
  return done;
}

}  // namespace hindcast::mpi
