// Datatypes as handles stand for them: the predefined ones, shared by all ranks, and those that a rank has made.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mpi_impl/core/attributes.hpp"
#include "mpi_impl/core/datatypes/type_map.hpp"
#include "mpi_impl/core/handle.hpp"
#include "mpi_impl/core/reduction.hpp"
#include "mpi_impl/transport/arithmetic.hpp"

namespace hindcast::mpi {

// What every call asks for. The rest is in its map, which of predefined ones is made when it is first wanted.
struct Datatype : Handled {
  // What a send or receive asks for comes first, in one cache line.
  bool is_contiguous = true;  // any number of elements lie together, in the order of the data
  bool is_one_run = true;     // one does
  Arithmetic arithmetic = Arithmetic::floating;
  std::size_t size = 0;                 // of the data in one element
  std::ptrdiff_t true_lower_bound = 0;  // of the data
  std::ptrdiff_t extent = 0;            // from one element to the next
  std::ptrdiff_t lower_bound = 0;
  std::ptrdiff_t true_extent = 0;
  const Reductions* reductions = nullptr;  // none if null
  const char* name = "";

  std::size_t bytes_of(MPI_Count count) const { return size * static_cast<std::size_t>(count); }
  bool lies_together(MPI_Count count) const { return is_contiguous || (is_one_run && count == 1); }
  bool is_predefined() const { return mpi::is_predefined(HandleKind::datatype, handle); }

  // Where the data of elements at this address begin, if they lie together.
  const void* data_at(const void* address) const { return static_cast<const std::byte*>(address) + true_lower_bound; }
  void* data_at(void* address) const { return static_cast<std::byte*>(address) + true_lower_bound; }
};

// One that the rank has made, or that it got from a call which makes predefined datatypes without names.
struct DerivedType : Datatype {
  TypeMapPointer map;
  bool is_committed = false;
  bool is_permanent = false;  // predefined
  bool is_freed = false;      // by the program, while there are uses
  mutable int uses = 0;       // by operations in progress
};

// One with a constant in mpi.h, and what only its map says. Shared by all ranks.
struct alignas(64) PredefinedType : Datatype {
  std::span<const BasicElement> elements;
  std::ptrdiff_t alignment = 1;
  bool is_lower_marker = false;
  bool is_upper_marker = false;
};

// In the order of their handles.
extern const PredefinedType predefined_datatypes[];
extern const std::size_t predefined_datatype_count;

// The datatype of a predefined handle, or null.
inline const Datatype* predefined_datatype(int handle) {
  const auto row = static_cast<std::size_t>(place_of(handle)) - 1;
  return is_predefined(HandleKind::datatype, handle) && row < predefined_datatype_count ? &predefined_datatypes[row]
                                                                                        : nullptr;
}

const TypeMapPointer& map_of(const Datatype& type);
inline bool is_committed(const Datatype& type) {
  return type.is_predefined() || static_cast<const DerivedType&>(type).is_committed;
}

// The datatypes of a rank.
class Datatypes {
 public:
  const DerivedType* find_derived(int handle) const { return derived_.find(handle); }
  DerivedType* find_derived(int handle) { return derived_.find(handle); }
  const Datatype* find(int handle) const {
    const Datatype* type = predefined_datatype(handle);
    return type != nullptr ? type : derived_.find(handle);
  }

  DerivedType& create(TypeMapPointer map);
  // A predefined one without a name: the same for the same combiner and integers.
  const DerivedType& get_unnamed(int combiner, const std::vector<int>& integers, const Datatype& base);
  // If the rank has it already, else null.
  const DerivedType* find_unnamed(int combiner, const std::vector<int>& integers) const;
  // A handle for the program of what has this map: a new one unless it is predefined.
  MPI_Datatype handle_of(const TypeMapPointer& map, bool is_committed);
  // Its handle is no longer good; it goes when nothing uses it any more.
  void free(DerivedType& type);
  void stop_using(const Datatype& type) {
    if (!type.is_predefined()) [[unlikely]]
      stop_using_derived(type);
  }

  std::string name_of(const Datatype& type) const;
  void set_name(const Datatype& type, std::string name) { names_[type.handle] = std::move(name); }
  Attributes& attributes_of(const Datatype& type) { return attributes_[type.handle]; }
  // Null if it has never had any.
  Attributes* find_attributes(const Datatype& type) {
    const auto found = attributes_.find(type.handle);
    return found != attributes_.end() ? &found->second : nullptr;
  }

 private:
  void stop_using_derived(const Datatype& type);

  Table<DerivedType, HandleKind::datatype, 4> derived_;
  // What the program gives to few, by handle.
  std::map<int, std::string> names_;
  std::map<int, Attributes> attributes_;
  std::map<std::pair<int, std::vector<int>>, const DerivedType*> unnamed_;
};

// To be ended with Datatypes::stop_using.
inline void use(const Datatype& type) {
  if (!type.is_predefined()) [[unlikely]]
    ++static_cast<const DerivedType&>(type).uses;
}

// Between `count` elements in the program's memory and the bytes of a message, of which there may be fewer.
void pack(const Datatype& type, const void* elements, MPI_Count count, void* packed);
void unpack(const Datatype& type, const void* packed, std::size_t bytes, void* elements);

// Elements of `type` in so many bytes, or MPI_UNDEFINED if not a whole number: whole ones, and basic ones.
MPI_Count count_of(const Datatype& type, std::size_t bytes);
MPI_Count basic_elements_of(const Datatype& type, std::size_t bytes);
// The reverse: the bytes that so many basic elements of `type` take.
std::size_t bytes_of_basic_elements(const Datatype& type, std::size_t elements);

// What memory elements at an address touch, gaps included: from `offset` on.
struct Reach {
  std::ptrdiff_t offset;
  std::size_t bytes;
};
Reach reach_of(const Datatype& type, MPI_Count count);

}  // namespace hindcast::mpi
