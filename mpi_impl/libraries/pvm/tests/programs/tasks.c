/* tasks: 4
 * Tasks and hosts: who there is, who starts, ends and hears of whom. */
#include <signal.h>
#include <unistd.h>

#include "check.h"

enum { tag_gone = 100, tag_host_gone, tag_host_come, tag_signal };

static struct pvmhostinfo* hosts;
static int host_count;

static int told_number(int tag) {
  int number = 0;
  CHECK(pvm_recv(-1, tag) > 0);
  CHECK_INT(pvm_upkint(&number, 1, 1), PvmOk);
  return number;
}

static void identity(void) {
  int* siblings;
  struct pvmtaskinfo* infos;
  int count = 0;
  CHECK_INT(pvm_mytid(), tids[me]);
  CHECK_INT(pvm_parent(), me == 0 ? PvmNoParent : tids[0]);
  CHECK_ERROR(pvm_siblings(0), PvmBadParam);
  if (me == 0) {
    CHECK_INT(pvm_siblings(&siblings), 1);
    CHECK_INT(siblings[0], tids[0]);
  }
  if (me != 0) {
    CHECK_INT(pvm_siblings(&siblings), tasks - 1);
    CHECK(memcmp(siblings, tids + 1, (unsigned)(tasks - 1) * sizeof(int)) == 0);
  }
  for (int i = 0; i < tasks; ++i) {
    CHECK_INT(pvm_pstat(tids[i]), PvmOk);
    for (int j = 0; j < i; ++j) CHECK(tids[i] != tids[j]);
  }
  CHECK_INT(pvm_pstat(tids[0] + 77), PvmNoTask);
  CHECK_ERROR(pvm_pstat(-1), PvmBadParam);
  CHECK_INT(pvm_tasks(0, &count, &infos), PvmOk);
  CHECK_INT(count, tasks);
  CHECK_INT(pvm_tasks(tids[me], &count, &infos), PvmOk);
  CHECK(count == 1 && infos[0].ti_tid == tids[me] && infos[0].ti_host == pvm_tidtohost(tids[me]));
  CHECK_INT(infos[0].ti_ptid, me == 0 ? 0 : tids[0]);
  if (me != 0) CHECK(strstr(infos[0].ti_a_out, "tasks") != 0);
  CHECK_INT(pvm_tasks(pvm_tidtohost(tids[1]), &count, &infos), PvmOk);
  CHECK(count == 1 && infos[0].ti_tid == tids[1]);
  CHECK_ERROR(pvm_tasks(-3, &count, &infos), PvmBadParam);
  CHECK_ERROR(pvm_tasks(tids[0] + 77, &count, &infos), PvmNoTask);
  CHECK_ERROR(pvm_tidtohost(-3), PvmBadParam);
}

static void machine(void) {
  int archs = 0;
  struct timeval now, there, delta;
  char name[100];
  CHECK_INT(pvm_config(&host_count, &archs, &hosts), PvmOk);
  CHECK(host_count >= tasks && archs == 1);
  gethostname(name, sizeof name);
  for (int i = 0; i < host_count; ++i) {
    CHECK_INT(pvm_mstat(hosts[i].hi_name), PvmOk);
    CHECK(hosts[i].hi_speed > 0 && hosts[i].hi_dsig == pvm_archcode(hosts[i].hi_arch));
    if (hosts[i].hi_tid == pvm_tidtohost(pvm_mytid())) CHECK(strcmp(hosts[i].hi_name, name) == 0);
  }
  CHECK_INT(pvm_mstat("no such host"), PvmNoHost);
  CHECK_ERROR(pvm_mstat(0), PvmBadParam);
  CHECK_ERROR(pvm_archcode("no such thing"), PvmNotFound);
  gettimeofday(&now, 0);
  CHECK_INT(pvm_hostsync(hosts[host_count - 1].hi_tid, &there, &delta), PvmOk);
  CHECK(there.tv_sec == now.tv_sec && there.tv_usec >= now.tv_usec && delta.tv_sec == 0 && delta.tv_usec == 0);
  CHECK_ERROR(pvm_hostsync(tids[0], &there, &delta), PvmNoHost);
  CHECK(strncmp(pvm_version(), "3.4", 3) == 0);
  CHECK_ERROR(pvm_start_pvmd(0, 0, 1), PvmDupHost);
}

static void options(void) {
  int *noresets, count = -1;
  const int before = pvm_getopt(PvmRoute);
  CHECK(before == PvmAllowDirect || before == PvmRouteDirect);
  CHECK_INT(pvm_setopt(PvmRoute, PvmRouteDirect), before);
  CHECK_INT(pvm_getopt(PvmRoute), PvmRouteDirect);
  CHECK_INT(pvm_advise(PvmDontRoute), PvmOk);
  CHECK_INT(pvm_getopt(PvmRoute), PvmDontRoute);
  CHECK_INT(pvm_advise(before), PvmOk);
  CHECK_INT(pvm_serror(0), 1);
  CHECK_INT(pvm_serror(1), 0);
  CHECK_INT(pvm_getopt(PvmAutoErr), 1);
  CHECK_ERROR(pvm_setopt(PvmRoute, 9), PvmBadParam);
  CHECK_ERROR(pvm_setopt(99, 1), PvmBadParam);
  CHECK_INT(pvm_getopt(PvmTraceOptions), PvmTraceFull);
  CHECK_INT(pvm_setopt(PvmSelfTraceOptions, PvmTraceCount), PvmTraceFull);
  CHECK_ERROR(pvm_setopt(PvmTraceOptions, 4), PvmBadParam);
  CHECK_ERROR(pvm_setopt(PvmOutputTid, -1), PvmBadParam);
  CHECK_ERROR(pvm_setopt(PvmTraceTid, pvm_tidtohost(tids[me])), PvmBadParam);
  CHECK_INT(pvm_setopt(PvmSelfTraceCode, 5), 0); /* for children too */
  CHECK_INT(pvm_setopt(PvmSelfTraceTid, tids[me]), 0);
  CHECK(pvm_getopt(PvmTraceCode) == 5 && pvm_getopt(PvmTraceTid) == tids[me]);
  CHECK_INT(pvm_setopt(PvmSelfTraceTid, 0), tids[me]);
  CHECK_ERROR(pvm_getopt(0), PvmBadParam);
  CHECK_INT(pvm_setopt(PvmNoReset, 0), 0);
  CHECK_INT(pvm_getnoresets(&noresets, &count), PvmOk);
  CHECK_INT(count, 0);
  pvm_initsend(PvmDataRaw);
  CHECK_ERROR(pvm_send(-1, 1), PvmBadParam);
  CHECK_INT(pvm_errno, PvmBadParam);
}

/* There is no such thing here, and the calls say so. */
static void left_out(void) {
  int* fds;
  CHECK_ERROR(pvm_getfds(&fds), PvmNotImpl);
  CHECK_ERROR(pvm_tickle(0, 0, 0, 0), PvmNotImpl);
  CHECK_ERROR(pvm_reg_hoster(), PvmNotImpl);
  CHECK_ERROR(pvm_reg_rm(&hosts), PvmNotImpl);
  CHECK_ERROR(pvm_reg_tasker(), PvmNotImpl);
  CHECK_ERROR(pvm_reg_tracer(0, 0, 0, 0, 0, 0, 0), PvmNotImpl);
}

/* Tasks that this program starts as others: what they do is their argument. */
static int start(char* self, char* what, int flags, char* where, int count, int* started) {
  char* arguments[] = {what, 0};
  return pvm_spawn(self, arguments, flags, where, count, started);
}

static volatile sig_atomic_t signals;
static void count_signal(int number) { signals += number == SIGUSR1; }

static int is_working_in(const char* directory) {
  char here[200];
  return getcwd(here, sizeof here) != 0 && strcmp(here, directory) == 0;
}

static int tell_parent(int number) {
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&number, 1, 1);
  pvm_send(pvm_parent(), tag_signal);
  return pvm_exit();
}

static int live(const char* what) {
  if (strcmp(what, "end") == 0) return 0; /* in the midst of everything */
  pvm_mytid();
  if (what[0] == '/') return tell_parent(is_working_in(what));
  if (strcmp(what, "wait") == 0) pvm_recv(-1, 1);
  if (strcmp(what, "sleep") == 0) sleep(1000);
  if (strcmp(what, "signal") == 0) {
    signal(SIGUSR1, count_signal);
    pvm_initsend(PvmDataRaw);
    pvm_send(pvm_parent(), tag_signal);
    pvm_recv(pvm_parent(), tag_signal);
    CHECK_INT(signals, 1);
    pvm_recv(pvm_parent(), tag_signal); /* for ever */
  }
  return 0;
}

static void starting(char* self) {
  int started[3];
  char* name = strrchr(self, '/') != 0 ? strrchr(self, '/') + 1 : self;
  char* there = hosts[host_count - 1].hi_name;
  CHECK_INT(start(name, "end", PvmTaskHost, there, 1, started), 1); /* found beside this program */
  CHECK_INT(pvm_tidtohost(started[0]), hosts[host_count - 1].hi_tid);
  pvm_notify(PvmTaskExit, tag_gone, 1, started);
  CHECK_INT(told_number(tag_gone), started[0]);
  CHECK_INT(pvm_pstat(started[0]), PvmNoTask);
  CHECK_INT(start(self, "end", PvmTaskArch, hosts[0].hi_arch, 2, started), 2);
  pvm_notify(PvmTaskExit, tag_gone, 2, started);
  CHECK_INT(told_number(tag_gone) + told_number(tag_gone), started[0] + started[1]);
  CHECK_INT(start(self, "end", PvmTaskHost | PvmHostCompl | PvmNoSpawnParent, there, 1, started), 1);
  CHECK(pvm_tidtohost(started[0]) != hosts[host_count - 1].hi_tid);
  pvm_notify(PvmTaskExit, tag_gone, 1, started);
  CHECK_INT(told_number(tag_gone), started[0]);
  CHECK_INT(start(self, "end", PvmTaskHost, "no such host", 1, started), 0);
  CHECK_INT(started[0], PvmNoHost);
  CHECK_INT(start("no-such-program", "end", PvmTaskDefault, 0, 1, started), 0);
  CHECK_INT(started[0], PvmNoFile);
  CHECK_ERROR(pvm_spawn(0, 0, PvmTaskDefault, 0, 1, started), PvmBadParam);
  CHECK_ERROR(pvm_spawn(self, 0, PvmTaskDefault, 0, 0, started), PvmBadParam);
  CHECK_ERROR(pvm_spawn(self, 0, PvmTaskHost, 0, 1, started), PvmBadParam);
  CHECK_ERROR(pvm_spawn(self, 0, 1024, 0, 1, started), PvmBadParam);
  CHECK_ERROR(pvm_spawn(self, 0, PvmTaskDebug, 0, 1, started), PvmNotImpl);
  int many[400], on_host = 0;
  const int all = start(self, "wait", PvmTaskDefault, 0, 400, many);
  CHECK_INT(all, 4 * host_count - 1); /* the other tasks of the beginning have ended */
  for (int i = 0; i < host_count - 1; ++i) on_host += pvm_tidtohost(many[i]) == pvm_tidtohost(many[0]);
  CHECK_INT(on_host, 1); /* none has a second one before all have one */
  CHECK_INT(many[all], PvmOutOfRes);
  for (int i = 0; i < all; ++i) pvm_kill(many[i]);
}

static void ending(char* self) {
  int started[2];
  struct timeval before, after;
  CHECK_INT(start(self, "wait", PvmTaskDefault, 0, 1, started), 1);
  CHECK_INT(start(self, "sleep", PvmTaskDefault, 0, 1, started + 1), 1);
  CHECK_INT(pvm_notify(PvmTaskExit, tag_gone, 2, started), PvmOk);
  for (int i = 0; i < 2; ++i) {
    gettimeofday(&before, 0);
    CHECK_INT(pvm_kill(started[i]), PvmOk);
    CHECK_INT(told_number(tag_gone), started[i]);
    gettimeofday(&after, 0);
    CHECK(after.tv_sec - before.tv_sec < 2);
    CHECK_ERROR(pvm_kill(started[i]), PvmNoTask);
    CHECK_INT(pvm_initsend(PvmDataRaw) > 0, 1);
    CHECK_INT(pvm_send(started[i], 1), PvmOk); /* to nobody */
  }
  pvm_notify(PvmTaskExit, tag_gone, 1, started); /* it has been gone for long */
  CHECK_INT(told_number(tag_gone), started[0]);
  CHECK_ERROR(pvm_kill(-1), PvmBadParam);
  CHECK_INT(start(self, "signal", PvmTaskDefault, 0, 1, started), 1);
  pvm_notify(PvmTaskExit, tag_gone, 1, started);
  CHECK(pvm_recv(started[0], tag_signal) > 0);
  CHECK_INT(pvm_sendsig(started[0], SIGUSR1), PvmOk);
  CHECK_INT(pvm_sendsig(started[0], SIGCHLD), PvmOk); /* which nobody minds */
  pvm_initsend(PvmDataRaw);
  pvm_send(started[0], tag_signal);
  CHECK_INT(pvm_sendsig(started[0], SIGUSR2), PvmOk); /* it has nothing for that */
  CHECK_INT(told_number(tag_gone), started[0]);
  CHECK_ERROR(pvm_sendsig(started[0], 0), PvmBadParam);
  CHECK_ERROR(pvm_sendsig(started[0], SIGUSR1), PvmNoTask);
}

static void hosts_come_and_go(char* self) {
  char *last = hosts[host_count - 1].hi_name, *own = hosts[0].hi_name, *unknown = "no such host";
  int last_tid = hosts[host_count - 1].hi_tid, info = 0, started = 0, number[2];
  char line[200], *with_options = line, *nothing = " ";
  CHECK_INT(start(self, "wait", PvmTaskHost, last, 1, &started), 1);
  pvm_notify(PvmTaskExit, tag_gone, 1, &started);
  CHECK_INT(pvm_notify(PvmHostDelete, tag_host_gone, 1, &last_tid), PvmOk);
  CHECK_INT(pvm_notify(PvmHostAdd, tag_host_come, 1, 0), PvmOk);
  CHECK_INT(pvm_delhosts(&last, 1, &info), 1);
  CHECK_INT(info, PvmOk);
  CHECK_INT(told_number(tag_gone), started);
  CHECK_INT(told_number(tag_host_gone), last_tid);
  CHECK_INT(pvm_mstat(last), PvmNoHost);
  CHECK_INT(pvm_delhosts(&last, 1, &info), 0);
  CHECK_INT(info, PvmNoHost);
  CHECK_INT(pvm_delhosts(&own, 1, &info), 0);
  CHECK_INT(info, PvmBadParam);
  sprintf(line, " %s ep=$HOME/bin", last); /* of a host file */
  CHECK_INT(pvm_addhosts(&with_options, 1, &info), 1);
  CHECK_INT(info, last_tid);
  CHECK(pvm_recv(-1, tag_host_come) > 0);
  CHECK_INT(pvm_upkint(number, 2, 1), PvmOk);
  CHECK(number[0] == 1 && number[1] == last_tid);
  CHECK_INT(pvm_addhosts(&last, 1, &info), 0);
  CHECK_INT(info, PvmDupHost);
  CHECK_INT(pvm_addhosts(&unknown, 1, &info), 0);
  CHECK_INT(info, PvmNoHost);
  CHECK_INT(pvm_addhosts(&nothing, 1, &info), 0);
  CHECK_INT(info, PvmBadParam);
  CHECK_ERROR(pvm_addhosts(0, 1, &info), PvmBadParam);
  CHECK_ERROR(pvm_delhosts(&last, 0, &info), PvmBadParam);
  CHECK_ERROR(pvm_notify(PvmRouteAdd, 1, 1, 0), PvmNotImpl);
  CHECK_ERROR(pvm_notify(17, 1, 1, &started), PvmBadParam);
  CHECK_ERROR(pvm_notify(PvmTaskExit, 1, 1, 0), PvmBadParam);
  CHECK_ERROR(pvm_notify(PvmTaskExit, -1, 1, &started), PvmBadParam);
  /* To be told at once instead. */
  CHECK_INT(pvm_notify(PvmTaskExit, tag_gone, 1, tids), PvmOk);
  CHECK_INT(pvm_notify(PvmTaskExit | PvmNotifyCancel, tag_gone, 1, tids), PvmOk);
  CHECK_INT(told_number(tag_gone), tids[0]);
  CHECK_INT(pvm_pstat(tids[0]), PvmOk);
  /* Only what was wanted in the same words. */
  CHECK_INT(pvm_notify(PvmTaskExit, tag_gone, 1, tids), PvmOk);
  CHECK_INT(pvm_notify(PvmTaskExit, tag_signal, 1, tids), PvmOk);
  CHECK_INT(pvm_notify(PvmTaskExit | PvmNotifyCancel, tag_signal, 1, tids), PvmOk);
  CHECK_INT(told_number(tag_signal), tids[0]);
  CHECK_INT(pvm_nrecv(-1, tag_gone), 0);
}

static void take_out_and_add(char** names, int count) {
  int infos[2];
  CHECK_INT(pvm_delhosts(names, count, infos), count);
  CHECK_INT(pvm_addhosts(names, count, infos), count);
}

/* How often a task is told of new hosts is what it has said last. */
static void new_hosts(void) {
  char* names[2] = {hosts[host_count - 1].hi_name, hosts[host_count - 2].hi_name};
  int number[3];
  CHECK_INT(pvm_notify(PvmHostAdd, tag_host_come, 1, 0), PvmOk);
  CHECK_INT(pvm_notify(PvmHostAdd, tag_host_come, 2, 0), PvmOk);
  take_out_and_add(names, 2); /* of which there is one message */
  CHECK(pvm_recv(-1, tag_host_come) > 0);
  CHECK_INT(pvm_upkint(number, 3, 1), PvmOk);
  CHECK(number[0] == 2 && number[1] == hosts[host_count - 1].hi_tid && number[2] == hosts[host_count - 2].hi_tid);
  CHECK_INT(pvm_pstat(tids[0]), PvmOk);
  CHECK_INT(pvm_nrecv(-1, tag_host_come), 0);
  take_out_and_add(names, 1);
  CHECK_INT(told_number(tag_host_come), 1);
  take_out_and_add(names, 1);
  CHECK_INT(pvm_notify(PvmHostAdd, tag_host_come, -1, 0), PvmOk);
  for (int i = 0; i < 3; ++i) {
    take_out_and_add(names, 1);
    CHECK_INT(told_number(tag_host_come), 1);
  }
  CHECK_INT(pvm_notify(PvmHostAdd, tag_host_come, 0, 0), PvmOk); /* no more */
  take_out_and_add(names, 1);
  CHECK_INT(pvm_pstat(tids[0]), PvmOk);
  CHECK_INT(pvm_nrecv(-1, tag_host_come), 0);
}

/* What is told of tasks stays as it is when they have gone. */
static void tasks_told(char* self) {
  struct pvmtaskinfo* infos;
  int started, count;
  CHECK_INT(start(self, "wait", PvmTaskDefault, 0, 1, &started), 1);
  CHECK_INT(pvm_tasks(started, &count, &infos), PvmOk);
  pvm_kill(started);
  pvm_notify(PvmTaskExit, tag_gone, 1, &started);
  CHECK_INT(told_number(tag_gone), started);
  CHECK(count == 1 && strcmp(infos[0].ti_a_out, self) == 0);
}

/* A working directory stands behind the place, or by itself. */
static void directories(char* self) {
  char where[200], *here = hosts[0].hi_name;
  int started;
  CHECK(self[0] == '/');
  sprintf(where, "%s:/usr", here);
  CHECK_INT(start(self, "/usr", PvmTaskHost, where, 1, &started), 1);
  pvm_notify(PvmTaskExit, tag_gone, 1, &started);
  CHECK_INT(told_number(tag_signal), 1);
  CHECK_INT(told_number(tag_gone), started);
  CHECK_INT(pvm_tidtohost(started), hosts[0].hi_tid);
  CHECK_INT(start(self, "/usr", PvmTaskDefault, ":/usr", 1, &started), 1);
  CHECK_INT(told_number(tag_signal), 1);
  CHECK_INT(start(self, "/usr", PvmTaskDefault, ":/no/such/directory", 1, &started), 0);
  CHECK_INT(started, PvmNoFile);
}

int main(int argc, char** argv) {
  if (argc > 1) return live(argv[1]);
  begin(argv[0], 4);
  identity();
  machine();
  options();
  left_out();
  if (me == 0) {
    starting(argv[0]);
    ending(argv[0]);
    hosts_come_and_go(argv[0]);
    new_hosts();
    tasks_told(argv[0]);
    directories(argv[0]);
  }
  return finish();
}
