// A matrix that is dealt out to a grid of ranks in square blocks, row by row and column by column of blocks, as HPL and
// ScaLAPACK have it: rank (r, c) of a grid of `rows` by `columns` has the blocks whose row leaves r and whose column
// leaves c.
#ifndef BLOCK_CYCLIC_H
#define BLOCK_CYCLIC_H

#include <mpi.h>

typedef struct {
  int rows, columns, row, column;  // of the grid, and this rank's place
  MPI_Comm in_row, in_column;      // the ranks of the same row, of the same column
} Grid;

// Ranks are numbered down the columns.
static inline Grid make_grid(int rows) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Grid grid = {rows, size / rows, rank % rows, rank / rows, MPI_COMM_NULL, MPI_COMM_NULL};
  MPI_Comm_split(MPI_COMM_WORLD, grid.row, grid.column, &grid.in_row);
  MPI_Comm_split(MPI_COMM_WORLD, grid.column, grid.row, &grid.in_column);
  return grid;
}

static inline void free_grid(Grid* grid) {
  MPI_Comm_free(&grid->in_row);
  MPI_Comm_free(&grid->in_column);
}

// The most rows that a grid of so many ranks can have if it has no more rows than columns.
static inline int squarest_rows(int size) {
  int rows = 1;
  for (int i = 1; i * i <= size; ++i)
    if (size % i == 0) rows = i;
  return rows;
}

// How many of the first `n` rows (or columns) are part `part`'s of `parts`.
static inline int share(int n, int block, int parts, int part) {
  const int blocks = n / block, left = blocks % parts;
  return blocks / parts * block + (part < left ? block : part == left ? n % block : 0);
}

// Where part `part`'s row (or column) of this number is in the whole.
static inline int whole_index(int own, int block, int parts, int part) {
  return (own / block * parts + part) * block + own % block;
}

static inline int owner(int index, int block, int parts) { return index / block % parts; }

// Where a row (or column) of the whole is among its owner's.
static inline int own_index(int index, int block, int parts) { return index / block / parts * block + index % block; }

#endif
