/* A program of CellOS's own, without MPI: a message goes round all cells of a simulated AP1000, in a domain of its own,
 * and each adds its number to it.   cellos_ring [DOUBLES] */
#include <cellos.h>
#include <stdio.h>
#include <stdlib.h>

enum { domain = 7, type = 1 };

int main(int argc, char** argv) {
  const int me = l_cellid(), cells = l_ncells();
  const int doubles = argc > 1 ? atoi(argv[1]) : 1;
  const int bytes = doubles * (int)sizeof(double);
  double* token = calloc(doubles + 1, sizeof(double));

  /* Messages of a domain reach only those who have registered it by then: no cell starts before all have. */
  register_domain(domain);
  if (me > 0) {
    l_asend(0, type, NULL, 0);
    l_arecv(0, type, NULL, 0, NULL);
  } else {
    for (int cell = 1; cell < cells; ++cell) l_arecv(L_ANY, type, NULL, 0, NULL);
    for (int cell = 1; cell < cells; ++cell) l_asend(cell, type, NULL, 0);
  }

  l_message message = {0, 0, 0};
  const double start = l_clock();
  if (me > 0) dl_arecv(domain, me - 1, type, token, bytes, &message);
  for (int i = 0; i < doubles; ++i) token[i] += me;
  dl_asend(domain, (me + 1) % cells, type, token, bytes);
  if (me == 0) {
    dl_arecv(domain, L_ANY, L_ANY, token, bytes, &message);
    const double expected = cells * (cells - 1) / 2.0;
    int wrong = message.cell != cells - 1 || message.bytes != bytes;
    for (int i = 0; i < doubles; ++i) wrong |= token[i] != expected;
    printf("%d bytes round %d cells: %s, %.1f us a cell\n", bytes, cells, wrong ? "WRONG" : "right",
           (l_clock() - start) * 1e6 / cells);
  }
  deregister_domain(domain);
  free(token);
  return 0;
}
