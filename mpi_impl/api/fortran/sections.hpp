// Buffers that come with a description of their shape (MPI-3.1, 17.1.2): array sections, whose elements may lie apart.
// To MPI a buffer is as if its elements followed one another.
#pragma once

#include <ISO_Fortran_binding.h>
#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace hindcast::mpi::fortran {

bool is_contiguous_in_all(const CFI_cdesc_t& section);  // its dimensions

// Of an array whose size is assumed only its program knows the last extent. Most arrays have one dimension.
inline bool is_contiguous(const CFI_cdesc_t& section) {
  if (section.rank > 1) return is_contiguous_in_all(section);
  return section.rank == 0 || section.dim[0].sm == static_cast<CFI_index_t>(section.elem_len) ||
         section.dim[0].extent == 0 || section.dim[0].extent == 1;
}

// What a call can see without looking further: a single element, or a row of them.
inline bool is_plain(const CFI_cdesc_t& section) {
  return section.rank == 0 || (section.rank == 1 && section.dim[0].sm == static_cast<CFI_index_t>(section.elem_len));
}

enum class Way { in, in_and_out };

// The elements one after another, for as long as a call takes: in their own place if they lie so.
class ContiguousCopy {
 public:
  ContiguousCopy(const CFI_cdesc_t& section, Way way) : section_(section), way_(way), data_(section.base_addr) {
    if (!is_contiguous(section)) [[unlikely]]
      gather();
  }
  ~ContiguousCopy() {
    if (data_ != section_.base_addr) [[unlikely]]
      give_back();
  }
  ContiguousCopy(const ContiguousCopy&) = delete;
  ContiguousCopy& operator=(const ContiguousCopy&) = delete;
  void* data() const { return data_; }

 private:
  void gather();
  void give_back() const;

  const CFI_cdesc_t& section_;
  Way way_;
  void* data_;
};

// The same for as long as a nonblocking collective operation takes, or at every start of a persistent one.
class LastingCopies {
 public:
  void* add(const CFI_cdesc_t& section, Way way);
  // Written back once the operation is complete.
  void go_with(MPI_Request request);

 private:
  struct Copy;
  std::vector<std::shared_ptr<Copy>> copies_;
};

// The elements where they are, as one element of a datatype made for the call. A message takes it with it.
class TypedSection {
 public:
  TypedSection(const CFI_cdesc_t& section, int count, MPI_Datatype datatype)
      : section_(section), count_(count), datatype_(datatype) {
    if (!is_contiguous(section)) [[unlikely]]
      make_type();
  }
  ~TypedSection() {
    if (is_own_type_) [[unlikely]]
      PMPI_Type_free(&datatype_);
  }
  TypedSection(const TypedSection&) = delete;
  TypedSection& operator=(const TypedSection&) = delete;
  void* data() const { return section_.base_addr; }
  int* count() const { return const_cast<int*>(&count_); }
  MPI_Datatype* datatype() const { return const_cast<MPI_Datatype*>(&datatype_); }

 private:
  void make_type();

  const CFI_cdesc_t& section_;
  int count_;
  MPI_Datatype datatype_;
  bool is_own_type_ = false;
};

}  // namespace hindcast::mpi::fortran
