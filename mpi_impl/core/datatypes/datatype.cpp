#include "mpi_impl/core/datatypes/datatype.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "mpi_impl/core/uncounted.hpp"
#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast::mpi {

namespace {

template <typename T>
constexpr Form form_of() {
  if (std::is_same_v<T, long double>) return Form::extended;
  if (std::is_floating_point_v<T> || std::is_same_v<T, __float128>) return Form::floating;
  return std::is_signed_v<T> || std::is_same_v<T, __int128> ? Form::signed_integer : Form::unsigned_integer;
}

// `external_bytes` is 0 if external32 takes as many as there are here.
template <typename T>
constexpr BasicElement one_number(std::ptrdiff_t offset, int external_bytes) {
  return {offset, sizeof(T), static_cast<std::uint8_t>(external_bytes != 0 ? external_bytes : sizeof(T)), 1,
          form_of<T>()};
}

// The basic elements of a predefined datatype, and how it lies in memory.
template <typename T, int external_bytes>
struct Made {
  static constexpr BasicElement elements[] = {one_number<T>(0, external_bytes)};
  static constexpr std::size_t extent = sizeof(T), alignment = alignof(T);
};
template <typename T>
struct Made<std::complex<T>, 0> {
  static constexpr BasicElement elements[] = {{0, 2 * sizeof(T), 2 * sizeof(T), 2, form_of<T>()}};
  static constexpr std::size_t extent = 2 * sizeof(T), alignment = alignof(T);
};
template <typename Value, typename Index, int external_bytes>
struct Made<Pair<Value, Index>, external_bytes> {
  static constexpr BasicElement elements[] = {one_number<Value>(0, external_bytes),
                                              one_number<Index>(offsetof_index<Value, Index>(), 0)};
  static constexpr std::size_t extent = sizeof(Pair<Value, Index>), alignment = alignof(Pair<Value, Index>);
};

template <typename T, TypeClass of_class, int external_bytes = 0>
constexpr PredefinedType basic(const char* name, int handle) {
  using Elements = Made<T, external_bytes>;
  PredefinedType type;
  type.elements = Elements::elements;
  type.alignment = Elements::alignment;
  type.handle = handle;
  type.name = name;
  for (const BasicElement& element : type.elements) {
    type.size += element.bytes;
    type.true_extent = element.offset + element.bytes;
  }
  type.extent = Elements::extent;
  type.is_one_run = type.size == static_cast<std::size_t>(type.true_extent);
  type.is_contiguous = type.size == Elements::extent;
  type.reductions = &reductions_of<T, of_class>;
  type.arithmetic = combines_integers(of_class) ? Arithmetic::integer : Arithmetic::floating;
  return type;
}

constexpr PredefinedType marker(const char* name, int handle, bool is_lower) {
  PredefinedType type;
  type.handle = handle;
  type.name = name;
  type.is_lower_marker = is_lower;
  type.is_upper_marker = !is_lower;
  return type;
}

// The maps of the predefined datatypes. All ranks have them, and parts of them are in the maps of what ranks make: so
// who shares them is not counted, down to their tables.
class PredefinedMaps {
 public:
  PredefinedMaps() {
    for (std::size_t row = 0; row < predefined_datatype_count; ++row)
      maps_.push_back(kept(make(predefined_datatypes[row])));
  }
  const TypeMapPointer& of(const Datatype& type) const {
    return maps_[static_cast<std::size_t>(place_of(type.handle)) - 1];
  }

 private:
  template <typename T>
  std::shared_ptr<const T> kept(T value) {
    return kept(std::make_shared<const T>(std::move(value)));
  }
  template <typename T>
  std::shared_ptr<const T> kept(std::shared_ptr<const T> counted) {
    kept_.push_back(counted);
    return uncounted(*counted);
  }
  TypeMap make(const PredefinedType& type);
  LayoutPointer kept_layout(Layout layout);
  SignaturePointer kept_signature(Signature signature);

  std::vector<TypeMapPointer> maps_;
  std::vector<std::shared_ptr<const void>> kept_;
};

TypeMap PredefinedMaps::make(const PredefinedType& type) {
  TypeMap map;
  map.named = &type;
  map.size = type.size;
  map.upper_bound = type.extent;
  map.true_upper_bound = type.true_extent;
  map.alignment = type.alignment;
  map.has_lower_marker = type.is_lower_marker;
  map.has_upper_marker = type.is_upper_marker;
  std::vector<Run> all;
  std::vector<SignaturePointer> signatures;
  for (const BasicElement& element : type.elements) {
    all.push_back({element.offset, element.bytes});
    signatures.push_back(basic_signature(element));
  }
  map.is_one_run = type.is_one_run;
  map.set_data(kept_layout(*runs(all)), kept_signature(*in_order(signatures)));
  map.reductions = type.reductions;
  return map;
}

LayoutPointer PredefinedMaps::kept_layout(Layout layout) {
  if (auto* runs = std::get_if<Runs>(&layout.what)) runs->list = kept(runs->list);
  if (auto* equal = std::get_if<EqualRuns>(&layout.what)) equal->offsets = kept(equal->offsets);
  if (auto* loop = std::get_if<Loop>(&layout.what)) loop->body = kept(loop->body);
  return kept(std::move(layout));
}

SignaturePointer PredefinedMaps::kept_signature(Signature signature) {
  for (SignaturePointer& part : signature.parts) part = kept(part);
  return kept(std::move(signature));
}

const TypeMapPointer& map_of_predefined(const Datatype& type) {
  static const PredefinedMaps maps;
  return maps.of(type);
}

const Layout& layout_of(const Datatype& type) { return *map_of(type)->layout(); }

// Fills in what calls ask for.
void set_map(DerivedType& type, TypeMapPointer map) {
  type.size = map->size;
  type.lower_bound = map->lower_bound;
  type.extent = map->extent();
  type.true_lower_bound = map->true_lower_bound;
  type.true_extent = map->true_upper_bound - map->true_lower_bound;
  type.reductions = map->reductions;
  type.is_one_run = map->is_one_run;
  type.is_contiguous = map->size == 0 || map->is_contiguous();
  type.map = std::move(map);
}

}  // namespace

constexpr PredefinedType predefined_datatypes[] = {
#include "mpi_impl/core/datatypes.inc"
};
constexpr std::size_t predefined_datatype_count = std::size(predefined_datatypes);

const TypeMapPointer& map_of(const Datatype& type) {
  return type.is_predefined() ? map_of_predefined(type) : static_cast<const DerivedType&>(type).map;
}

DerivedType& Datatypes::create(TypeMapPointer map) {
  DerivedType& type = derived_.create();
  type.is_committed = type.is_permanent = type.is_freed = false;
  type.uses = 0;
  set_map(type, std::move(map));
  return type;
}

const DerivedType& Datatypes::get_unnamed(int combiner, const std::vector<int>& integers, const Datatype& base) {
  const DerivedType*& known = unnamed_[{combiner, integers}];
  if (known == nullptr) {
    DerivedType& type = create(unnamed_type(map_of(base), combiner, integers));
    type.is_committed = type.is_permanent = true;
    known = &type;
  }
  return *known;
}

const DerivedType* Datatypes::find_unnamed(int combiner, const std::vector<int>& integers) const {
  const auto found = unnamed_.find({combiner, integers});
  return found != unnamed_.end() ? found->second : nullptr;
}

MPI_Datatype Datatypes::handle_of(const TypeMapPointer& map, bool is_committed) {
  if (map->named != nullptr) return map->named->handle;
  if (const DerivedType* unnamed = find_unnamed(map->contents.combiner, map->contents.integers)) return unnamed->handle;
  DerivedType& type = create(map);
  type.is_committed = is_committed;
  return type.handle;
}

void Datatypes::free(DerivedType& type) {
  names_.erase(type.handle);
  attributes_.erase(type.handle);
  if (type.uses > 0) {
    type.is_freed = true;
    derived_.hide(type);
    return;
  }
  type.map.reset();
  derived_.destroy(type);
}

void Datatypes::stop_using_derived(const Datatype& type) {
  DerivedType& derived = *derived_.find(type.handle);
  if (--derived.uses == 0 && derived.is_freed) free(derived);
}

std::string Datatypes::name_of(const Datatype& type) const {
  const auto given = names_.find(type.handle);
  return given != names_.end() ? given->second : type.name;
}

void pack(const Datatype& type, const void* elements, MPI_Count count, void* packed) {
  const std::size_t bytes = type.bytes_of(count);
  if (type.lies_together(count)) {
    if (bytes > 0) copy_bytes(packed, type.data_at(elements), bytes);
  } else {
    pack(layout_of(type), type.extent, elements, 0, bytes, packed);
  }
}

void unpack(const Datatype& type, const void* packed, std::size_t bytes, void* elements) {
  if (type.is_contiguous || (type.is_one_run && bytes <= type.size)) {
    if (bytes > 0) copy_bytes(type.data_at(elements), packed, bytes);
  } else {
    unpack(layout_of(type), type.extent, packed, 0, bytes, elements);
  }
}

MPI_Count count_of(const Datatype& type, std::size_t bytes) {
  if (type.size == 0) return bytes == 0 ? 0 : MPI_UNDEFINED;
  return bytes % type.size == 0 ? static_cast<MPI_Count>(bytes / type.size) : MPI_UNDEFINED;
}

MPI_Count basic_elements_of(const Datatype& type, std::size_t bytes) {
  const std::ptrdiff_t elements = elements_in(*map_of(type)->signature(), bytes);
  return elements >= 0 ? elements : MPI_UNDEFINED;
}

std::size_t bytes_of_basic_elements(const Datatype& type, std::size_t elements) {
  return bytes_in(*map_of(type)->signature(), elements);
}

Reach reach_of(const Datatype& type, MPI_Count count) {
  if (count == 0 || type.size == 0) return {0, 0};
  const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(count - 1) * type.extent;
  return {type.true_lower_bound + std::min<std::ptrdiff_t>(last, 0),
          static_cast<std::size_t>(type.true_extent + std::abs(last))};
}

}  // namespace hindcast::mpi
