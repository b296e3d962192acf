#include "mpi_impl/core/files/view.hpp"

#include <algorithm>

#include "mpi_impl/core/checked.hpp"
#include "mpi_impl/core/datatypes/layout_runs.hpp"
#include "mpi_impl/core/error.hpp"

namespace hindcast::mpi {

namespace {

void check_etype(const TypeMap& etype, const TypeMap& filetype) {
  if (etype.size == 0) throw Error{MPI_ERR_TYPE, "argument 3 (etype) has no data"};
  if (filetype.size % etype.size != 0)
    throw Error{MPI_ERR_TYPE, "argument 4 (filetype) is not made of whole elementary types (argument 3)"};
}

// The places of data in a filetype must not go back, and those that are written must not overlap.
void check_places(const TypeMap& filetype, bool is_written) {
  if (filetype.size == 0) return;
  if (filetype.true_lower_bound < 0) throw Error{MPI_ERR_TYPE, "argument 4 (filetype) has data before its beginning"};
  std::ptrdiff_t least = 0;
  const auto goes_on = [&](const Run& run) {
    if (run.offset < least) return false;
    least = is_written ? run.offset + static_cast<std::ptrdiff_t>(run.bytes) : run.offset;
    return true;
  };
  if (!all_runs(*filetype.layout(), 1, filetype.extent(), goes_on))
    throw Error{MPI_ERR_TYPE, is_written ? "argument 4 (filetype) has data that overlap or go back in the file"
                                         : "argument 4 (filetype) has data that go back in the file"};
}

}  // namespace

View::View() : etype_(map_of(*predefined_datatype(MPI_BYTE))), filetype_(etype_), in_file_(etype_) {}

View::View(MPI_Offset displacement, TypeMapPointer etype, TypeMapPointer filetype, const Representation& representation,
           bool is_written)
    : displacement_(displacement),
      etype_(std::move(etype)),
      filetype_(std::move(filetype)),
      representation_(&representation),
      in_file_(representation.in_file(filetype_)) {
  const TypeMapPointer etype_in_file = representation.in_file(etype_);
  check_etype(*etype_in_file, *in_file_);
  check_places(*in_file_, is_written);
  etype_bytes_ = etype_in_file->size;
}

void View::visit(MPI_Offset offset, std::size_t bytes,
                 const std::function<bool(MPI_Offset at, std::size_t bytes)>& visit) const {
  if (in_file_->size == 0) return;
  visit_runs(*in_file_->layout(), in_file_->extent(), size_product(static_cast<std::size_t>(offset), etype_bytes_),
             bytes, [&](const Run& run) { return visit(displacement_ + run.offset, run.bytes); });
}

MPI_Offset View::place_of(MPI_Offset offset) const {
  MPI_Offset place = displacement_;
  visit(offset, 1, [&](MPI_Offset at, std::size_t) {
    place = at;
    return false;
  });
  return place;
}

MPI_Offset View::offset_behind(MPI_Offset place) const {
  const std::size_t bytes = data_before(place - displacement_);
  return static_cast<MPI_Offset>((bytes + etype_bytes_ - 1) / etype_bytes_);
}

// How many of the filetype's bytes, laid end to end, lie before a place. An extent that is not above zero leads
// nowhere.
std::size_t View::data_before(std::ptrdiff_t place) const {
  const TypeMap& type = *in_file_;
  if (type.size == 0 || place <= type.true_lower_bound) return 0;
  std::size_t bytes = 0;
  const auto count_one = [&](std::ptrdiff_t begin) {
    all_runs(*type.layout(), 1, 0, [&](const Run& run) {
      const std::ptrdiff_t before = place - begin - run.offset;
      if (before > 0) bytes += std::min(run.bytes, static_cast<std::size_t>(before));
      return before > 0;
    });
  };
  const std::ptrdiff_t extent = type.extent();
  const std::ptrdiff_t whole = extent > 0 ? std::max<std::ptrdiff_t>(0, (place - type.true_upper_bound) / extent) : 0;
  bytes = static_cast<std::size_t>(whole) * type.size;
  std::ptrdiff_t begin = whole * extent;
  do {
    count_one(begin);
    begin += extent;
  } while (extent > 0 && begin + type.true_lower_bound < place);
  return bytes;
}

}  // namespace hindcast::mpi
