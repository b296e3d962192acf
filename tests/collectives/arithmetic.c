/* Reductions with a rounding of each rank's own, and the exceptions that they leave: prints both, exactly.
 *   arithmetic ELEMENTS [traps]
 * With "traps" the ranks stop at an overflow, by a handler of the program's. */
#include <fenv.h>
#include <float.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

#include "check.h"

enum { most = 10000 };

static int elements;
static double out[most], in[most];
static sigjmp_buf after_trap;

static void leave(int signal) {
  (void)signal;
  siglongjmp(after_trap, 1);
}

static void reduce(const char* what, MPI_Op op, double operand) {
  double sum = 0;
  for (int i = 0; i < elements; ++i) out[i] = operand / (i + 3);
  feclearexcept(FE_ALL_EXCEPT);
  MPI_Allreduce(out, in, elements, MPI_DOUBLE, op, MPI_COMM_WORLD);
  const int overflow = fetestexcept(FE_OVERFLOW) != 0, inexact = fetestexcept(FE_INEXACT) != 0;
  fesetround(FE_TONEAREST);
  for (int i = 0; i < elements; ++i) sum += in[i];
  printf("%d %s %a %a%s%s\n", world_rank(), what, in[0], sum, overflow ? " overflow" : "", inexact ? " inexact" : "");
}

int main(int argc, char** argv) {
  static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  MPI_Init(&argc, &argv);
  const int rank = world_rank();
  elements = atoi(argv[1]);
  if (argc > 2) {
    signal(SIGFPE, leave);
    feenableexcept(FE_OVERFLOW);
    if (sigsetjmp(after_trap, 1) == 0) reduce("product", MPI_PROD, DBL_MAX);
    printf("%d goes on\n", rank);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  fesetround(roundings[rank % 4]);
  reduce("sum", MPI_SUM, 1.0 + rank);
  fesetround(roundings[rank % 4]);
  reduce("product", MPI_PROD, DBL_MAX);
  MPI_Finalize();
  return 0;
}
