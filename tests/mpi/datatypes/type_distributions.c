/* ranks: 1
 * MPI_Type_create_darray with every kind of distribution in one to three dimensions and both orders: each process has
 * its elements, in the order of the array, and every element is somebody's. */
#include "check.h"

#include <string.h>

enum { dims_max = 3, ways = 5, array_max = 7 * 5 * 6 };

/* Of one dimension. */
typedef struct {
  int kind, argument, processes, size;
} Dealt;

static Dealt dealt(int way, int dimension) {
  static const int kinds[ways] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC,
                                  MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
  static const int arguments[ways] = {MPI_DISTRIBUTE_DFLT_DARG, 4, MPI_DISTRIBUTE_DFLT_DARG, 2,
                                      MPI_DISTRIBUTE_DFLT_DARG};
  static const int processes[dims_max] = {2, 3, 2}, sizes[dims_max] = {7, 5, 6};
  const Dealt d = {kinds[way], arguments[way], kinds[way] == MPI_DISTRIBUTE_NONE ? 1 : processes[dimension],
                   sizes[dimension]};
  return d;
}

static int owner(const Dealt* d, int index) {
  const int is_default = d->argument == MPI_DISTRIBUTE_DFLT_DARG;
  if (d->kind == MPI_DISTRIBUTE_NONE) return 0;
  if (d->kind == MPI_DISTRIBUTE_BLOCK)
    return index / (is_default ? (d->size + d->processes - 1) / d->processes : d->argument);
  return index / (is_default ? 1 : d->argument) % d->processes;
}

/* The process that has element i of the array; processes are always numbered in C's order. */
static int owner_of_element(const Dealt* dims, int ndims, int order, int i) {
  int indices[dims_max], process = 0;
  for (int k = 0; k < ndims; ++k) {
    const int d = order == MPI_ORDER_C ? ndims - 1 - k : k;
    indices[d] = i % dims[d].size;
    i /= dims[d].size;
  }
  for (int d = 0; d < ndims; ++d) process = process * dims[d].processes + owner(&dims[d], indices[d]);
  return process;
}

static void expect_part(const Dealt* dims, int ndims, int order, int process, int processes, int elements) {
  int sizes[dims_max], kinds[dims_max], arguments[dims_max], grid[dims_max], array[array_max], part[array_max];
  int position = 0, found = 0, size;
  MPI_Aint begin, extent;
  MPI_Datatype type;
  for (int d = 0; d < ndims; ++d) {
    sizes[d] = dims[d].size;
    kinds[d] = dims[d].kind;
    arguments[d] = dims[d].argument;
    grid[d] = dims[d].processes;
  }
  fill(array, elements, process, order);
  MPI_Type_create_darray(processes, process, ndims, sizes, kinds, arguments, grid, order, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Type_get_extent(type, &begin, &extent);
  CHECK_INT(begin, 0);
  CHECK_INT(extent, elements * (int)sizeof(int));
  MPI_Pack(array, 1, type, part, sizeof part, &position, MPI_COMM_SELF);
  for (int i = 0; i < elements; ++i)
    if (owner_of_element(dims, ndims, order, i) == process) CHECK_INT(part[found++], element(process, order, i));
  CHECK_INT(position, found * (int)sizeof(int));
  MPI_Type_size(type, &size);
  CHECK_INT(size, position);
  MPI_Type_free(&type);
}

static void expect_all_parts(int ndims, int order, int code) {
  Dealt dims[dims_max];
  int processes = 1, elements = 1;
  for (int d = 0; d < ndims; ++d, code /= ways) {
    dims[d] = dealt(code % ways, d);
    processes *= dims[d].processes;
    elements *= dims[d].size;
  }
  for (int process = 0; process < processes; ++process) expect_part(dims, ndims, order, process, processes, elements);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int order = 0; order < 2; ++order)
    for (int ndims = 1, codes = ways; ndims <= dims_max; ++ndims, codes *= ways)
      for (int code = 0; code < codes; ++code) expect_all_parts(ndims, order ? MPI_ORDER_C : MPI_ORDER_FORTRAN, code);
  return finish();
}
