#include "mpi_impl/core/reduction.hpp"

#include <algorithm>
#include <climits>
#include <vector>

#include "mpi_impl/core/datatypes/datatype.hpp"

namespace hindcast::mpi {

bool Op::takes(const Datatype& type) const {
  if (function != nullptr) return true;
  return type.reductions != nullptr && (*type.reductions)[static_cast<std::size_t>(predefined)] != nullptr;
}

void Op::combine(const void* first, const void* second, void* out, std::size_t count, const Datatype& type) const {
  (*type.reductions)[static_cast<std::size_t>(predefined)](first, second, out, count);
}

// The program's own gets as many at a time as an int counts.
void Op::apply(const void* in, void* inout, MPI_Count count, const Datatype& type) const {
  if (is_predefined()) return combine(in, inout, inout, static_cast<std::size_t>(count), type);
  MPI_Datatype handle = type.handle;
  for (MPI_Count done = 0; done < count;) {
    int elements = static_cast<int>(std::min<MPI_Count>(count - done, INT_MAX));
    const std::ptrdiff_t skipped = done * type.extent;
    function(const_cast<std::byte*>(static_cast<const std::byte*>(in) + skipped),
             static_cast<std::byte*>(inout) + skipped, &elements, &handle);
    done += elements;
  }
}

const Op* predefined_op(int handle) {
  static const std::vector<Op> ops = [] {
    static constexpr const char* names[] = {
#include "mpi_impl/core/op_names.inc"
    };
    std::vector<Op> made;
    for (const char* name : names) {
      Op op;
      op.handle = make_handle(HandleKind::op, 0, static_cast<int>(made.size()) + 1);
      op.name = name;
      op.predefined = static_cast<Reduction>(made.size());
      // Whose operand comes last decides what these leave.
      op.is_commutative = op.predefined != Reduction::replace && op.predefined != Reduction::no_op;
      made.push_back(op);
    }
    return made;
  }();
  const auto row = static_cast<std::size_t>(place_of(handle)) - 1;
  return is_predefined(HandleKind::op, handle) && row < ops.size() ? &ops[row] : nullptr;
}

}  // namespace hindcast::mpi
