// What algorithms of two levels are written on: the ranks in groups, by nodes or by sites. Each group has a leader, its
// first rank, but that the root of an operation leads its own. Inside a group and between the leaders run algorithms of
// one level, which the parameters name.
#pragma once

#include <optional>
#include <variant>

#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

class TwoLevels {
 public:
  explicit TwoLevels(Collective& whole, int root = Situation::no_root)
      : parameters_(whole.parameters()),
        division_(*whole.levels().division(parameters_.level)),
        group_(division_.part_of(whole.rank())) {
    if (root != Situation::no_root) root_group_ = division_.part_of(root);
    leader_ = group_ == root_group_ ? division_.place_in_part(root) : 0;
    const int place = division_.place_in_part(whole.rank());
    inside_.emplace(whole, RanksOfSome{place, division_.size_of(group_), division_.members_of(group_).data()},
                    parameters_.inner->defaults);
    if (place == leader_)
      between_.emplace(whole, RanksOfSome{group_, division_.count(), division_.leaders().data(), root_group_, root},
                       parameters_.outer->defaults);
  }

  const Division& division() const { return division_; }
  // The calling rank's, and where its leader is in it.
  int group() const { return group_; }
  int leader() const { return leader_; }
  int root_group() const { return root_group_; }
  bool is_leader() const { return between_.has_value(); }

  Collective& inside() { return *inside_; }
  Collective& between() { return *between_; }  // of leaders
  // By what is a stage of one: an algorithm with the arguments of its operation.
  template <typename Function>
  Function* inner() const {
    return std::get<Function*>(parameters_.inner->function);
  }
  template <typename Function>
  Function* outer() const {
    return std::get<Function*>(parameters_.outer->function);
  }

 private:
  const Parameters& parameters_;
  const Division& division_;
  int group_;
  int root_group_ = -1;
  int leader_;
  std::optional<Collective> inside_;
  std::optional<Collective> between_;
};

}  // namespace hindcast::mpi
