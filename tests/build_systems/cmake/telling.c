// A library that knows nothing of MPI, as plain CMake compiles it: for an executable, which has streams of its own.
#include <stdio.h>

void tell(int ranks, int sum) { fprintf(stdout, "sum of %d ranks: %d\n", ranks, sum); }
