/* A farm of tasks, as PVM's books have it: the master starts its slaves, hands out intervals to integrate, and hears of
 * every slave that ends. One of them is ended in the midst of its work; what it had to do is given to another.
 *
 *   hindcast cc -O2 -o pvm_farm examples/pvm/pvm_farm.c -lm
 *   hindcast run -m ap3000 ./pvm_farm [SLAVES]
 */
#include <hindcast.h>
#include <math.h>
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { slaves_max = 64, intervals = 40, points = 100000 };
enum { tag_work = 1, tag_result, tag_no_more, tag_gone };

static double function(double x) { return 4 / (1 + x * x); }

/* --- a slave --- */

static double integrate(int interval) {
  const double width = 1.0 / intervals / points, begin = (double)interval / intervals;
  double sum = 0;
  for (int i = 0; i < points; ++i) sum += function(begin + (i + 0.5) * width);
  hindcast_compute_flops(5.0 * points);
  return sum * width;
}

static int be_slave(int master) {
  for (;;) {
    int interval, tag;
    const int message = pvm_recv(master, -1);
    pvm_bufinfo(message, NULL, &tag, NULL);
    if (tag == tag_no_more) break;
    pvm_upkint(&interval, 1, 1);
    double result = integrate(interval);
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&interval, 1, 1);
    pvm_pkdouble(&result, 1, 1);
    pvm_send(master, tag_result);
  }
  pvm_exit();
  return 0;
}

/* --- the master --- */

static int slaves, tids[slaves_max], work_of[slaves_max]; /* the interval that a slave works on, or -1 */
static int has_ended[slaves_max], is_done[intervals];
static int to_do[intervals], left;

static int slave_of(int tid) {
  int slave = 0;
  while (tids[slave] != tid) ++slave;
  return slave;
}

static void hand_out_to(int slave) {
  work_of[slave] = left > 0 ? to_do[--left] : -1;
  if (work_of[slave] < 0) return;
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&work_of[slave], 1, 1);
  pvm_send(tids[slave], tag_work);
}

/* What it had to do is to be done again, by one who has nothing to do. */
static void take_back_from(int slave) {
  printf("slave %d has ended, with interval %d\n", slave, work_of[slave]);
  has_ended[slave] = 1;
  if (work_of[slave] >= 0 && !is_done[work_of[slave]]) to_do[left++] = work_of[slave];
  for (int other = 0; other < slaves && left > 0; ++other)
    if (!has_ended[other] && work_of[other] < 0) hand_out_to(other);
}

static double collect(void) {
  double sum = 0;
  for (int done = 0; done < intervals;) {
    int tag, tid, interval;
    double result;
    pvm_bufinfo(pvm_recv(-1, -1), NULL, &tag, &tid);
    if (tag == tag_gone) {
      pvm_upkint(&tid, 1, 1);
      take_back_from(slave_of(tid));
      continue;
    }
    pvm_upkint(&interval, 1, 1);
    pvm_upkdouble(&result, 1, 1);
    if (is_done[interval]) continue; /* by one who has ended since, and by another */
    is_done[interval] = 1;
    sum += result;
    if (++done == intervals / 4) pvm_kill(tids[1]); /* as if its host had failed */
    if (!has_ended[slave_of(tid)]) hand_out_to(slave_of(tid));
  }
  return sum;
}

int main(int argc, char** argv) {
  struct timeval begun, ended;
  pvm_mytid();
  if (pvm_parent() != PvmNoParent) return be_slave(pvm_parent());
  gettimeofday(&begun, NULL);
  slaves = pvm_spawn(argv[0], NULL, PvmTaskDefault, NULL, argc > 1 ? atoi(argv[1]) : 4, tids);
  pvm_notify(PvmTaskExit, tag_gone, slaves, tids);
  for (left = 0; left < intervals; ++left) to_do[left] = intervals - 1 - left;
  for (int slave = 0; slave < slaves; ++slave) hand_out_to(slave);
  const double pi = collect();
  pvm_initsend(PvmDataRaw);
  for (int slave = 0; slave < slaves; ++slave)
    if (!has_ended[slave]) pvm_send(tids[slave], tag_no_more);
  gettimeofday(&ended, NULL);
  const int is_right = fabs(pi - 3.14159265358979) < 1e-9;
  printf("%d slaves: pi is %.10f, %s, in %.1f ms\n", slaves, pi, is_right ? "right" : "WRONG",
         1e3 * (ended.tv_sec - begun.tv_sec) + 1e-3 * (ended.tv_usec - begun.tv_usec));
  pvm_exit();
  return is_right ? 0 : 1;
}
