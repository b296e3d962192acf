// How the members of a group lie: which are together on a node, which at a site. It follows from the group and the
// places of its members alone, so that all ranks that ask share it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mpi_impl/core/communicators/group.hpp"
#include "mpi_impl/core/communicators/places.hpp"
#include "mpi_impl/core/shared_objects.hpp"

namespace hindcast::mpi {

// The members of a group in parts, one for each node or site that has any. Parts are numbered in the order of their
// first members, who lead them; members are in the order of ranks.
class Division {
 public:
  // `number[rank]` is the same for those who are together.
  explicit Division(const std::vector<int>& number);

  int count() const { return static_cast<int>(begin_.size()) - 1; }
  int members() const { return static_cast<int>(members_.size()); }
  int part_of(int rank) const { return part_of_[index(rank)]; }
  int size_of(int part) const { return begin_of(part + 1) - begin_of(part); }
  int largest() const { return largest_; }
  int leader_of(int part) const { return members_[index(begin_of(part))]; }
  std::span<const int> leaders() const { return leaders_; }
  std::span<const int> members_of(int part) const {
    return std::span(members_).subspan(index(begin_of(part)), index(size_of(part)));
  }
  // All members, part after part: where a part begins there, who is at a place, and at which place a rank is.
  int begin_of(int part) const { return begin_[index(part)]; }
  int member_at(int place) const { return members_[index(place)]; }
  int place_of(int rank) const { return place_of_[index(rank)]; }
  int place_in_part(int rank) const { return place_of(rank) - begin_of(part_of(rank)); }

  // Some members are together, and not all of them.
  bool are_several() const { return count() > 1 && count() < members(); }
  // Part after part, the members are in the order of ranks.
  bool are_in_order() const { return are_in_order_; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  std::vector<int> part_of_;
  std::vector<int> begin_{0};
  std::vector<int> members_;
  std::vector<int> place_of_;
  std::vector<int> leaders_;
  int largest_ = 0;
  bool are_in_order_ = true;
};

// By what a group can be divided. The nearest is by nodes if that gives several parts, else by sites.
enum class Level : std::uint8_t { nearest, node, site };
inline constexpr std::array<const char*, 3> level_names{"nearest", "node", "site"};

class Levels {
 public:
  Levels(const Group& group, const Places& places);
  // Null if there are not several of that level.
  const Division* division(Level level) const;
  const Division& nodes() const { return nodes_; }
  const Division& sites() const { return sites_; }

 private:
  Division nodes_;
  Division sites_;
};

// The levels of groups that anybody has asked for, as long as somebody has them.
class KnownLevels {
 public:
  // Null where no group has levels, and of a rank alone.
  std::shared_ptr<const Levels> of(const GroupPointer& group, const Places& places);

 private:
  struct Key {
    GroupPointer group;
    const Places* places;
    bool operator<(const Key& other) const { return Group::is_before(*group, *other.group); }
  };
  struct OfKey : Levels {
    explicit OfKey(const Key& key) : Levels(*key.group, *key.places) {}
  };
  SharedObjects<Key, OfKey> known_;
};

}  // namespace hindcast::mpi
