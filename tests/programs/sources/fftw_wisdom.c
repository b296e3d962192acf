/* What FFTW has learnt when one rank has planned, and the next looks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As fftw3.h has them, which need not be installed. */
void* fftw_plan_dft_1d(int n, double (*in)[2], double (*out)[2], int sign, unsigned flags);
void fftw_destroy_plan(void* plan);
char* fftw_export_wisdom_to_string(void);

static size_t learnt(void) {
  char* wisdom = fftw_export_wisdom_to_string();
  const size_t length = strlen(wisdom);
  free(wisdom);
  return length;
}

int main(int argc, char** argv) {
  const unsigned measure = 0;
  double in[64][2], out[64][2];
  int me, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const size_t nothing = learnt();
  for (int turn = 0; turn < size; ++turn) {
    if (turn == me) {
      printf("%d: %s\n", me, learnt() == nothing ? "knows nothing" : "knows what others have learnt");
      fftw_destroy_plan(fftw_plan_dft_1d(64, in, out, -1, measure));
      printf("%d: %s\n", me, learnt() > nothing ? "has learnt" : "has not learnt");
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
