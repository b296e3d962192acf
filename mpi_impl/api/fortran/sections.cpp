#include "mpi_impl/api/fortran/sections.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <variant>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/windows/packets/target_data.hpp"

namespace hindcast::mpi::fortran {

namespace {

std::size_t elements_of(const CFI_cdesc_t& section) {
  std::size_t elements = 1;
  for (int i = 0; i < section.rank; ++i) elements *= static_cast<std::size_t>(section.dim[i].extent);
  return elements;
}

// The addresses of all elements, in the order in which Fortran has them.
template <typename Visit>
void for_each_element(const CFI_cdesc_t& section, Visit visit) {
  std::array<CFI_index_t, CFI_MAX_RANK> at{};
  auto* element = static_cast<std::byte*>(section.base_addr);
  for (std::size_t left = elements_of(section); left > 0; --left) {
    visit(element);
    for (int i = 0; i < section.rank; ++i) {
      element += section.dim[i].sm;
      if (++at[static_cast<std::size_t>(i)] < section.dim[i].extent) break;
      element -= section.dim[i].sm * section.dim[i].extent;
      at[static_cast<std::size_t>(i)] = 0;
    }
  }
}

void gather(const CFI_cdesc_t& section, std::byte* next) {
  for_each_element(section, [&](const std::byte* element) {
    std::memcpy(next, element, section.elem_len);
    next += section.elem_len;
  });
}

std::unique_ptr<std::byte[]> gathered(const CFI_cdesc_t& section) {
  auto copy = std::make_unique_for_overwrite<std::byte[]>(elements_of(section) * section.elem_len);
  gather(section, copy.get());
  return copy;
}

void scatter(const std::byte* next, const CFI_cdesc_t& section) {
  for_each_element(section, [&](std::byte* element) {
    std::memcpy(element, next, section.elem_len);
    next += section.elem_len;
  });
}

struct CommittedType {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  void become(MPI_Datatype next) {
    if (type != MPI_DATATYPE_NULL) PMPI_Type_free(&type);
    type = next;
  }
};

struct Unit {
  MPI_Datatype type = MPI_BYTE;
  std::size_t bytes = 1;
};

// What an element of the section is made of, where it is not made of the program's datatypes: the predefined datatype
// that all their data are of, as accumulates look at that, or bytes.
Unit unit_of(std::size_t bytes, const Datatype& datatype) {
  const TypeMap* const basic = basic_type_of(*map_of(datatype));
  const bool goes_into_it =
      basic != nullptr && basic->named != nullptr && basic->is_contiguous() && bytes % basic->size == 0;
  return goes_into_it ? Unit{basic->named->handle, basic->size} : Unit{};
}

// One element of the section, of the program's datatype if that goes into it.
MPI_Datatype element_type(std::size_t bytes, MPI_Datatype datatype, const Datatype& given) {
  const bool goes_into_it = given.size > 0 && bytes % given.size == 0;
  const Unit unit = goes_into_it ? Unit{datatype, given.size} : unit_of(bytes, given);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  PMPI_Type_contiguous(static_cast<int>(bytes / unit.bytes), unit.type, &type);
  return type;
}

// All of a section, dimension by dimension.
MPI_Datatype type_of_all(const CFI_cdesc_t& section, MPI_Datatype element) {
  CommittedType made;
  MPI_Datatype of = element;
  for (int i = 0; i < section.rank; ++i) {
    MPI_Datatype next = MPI_DATATYPE_NULL;
    PMPI_Type_create_hvector(static_cast<int>(section.dim[i].extent), 1, section.dim[i].sm, of, &next);
    made.become(next);
    of = next;
  }
  return made.type;
}

// Bytes of the data of a datatype's elements, as they follow one another.
template <typename Visit>
void for_each_run(const Layout& layout, std::ptrdiff_t at, const Visit& visit) {
  at += layout.offset;
  if (const auto* one = std::get_if<OneRun>(&layout.what)) {
    visit(at, one->bytes);
  } else if (const auto* some = std::get_if<Runs>(&layout.what)) {
    for (const Run& run : some->list->runs) visit(at + run.offset, run.bytes);
  } else if (const auto* equal = std::get_if<EqualRuns>(&layout.what)) {
    for (const std::ptrdiff_t offset : *equal->offsets) visit(at + offset, equal->bytes);
  } else if (const auto* loop = std::get_if<Loop>(&layout.what)) {
    for (std::size_t i = 0; i < loop->count; ++i)
      for_each_run(*loop->body, at + static_cast<std::ptrdiff_t>(i) * loop->stride, visit);
  } else if (const auto* loops = std::get_if<ScatteredLoops>(&layout.what)) {
    for (const auto& block : loops->list->blocks)
      for (std::size_t i = 0; i < block.count; ++i)
        for_each_run(*loops->body, at + block.offset + static_cast<std::ptrdiff_t>(i) * loops->stride, visit);
  } else if (const auto* parts = std::get_if<Parts>(&layout.what)) {
    for (const LayoutPointer& part : parts->parts) for_each_run(*part, at, visit);
  }
}

// What a datatype with gaps picks out of the section's elements, as if those followed one another.
MPI_Datatype type_of_picked(const CFI_cdesc_t& section, const Datatype& datatype, int count) {
  const auto length = static_cast<std::ptrdiff_t>(section.elem_len);
  std::vector<MPI_Aint> elements;
  for_each_element(section,
                   [&](const std::byte* at) { elements.push_back(at - static_cast<std::byte*>(section.base_addr)); });
  std::vector<MPI_Aint> places;
  std::vector<int> lengths;
  for (int i = 0; i < count; ++i)
    for_each_run(*map_of(datatype)->layout(), i * datatype.extent, [&](std::ptrdiff_t at, std::size_t bytes) {
      for (auto left = static_cast<std::ptrdiff_t>(bytes); left > 0;) {
        const std::ptrdiff_t piece = std::min(left, length - at % length);
        places.push_back(elements.at(static_cast<std::size_t>(at / length)) + at % length);
        lengths.push_back(static_cast<int>(piece));
        at += piece;
        left -= piece;
      }
    });
  Unit unit = unit_of(section.elem_len, datatype);
  const auto is_whole = [&](int bytes) { return static_cast<std::size_t>(bytes) % unit.bytes == 0; };
  if (!std::ranges::all_of(lengths, is_whole)) unit = {};
  for (int& each : lengths) each /= static_cast<int>(unit.bytes);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  PMPI_Type_create_hindexed(static_cast<int>(places.size()), lengths.data(), places.data(), unit.type, &type);
  return type;
}

// As many elements as the call is about, from the first one on.
MPI_Datatype type_of_some(const CFI_cdesc_t& section, MPI_Datatype element, std::size_t count) {
  std::vector<MPI_Aint> places;
  for_each_element(section, [&](const std::byte* at) {
    if (places.size() < count) places.push_back(at - static_cast<std::byte*>(section.base_addr));
  });
  MPI_Datatype type = MPI_DATATYPE_NULL;
  PMPI_Type_create_hindexed_block(static_cast<int>(places.size()), 1, places.data(), element, &type);
  return type;
}

}  // namespace

bool is_contiguous_in_all(const CFI_cdesc_t& section) {
  auto step = static_cast<CFI_index_t>(section.elem_len);
  for (int i = 0; i < section.rank; ++i) {
    if (section.dim[i].extent == 0) return true;
    if (section.dim[i].extent != 1 && section.dim[i].sm != step) return false;
    step *= section.dim[i].extent;
  }
  return true;
}

void ContiguousCopy::gather() { data_ = gathered(section_).release(); }

void ContiguousCopy::give_back() const {
  const std::unique_ptr<std::byte[]> copy(static_cast<std::byte*>(data_));
  if (way_ == Way::in_and_out) scatter(copy.get(), section_);
}

// The program's description goes when the call returns.
struct LastingCopies::Copy {
  Copy(const CFI_cdesc_t& described, Way direction) : way(direction), data(gathered(described)) {
    bytes.resize(sizeof(CFI_cdesc_t) + static_cast<std::size_t>(described.rank) * sizeof(CFI_dim_t));
    std::memcpy(bytes.data(), &described, bytes.size());
  }
  const CFI_cdesc_t& section() const { return *reinterpret_cast<const CFI_cdesc_t*>(bytes.data()); }

  Way way;
  std::unique_ptr<std::byte[]> data;
  std::vector<std::byte> bytes;
};

void* LastingCopies::add(const CFI_cdesc_t& section, Way way) {
  if (is_contiguous(section)) return section.base_addr;
  copies_.push_back(std::make_shared<Copy>(section, way));
  return copies_.back()->data.get();
}

void LastingCopies::go_with(MPI_Request handle) {
  if (copies_.empty()) return;
  const auto write_back = [copies = copies_] {
    for (const auto& copy : copies)
      if (copy->way == Way::in_and_out) scatter(copy->data.get(), copy->section());
  };
  Request& request = *calling_process()->requests.find(handle);
  if (request.restartable == nullptr) {
    request.activity->when_finished = write_back;
    return;
  }
  request.restartable->before = [copies = copies_] {
    for (const auto& copy : copies) gather(copy->section(), copy->data.get());
  };
  request.restartable->after = write_back;
}

void TypedSection::make_type() {
  const Process* process = calling_process();
  const Datatype* given = process != nullptr ? process->datatypes.find(datatype_) : nullptr;
  // What is wrong with its arguments the call itself will tell.
  if (given == nullptr || count_ <= 0) return;
  if (given->is_contiguous) {
    const std::size_t wanted = (given->bytes_of(count_) + section_.elem_len - 1) / section_.elem_len;
    CommittedType element{element_type(section_.elem_len, datatype_, *given)};
    datatype_ = wanted == elements_of(section_) ? type_of_all(section_, element.type)
                                                : type_of_some(section_, element.type, wanted);
    element.become(MPI_DATATYPE_NULL);
  } else {
    datatype_ = type_of_picked(section_, *given, count_);
  }
  PMPI_Type_commit(&datatype_);
  count_ = 1;
  is_own_type_ = true;
}

}  // namespace hindcast::mpi::fortran
