/* Reductions of short and long operands, into another place and in place, whose sums depend on the order: prints a sum
 * of the bytes of each result, and when it was there. What is sent must stay as it is, and so must what is behind the
 * result. */
#include <string.h>

#include "check.h"

enum { lengths_of_interest = 3, longest = 20000, types_of_interest = 4 };

static const int lengths[lengths_of_interest] = {5, 3000, longest};
static union {
  char bytes[(longest + 1) * 16];
  double doubles[2 * (longest + 1)];
} out, sent, in;

static unsigned long sum_of(const char* bytes, int count) {
  unsigned long sum = 0;
  for (int i = 0; i < count; ++i) sum = sum * 31 + (unsigned char)bytes[i];
  return sum;
}

/* Of every type, values whose sum is another one if they are added in another order, or that tie. */
static void set_operands(MPI_Datatype type, int length) {
  const int rank = world_rank();
  memset(&out, 0, sizeof out);
  for (int i = 0; i < length; ++i) {
    if (type == MPI_DOUBLE)
      out.doubles[i] = 1.0 / (3 + i + 7 * rank);
    else if (type == MPI_FLOAT)
      ((float*)out.bytes)[i] = 1.0f / (3 + i + 7 * rank);
    else if (type == MPI_INT)
      ((int*)out.bytes)[i] = (i + 1) * (rank + 3);
    else {
      ((double*)out.bytes)[2 * i] = (i * (rank + 2)) % 5;
      ((int*)out.bytes)[4 * i + 2] = rank;
    }
  }
}

static void reduce(MPI_Datatype type, MPI_Op op, int length, int in_place) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(type, &lower, &extent);
  const int bytes = length * (int)extent;
  set_operands(type, length);
  sent = out;
  memset(&in, -1, sizeof in);
  if (in_place) memcpy(&in, &out, bytes);
  MPI_Allreduce(in_place ? MPI_IN_PLACE : &out, &in, length, type, op, MPI_COMM_WORLD);
  CHECK_INT(memcmp(&sent, &out, sizeof out), 0);
  for (int i = bytes; i < bytes + 16; ++i) CHECK_INT(in.bytes[i], -1);
  unsigned long sum = 0; /* of a pair without what is between it and the next */
  if (type == MPI_DOUBLE_INT)
    for (int i = 0; i < length; ++i) sum = sum * 17 + sum_of(in.bytes + 16 * i, 12);
  else
    sum = sum_of(in.bytes, bytes);
  printf("%d %d %d %lx %.9f\n", world_rank(), length, in_place, sum, MPI_Wtime());
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const MPI_Datatype types[types_of_interest] = {MPI_DOUBLE, MPI_FLOAT, MPI_INT, MPI_DOUBLE_INT};
  const MPI_Op ops[types_of_interest] = {MPI_SUM, MPI_PROD, MPI_BXOR, MPI_MAXLOC};
  for (int t = 0; t < types_of_interest; ++t)
    for (int l = 0; l < lengths_of_interest; ++l)
      for (int in_place = 0; in_place <= 1; ++in_place) reduce(types[t], ops[t], lengths[l], in_place);
  return finish();
}
