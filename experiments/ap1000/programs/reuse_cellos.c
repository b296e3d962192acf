// Whether the sender may use its buffer again as soon as l_asend has returned.   reuse_cellos DOUBLES
// Cell 0 overwrites the array right after the send; cell 1, which receives it later, counts doubles that are not as
// they were when they were sent.
#include <cellos.h>
#include <hindcast.h>
#include <stdio.h>
#include <stdlib.h>

enum { TYPE = 1 };

static void send_and_overwrite(double* array, int doubles) {
  for (int i = 0; i < doubles; ++i) array[i] = i;
  l_asend(1, TYPE, array, doubles * (int)sizeof *array);
  for (int i = 0; i < doubles; ++i) array[i] = -1;
}

static void receive_and_count(double* array, int doubles) {
  hindcast_compute_seconds(50e-3);  // so that the message lies in the system when it is asked for
  l_arecv(0, TYPE, array, doubles * (int)sizeof *array, NULL);
  int wrong = 0;
  for (int i = 0; i < doubles; ++i) wrong += array[i] != i;
  printf("doubles,wrong\n%d,%d\n", doubles, wrong);
}

int main(int argc, char** argv) {
  const int cell = l_cellid();
  const int doubles = argc > 1 ? atoi(argv[1]) : 1;
  double* array = malloc((doubles + 1) * sizeof *array);
  if (cell == 0) send_and_overwrite(array, doubles);
  if (cell == 1) receive_and_count(array, doubles);
  free(array);
  return 0;
}
