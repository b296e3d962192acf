/* ranks: 3 5 6 9
 * Communicators made of an intercommunicator on which collectives are in progress: neither gets what the other's ranks
 * tell each other. */
#include "check.h"

#include <string.h>

enum { most = 9, kinds_of_work = 5, ways_to_make = 5 };

static int mine_is_odd, rank, size, others; /* in the group of my kind, and the size of the other */

static MPI_Comm make_inter(void) {
  MPI_Comm half, inter;
  mine_is_odd = world_rank() % 2;
  MPI_Comm_split(MPI_COMM_WORLD, mine_is_odd, 0, &half);
  MPI_Comm_rank(half, &rank);
  MPI_Comm_size(half, &size);
  others = world_size() - size;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !mine_is_odd, 12, &inter);
  MPI_Comm_free(&half);
  return inter;
}

static int sum_of_kind(int is_odd) {
  int sum = 0;
  for (int i = is_odd; i < world_size(); i += 2) sum += i + 1;
  return sum;
}

static void expect_across(MPI_Comm inter) {
  const int mine = world_rank() + 1;
  int sum = -1;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, inter);
  CHECK_INT(sum, sum_of_kind(!mine_is_odd));
}

/* The even ranks first, or of the odd ones these alone. */
static void expect_within(MPI_Comm comm, int wanted_rank, int wanted_sum) {
  const int mine = world_rank() + 1;
  int found = -1, sum = -1;
  MPI_Comm_rank(comm, &found);
  CHECK_INT(found, wanted_rank);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK_INT(sum, wanted_sum);
}

typedef struct {
  MPI_Request request;
  MPI_Comm copy;
  int in, out, parts[most];
} Work;

static void begin(int kind, Work* work, MPI_Comm inter) {
  const int root = mine_is_odd ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  work->out = world_rank() + 1;
  work->in = kind == 1 && !mine_is_odd ? 4711 : -1;
  for (int i = 0; i < size; ++i) work->parts[i] = i + 100 * mine_is_odd;
  switch (kind) {
    case 0:
      MPI_Comm_idup(inter, &work->copy, &work->request);
      break;
    case 1:
      MPI_Ibcast(&work->in, 1, MPI_INT, root, inter, &work->request);
      break;
    case 2:
      MPI_Iallreduce(&work->out, &work->in, 1, MPI_INT, MPI_SUM, inter, &work->request);
      break;
    case 3:
      MPI_Ireduce(&work->out, &work->in, 1, MPI_INT, MPI_SUM, root, inter, &work->request);
      break;
    default:
      MPI_Ibarrier(inter, &work->request);
  }
}

static void end(int kind, Work* work) {
  MPI_Wait(&work->request, MPI_STATUS_IGNORE);
  if (kind == 0) {
    expect_across(work->copy);
    MPI_Comm_free(&work->copy);
  }
  if (kind == 1) CHECK_INT(work->in, 4711);
  if (kind == 2) CHECK_INT(work->in, sum_of_kind(!mine_is_odd));
  if (kind == 3) CHECK_INT(work->in, !mine_is_odd && rank == 0 ? sum_of_kind(1) : -1);
}

static void make_another(int way, MPI_Comm inter) {
  MPI_Comm made;
  MPI_Group group;
  switch (way) {
    case 0:
      MPI_Intercomm_merge(inter, mine_is_odd, &made);
      expect_within(made, mine_is_odd ? others + rank : rank, sum_of_kind(0) + sum_of_kind(1));
      break;
    case 1:
      MPI_Comm_dup(inter, &made);
      expect_across(made);
      break;
    case 2:
      MPI_Comm_split(inter, 0, 0, &made);
      expect_across(made);
      break;
    case 3:
      MPI_Comm_group(inter, &group);
      MPI_Comm_create(inter, group, &made);
      MPI_Group_free(&group);
      expect_across(made);
      break;
    default: /* after a collective of another one that was made beside the work */
      MPI_Comm_dup(inter, &made);
      MPI_Barrier(made);
      MPI_Comm_free(&made);
      MPI_Intercomm_merge(inter, mine_is_odd, &made);
      expect_within(made, mine_is_odd ? others + rank : rank, sum_of_kind(0) + sum_of_kind(1));
  }
  MPI_Comm_free(&made);
}

/* As many are in progress as one blocking call may take steps, and more. */
static void beside(int kind, int way, int count) {
  Work works[8];
  MPI_Comm inter = make_inter();
  for (int i = 0; i < count; ++i) begin(kind < kinds_of_work ? kind : i % kinds_of_work, &works[i], inter);
  make_another(way, inter);
  for (int i = 0; i < count; ++i) end(kind < kinds_of_work ? kind : i % kinds_of_work, &works[i]);
  expect_across(inter);
  MPI_Comm_free(&inter);
}

/* Copies by way of two intercommunicators of the same groups, which one call for one of them completes. */
static void beside_two(void) {
  MPI_Comm one = make_inter(), other = make_inter(), merged;
  Work works[2];
  begin(0, &works[0], one);
  begin(0, &works[1], other);
  MPI_Intercomm_merge(other, mine_is_odd, &merged);
  end(0, &works[0]);
  end(0, &works[1]);
  MPI_Comm_free(&one);
  MPI_Comm_free(&other);
  MPI_Comm_free(&merged);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int kind = 0; kind <= kinds_of_work; ++kind)
    for (int way = 0; way < ways_to_make; ++way) beside(kind, way, kind == kinds_of_work ? 8 : 1 + way % 3);
  beside_two();
  return finish();
}
