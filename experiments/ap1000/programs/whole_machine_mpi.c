// Which reductions CellOS's whole-machine routines serve: one call, by the first MEMBERS cells, on one element.
//   whole_machine_mpi barrier|reduce|allreduce int|float|double|short MEMBERS
// All cells pass the synchronisation net together. Prints a row for each member: its own time.
#include <cellos.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT = 0 };

static const struct {
  const char* name;
  MPI_Datatype type;
} types[] = {{"int", MPI_INT}, {"float", MPI_FLOAT}, {"double", MPI_DOUBLE}, {"short", MPI_SHORT}};

static MPI_Datatype type_of(const char* name) {
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (strcmp(types[i].name, name) == 0) return types[i].type;
  fprintf(stderr, "whole_machine_mpi: no type '%s'\n", name);
  exit(2);
}

static void call(const char* operation, MPI_Datatype type, MPI_Comm group) {
  const double mine = 0;  // of any type
  double result;
  if (strcmp(operation, "barrier") == 0) MPI_Barrier(group);
  if (strcmp(operation, "reduce") == 0) MPI_Reduce(&mine, &result, 1, type, MPI_SUM, ROOT, group);
  if (strcmp(operation, "allreduce") == 0) MPI_Allreduce(&mine, &result, 1, type, MPI_SUM, group);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, cells;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &cells);
  const char* operation = argc > 1 ? argv[1] : "barrier";
  const MPI_Datatype type = type_of(argc > 2 ? argv[2] : "int");
  const int members = argc > 3 ? atoi(argv[3]) : cells, is_member = rank < members;
  MPI_Comm group = MPI_COMM_WORLD;  // of all cells: making another would be counted among its steps
  if (members < cells) MPI_Comm_split(MPI_COMM_WORLD, is_member ? 0 : MPI_UNDEFINED, 0, &group);

  sync();
  const double start = MPI_Wtime();
  if (is_member) call(operation, type, group);
  const double mine = (MPI_Wtime() - start) * 1e6;

  double* all = malloc(cells * sizeof *all);
  MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, ROOT, MPI_COMM_WORLD);
  if (rank == ROOT) printf("members,rank,time_us\n");
  for (int i = 0; rank == ROOT && i < members; ++i) printf("%d,%d,%.6f\n", members, i, all[i]);
  MPI_Finalize();
  return 0;
}
