// Operations of the program's own, and a reduction on one rank alone.
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

void Reduce_local(Process& process, const void* in, void* inout, int count, const Datatype& type, const Op& op) {
  op.apply(in, inout, count, type);
  process.endpoint().local().spend_combine(static_cast<std::uint64_t>(count), type.arithmetic);
}

void Op_create(Process& process, MPI_User_function* function, int is_commutative, MPI_Op& handle) {
  Op& op = process.ops.create();
  op.name = "an operation of the program's";
  op.function = function;
  op.is_commutative = is_commutative != 0;
  handle = op.handle;
}

void Op_free(Process& process, MPI_Op& handle, Op& op) {
  handle = MPI_OP_NULL;
  process.ops.destroy(op);
}

void Op_commutative(Process&, const Op& op, int& is_commutative) { is_commutative = op.is_commutative; }

}  // namespace hindcast::mpi::body
