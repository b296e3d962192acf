// Handles: what a program holds of an object of MPI's. An int: 4 bits for the kind of object, 7 for how often its place
// was used before, 20 for the place. Predefined objects have generation 0, the null handle of a kind has place 0 too;
// so a freed, foreign or null handle is found out by one comparison. A rank's handles mean nothing to other ranks.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "simulator/engine/fetching.hpp"

namespace hindcast::mpi {

enum class HandleKind : int {
#include "mpi_impl/core/handle_kinds.inc"
};

constexpr int handle_kind_shift = 27;
constexpr int handle_generation_shift = 20;
constexpr int handle_generation_max = 127;
constexpr int handle_place_mask = (1 << handle_generation_shift) - 1;

constexpr int make_handle(HandleKind kind, int generation, int place) {
  return (static_cast<int>(kind) << handle_kind_shift) | (generation << handle_generation_shift) | place;
}
constexpr HandleKind kind_of(int handle) { return static_cast<HandleKind>(handle >> handle_kind_shift); }
constexpr int place_of(int handle) { return handle & handle_place_mask; }
constexpr int generation_of(int handle) { return (handle >> handle_generation_shift) & handle_generation_max; }
// Of this kind and predefined; whether there is such a one is for its table to say. The null handle has place 0.
constexpr bool is_predefined(HandleKind kind, int handle) {
  return (handle >> handle_generation_shift) ==
         (static_cast<int>(kind) << (handle_kind_shift - handle_generation_shift));
}

// There are places for a million objects of a kind in a rank; this throws an Error that says so.
[[noreturn]] void refuse_more_objects();

// What has a handle.
struct Handled {
  static constexpr int none = -1;  // the handle of no place that is ever used
  int handle = none;
  int next_free = 0;
  std::uint8_t generation = 0;  // of the handle given out last
};

// A rank's objects of one kind, by handle. Objects keep their addresses and are used again, so that none is allocated
// once a program has got going.
template <typename T, HandleKind kind, std::size_t chunk_size = 8>
class Table {
 public:
  // Null unless the handle is that of an object in use.
  T* find(int handle) const {
    const auto place = static_cast<std::size_t>(place_of(handle));
    if (place - 1 >= used_) return nullptr;  // place 0 is the null handle's
    T* object = at(place);
    return object->handle == handle ? object : nullptr;
  }

  // Brings the first lines of an object into the cache.
  void fetch(int handle) const {
    const auto place = static_cast<std::size_t>(place_of(handle));
    if (place - 1 < used_) fetch_lines(at(place), 0, 3);
  }

  T& create() {
    const int place = free_ != 0 ? free_ : next_place();
    T& object = *at(static_cast<std::size_t>(place));
    if (place == free_) free_ = object.next_free;
    renew(object, place);
    return object;
  }

  // A predefined object of the rank's, to be made in the order of its constants and before any other.
  T& create_predefined() {
    T& object = create();
    object.generation = 0;
    object.handle = make_handle(kind, 0, place_of(object.handle));
    return object;
  }

  void destroy(T& object) {
    const int place = place_of(object.handle);
    object.handle = Handled::none;
    object.next_free = free_;
    free_ = place;
  }

  template <typename Visit>
  void for_each(Visit visit) {
    for (std::size_t place = 1; place <= used_; ++place)
      if (at(place)->handle != Handled::none) visit(*at(place));
  }

  std::size_t count() const {
    std::size_t in_use = 0;
    for (std::size_t place = 1; place <= used_; ++place) in_use += at(place)->handle != Handled::none ? 1 : 0;
    return in_use;
  }

  // The handle is no longer good, but the object goes on.
  void hide(T& object) { renew(object, place_of(object.handle)); }

 private:
  static void renew(T& object, int place) {
    object.generation = static_cast<std::uint8_t>(object.generation % handle_generation_max + 1);
    object.handle = make_handle(kind, object.generation, place);
  }
  T* at(std::size_t place) const { return &chunks_[(place - 1) / chunk_size][(place - 1) % chunk_size]; }
  int next_place() {
    if (used_ == chunks_.size() * chunk_size) chunks_.push_back(std::make_unique<T[]>(chunk_size));
    if (used_ == handle_place_mask) refuse_more_objects();
    return static_cast<int>(++used_);
  }

  boost::container::small_vector<std::unique_ptr<T[]>, 2> chunks_;
  std::size_t used_ = 0;
  int free_ = 0;
};

}  // namespace hindcast::mpi
