/* The product of two matrices on a square of tasks, as PVM's books have it: one program, whose first task starts the
 * others. In each round a block of A goes along its row by pvm_mcast, and the blocks of B move up by one task.
 *
 *   hindcast cc -O2 -o pvm_matrices examples/pvm/pvm_matrices.c
 *   hindcast run -m ap3000 ./pvm_matrices [TASKS A SIDE] [ROWS OF A BLOCK]
 */
#include <hindcast.h>
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { side_max = 8, rows_max = 256 };
enum { tag_start = 1, tag_a, tag_b, tag_c };

static int side, rows, row, column; /* of tasks, and of a block; where this task is */
static int tids[side_max * side_max];
static double a[rows_max * rows_max], b[rows_max * rows_max], c[rows_max * rows_max], of_row[rows_max * rows_max];

static int at(int r, int col) { return tids[(r + side) % side * side + (col + side) % side]; }

/* Of the whole matrices: A counts rows, B is twice the unit matrix, so that the product is known. */
static void fill(void) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j) {
      const int whole_i = row * rows + i, whole_j = column * rows + j;
      a[i * rows + j] = whole_i + 0.25 * whole_j;
      b[i * rows + j] = whole_i == whole_j ? 2 : 0;
    }
}

static void send_block(double* block, int tag, int* to, int count) {
  pvm_initsend(PvmDataRaw);
  pvm_pkdouble(block, rows * rows, 1);
  pvm_mcast(to, count, tag);
}

static void receive_block(double* block, int from, int tag) {
  pvm_recv(from, tag);
  pvm_upkdouble(block, rows * rows, 1);
}

static void multiply(const double* left) {
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < rows; ++k)
      for (int j = 0; j < rows; ++j) c[i * rows + j] += left[i * rows + k] * b[k * rows + j];
  hindcast_compute_flops(2.0 * rows * rows * rows);
}

static void work(void) {
  int others[side_max], above = at(row - 1, column);
  for (int i = 0; i + 1 < side; ++i) others[i] = at(row, column + 1 + i);
  for (int round = 0; round < side; ++round) {
    const int owner = (row + round) % side; /* of the block of A that this row needs now */
    if (owner == column) {
      if (side > 1) send_block(a, tag_a, others, side - 1);
      multiply(a);
    } else {
      receive_block(of_row, at(row, owner), tag_a);
      multiply(of_row);
    }
    if (side == 1) continue;
    send_block(b, tag_b, &above, 1);
    receive_block(b, at(row + 1, column), tag_b);
  }
}

static int wrong_elements(int block_row, int block_column, const double* block) {
  int wrong = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j)
      wrong += block[i * rows + j] != 2 * (block_row * rows + i + 0.25 * (block_column * rows + j));
  return wrong;
}

static int number(int argc, char** argv, int place, int otherwise, int most) {
  const int given = argc > place ? atoi(argv[place]) : otherwise;
  if (given >= 1 && given <= most) return given;
  fprintf(stderr, "pvm_matrices: argument %d must be 1 to %d\n", place, most);
  pvm_exit();
  exit(2);
}

static int be_first(int argc, char** argv) {
  side = number(argc, argv, 1, 3, side_max);
  rows = number(argc, argv, 2, 64, rows_max);
  const int tasks = side * side;
  tids[0] = pvm_mytid();
  if (tasks > 1 && pvm_spawn("pvm_matrices", NULL, PvmTaskDefault, "", tasks - 1, tids + 1) < tasks - 1) {
    fprintf(stderr, "pvm_matrices: %d tasks could not be started\n", tasks);
    pvm_exit();
    return 1;
  }
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&side, 1, 1);
  pvm_pkint(&rows, 1, 1);
  pvm_pkint(tids, tasks, 1);
  pvm_mcast(tids + 1, tasks - 1, tag_start);
  struct timeval begin, end;
  gettimeofday(&begin, NULL);
  fill();
  work();
  int wrong = wrong_elements(0, 0, c);
  for (int task = 1; task < tasks; ++task) {
    receive_block(c, tids[task], tag_c);
    wrong += wrong_elements(task / side, task % side, c);
  }
  gettimeofday(&end, NULL);
  const double ms = 1e3 * (double)(end.tv_sec - begin.tv_sec) + 1e-3 * (double)(end.tv_usec - begin.tv_usec);
  printf("%d %s, matrices of order %d: %s, in %.1f ms\n", tasks, tasks == 1 ? "task" : "tasks", side * rows,
         wrong ? "wrong" : "right", ms);
  pvm_exit();
  return wrong != 0;
}

static int be_another(int first) {
  pvm_recv(first, tag_start);
  pvm_upkint(&side, 1, 1);
  pvm_upkint(&rows, 1, 1);
  pvm_upkint(tids, side * side, 1);
  int place = 0;
  while (tids[place] != pvm_mytid()) ++place;
  row = place / side;
  column = place % side;
  fill();
  work();
  send_block(c, tag_c, &first, 1);
  pvm_exit();
  return 0;
}

int main(int argc, char** argv) {
  pvm_mytid();
  const int parent = pvm_parent();
  return parent == PvmNoParent ? be_first(argc, argv) : be_another(parent);
}
