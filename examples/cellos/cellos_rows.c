/* The broadcast and the synchronisation net of a simulated AP1000, from CellOS: a matrix is cut into the cells' rows by
 * one broadcast, of which each takes its piece, and multiplied by a vector. The products are put into cell 0's memory
 * without a call there, and their sum and largest are reduced over all cells.   cellos_rows [ROWS_PER_CELL] */
#include <cellos.h>
#include <hindcast.h>
#include <stdio.h>
#include <stdlib.h>

enum { domain = 7, rows_type = 1, vector_type = 2, place_type = 3, columns = 64 };

int main(int argc, char** argv) {
  const int me = l_cellid(), cells = l_ncells();
  const int mine = argc > 1 ? atoi(argv[1]) : 1, rows = mine * cells;
  const int vector_bytes = columns * (int)sizeof(double), piece_bytes = mine * vector_bytes;
  double* matrix = malloc(rows * vector_bytes);
  double* piece = me == 0 ? matrix : malloc(piece_bytes);
  double* product = malloc(rows * sizeof(double));
  double vector[columns];
  void* place = product;

  /* A broadcast in a domain reaches only those who have registered it by then. */
  register_domain(domain);
  sync();
  const double start = l_clock();
  if (me == 0) {
    for (int i = 0; i < rows * columns; ++i) matrix[i] = i / columns;
    for (int i = 0; i < columns; ++i) vector[i] = 1.0 / columns;
    hindcast_touch_memory(matrix, rows * vector_bytes);  // written just now: the broadcast net reads it from the cache
    dcbroad(domain, rows_type, matrix, rows * vector_bytes);
    cbroad(vector_type, vector, vector_bytes);
    cbroad(place_type, &place, sizeof place);
  } else {
    dl_arecv_part(domain, 0, rows_type, me * piece_bytes, piece, piece_bytes, NULL);
    l_arecv(0, vector_type, vector, vector_bytes, NULL);
    l_arecv(0, place_type, &place, sizeof place, NULL);
  }

  double sum = 0, largest = 0;
  for (int row = 0; row < mine; ++row) {
    double dot = 0;
    for (int i = 0; i < columns; ++i) dot += piece[row * columns + i] * vector[i];
    product[row] = dot;
    sum += dot;
    if (dot > largest) largest = dot;
  }
  hindcast_compute_flops(2.0 * mine * columns);

  int done = 0;
  const l_items items = {mine, sizeof(double), sizeof(double)};
  if (me > 0) {
    put(0, (double*)place + me * mine, items, product, items, &done);
    flag_wait(&done, 1);
  }
  sum = xy_dsum(sum);
  largest = xy_dmax(largest);
  if (me == 0) {
    int wrong = sum != rows * (rows - 1) / 2.0 || largest != rows - 1;
    for (int row = 0; row < rows; ++row) wrong |= product[row] != row;
    printf("%d rows on %d cells: %s, %.1f us\n", rows, cells, wrong ? "WRONG" : "right", (l_clock() - start) * 1e6);
  }
  deregister_domain(domain);
  free(matrix);
  if (me > 0) free(piece);
  free(product);
  return 0;
}
