/* Striding send and pre-receive, of CellOS's other kernel: each cell of a simulated AP1000 has a block of a matrix and
 * sends its last column to the right while it works on the rest, which the columns that it needs do not touch. A column
 * is no piece of memory: nobody packs it.   cellos_overlap [striding|blocking [ROWS]] */
#include <cellos.h>
#include <hindcast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { columns = 64, type = 1 };

static double (*block)[columns];

static void start_column(int rows, int right, int* sent) {
  const l_items column = {rows, sizeof(double), columns * sizeof(double)};
  l_striding_send(right, type, &block[0][columns - 1], column, sent);
}

static void send_column(int rows, int right, double* packed) {
  for (int i = 0; i < rows; ++i) packed[i] = block[i][columns - 1];
  hindcast_compute_bytes(2.0 * rows * sizeof(double));
  l_asend(right, type, packed, rows * (int)sizeof(double));
}

int main(int argc, char** argv) {
  const int me = l_cellid(), cells = l_ncells(), left = (me + cells - 1) % cells, right = (me + 1) % cells;
  const int is_striding = argc < 2 || strcmp(argv[1], "striding") == 0;
  const int rows = argc > 2 ? atoi(argv[2]) : 500;
  const l_items whole = {1, rows * (int)sizeof(double), 0};
  double* edge = malloc(rows * sizeof(double));
  double* packed = malloc(rows * sizeof(double));
  int sent = 0, received = 0;
  block = malloc(rows * sizeof *block);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) block[i][j] = me * columns + j + i;

  if (is_striding) l_pre_receive(left, type, edge, whole, NULL, &received);
  sync();
  const double start = l_clock();
  if (is_striding)
    start_column(rows, right, &sent);
  else
    send_column(rows, right, packed);
  hindcast_compute_flops(1.0 * rows * columns); /* what needs no neighbour */
  if (is_striding) {
    flag_wait(&sent, 1);
    flag_wait(&received, 1);
  } else {
    l_arecv(left, type, edge, rows * (int)sizeof(double), NULL);
  }
  const double took = xy_dmax(l_clock() - start);

  int wrong = 0;
  for (int i = 0; i < rows; ++i) wrong += edge[i] != left * columns + columns - 1 + i;
  wrong = xy_isum(wrong);
  if (me == 0) printf("%d rows on %d cells: %s, %.1f us\n", rows, cells, wrong ? "WRONG" : "right", took * 1e6);
  free(edge);
  free(packed);
  free(block);
  return 0;
}
