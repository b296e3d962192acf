/* ranks: 1 2 5
 * needs: processes that start others
 * Processes that start others: who sees whom, what goes between them and among the children, several programs at once,
 * children of children, and places that are taken again by those who come later. */
#include "check.h"

#include <string.h>

static char* program;

static MPI_Comm start(char** arguments, int count, MPI_Comm parents, int root) {
  MPI_Comm children;
  int codes[16];
  memset(codes, -1, sizeof codes);
  CHECK_INT(MPI_Comm_spawn(program, arguments, count, MPI_INFO_NULL, root, parents, &children, codes), MPI_SUCCESS);
  for (int i = 0; i < count; ++i) CHECK_INT(codes[i], MPI_SUCCESS);
  return children;
}

static void expect_sizes(MPI_Comm between, int own, int remote) {
  int size = -1, remote_size = -1, is_inter = 0;
  MPI_Comm_size(between, &size);
  MPI_Comm_remote_size(between, &remote_size);
  MPI_Comm_test_inter(between, &is_inter);
  CHECK_INT(size, own);
  CHECK_INT(remote_size, remote);
  CHECK(is_inter);
}

/* Everybody sends to everybody of the other group. */
static void exchange(MPI_Comm between) {
  enum { most = 32, length = 3 };
  int rank, remote, out[most][length], in[length];
  MPI_Request sends[most];
  MPI_Comm_rank(between, &rank);
  MPI_Comm_remote_size(between, &remote);
  for (int to = 0; to < remote; ++to) {
    fill(out[to], length, rank, to);
    MPI_Isend(out[to], length, MPI_INT, to, 5, between, &sends[to]);
  }
  for (int from = 0; from < remote; ++from) {
    MPI_Status status;
    MPI_Recv(in, length, MPI_INT, from, 5, between, &status);
    check_status(&status, from, 5, length);
    check_elements(in, length, from, rank);
  }
  MPI_Waitall(remote, sends, MPI_STATUSES_IGNORE);
}

static int sum_over(MPI_Comm comm) {
  int one = 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  return sum;
}

/* --- children --- */

static int is_kind(int argc, char** argv, const char* kind) { return argc > 1 && strcmp(argv[1], kind) == 0; }

static int be_child(int argc, char** argv, MPI_Comm parent) {
  int number = -1, *application = NULL, flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &application, &flag);
  CHECK(flag);
  char name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Comm_get_name(parent, name, &length);
  CHECK(strcmp(name, "MPI_COMM_PARENT") == 0);
  exchange(parent);
  CHECK_INT(sum_over(MPI_COMM_WORLD), world_size());
  if (is_kind(argc, argv, "told")) {
    CHECK_INT(argc, 4);
    CHECK(strcmp(argv[2], "two words") == 0);
    CHECK(strcmp(argv[3], "") == 0);
    CHECK_INT(*application, 0);
  }
  if (is_kind(argc, argv, "numbered")) {
    MPI_Recv(&number, 1, MPI_INT, 0, 9, parent, MPI_STATUS_IGNORE);
    CHECK_INT(*application, number);
  }
  if (is_kind(argc, argv, "merged")) {
    MPI_Comm all;
    MPI_Intercomm_merge(parent, 1, &all);
    CHECK_INT(sum_over(all), 2 * world_size());
    MPI_Comm_free(&all);
  }
  if (is_kind(argc, argv, "fruitful")) {
    char* arguments[] = {"plain", NULL};
    MPI_Comm grandchildren = start(arguments, 2, MPI_COMM_SELF, 0);
    exchange(grandchildren);
    MPI_Comm_disconnect(&grandchildren);
  }
  MPI_Comm_disconnect(&parent);
  MPI_Comm_get_parent(&parent);
  CHECK(parent == MPI_COMM_NULL);
  MPI_Finalize();
  return 0;
}

/* --- parents --- */

static void several_from_each_root(void) {
  char* arguments[] = {"told", "two words", "", NULL};
  for (int root = 0; root < world_size(); ++root) {
    MPI_Comm children = start(arguments, 2 + root % 2, MPI_COMM_WORLD, root);
    expect_sizes(children, world_size(), 2 + root % 2);
    exchange(children);
    MPI_Comm_disconnect(&children);
    CHECK(children == MPI_COMM_NULL);
  }
}

static void several_programs(void) {
  char* first[] = {"numbered", NULL};
  char* second[] = {"numbered", "more", NULL};
  char* programs[] = {program, program};
  char** arguments[] = {first, second};
  const int counts[] = {1, 3};
  const MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  int codes[4] = {-1, -1, -1, -1};
  MPI_Comm children;
  MPI_Comm_spawn_multiple(2, programs, arguments, counts, infos, 0, MPI_COMM_WORLD, &children, codes);
  for (int i = 0; i < 4; ++i) CHECK_INT(codes[i], MPI_SUCCESS);
  expect_sizes(children, world_size(), 4);
  exchange(children);
  for (int child = 0; child < 4 && world_rank() == 0; ++child) {
    const int number = child > 0;
    MPI_Send(&number, 1, MPI_INT, child, 9, children);
  }
  MPI_Comm_disconnect(&children);
}

static void no_arguments_and_no_codes(void) {
  MPI_Comm children;
  MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
  exchange(children);
  MPI_Comm_disconnect(&children);
  if (world_rank() > 0) return;
  char* programs[] = {program};
  const int count = 1;
  const MPI_Info info = MPI_INFO_NULL;
  MPI_Comm_spawn_multiple(1, programs, MPI_ARGVS_NULL, &count, &info, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
  exchange(children);
  MPI_Comm_disconnect(&children);
}

static void one_family(void) {
  char* arguments[] = {"merged", NULL};
  MPI_Comm all, children = start(arguments, world_size(), MPI_COMM_WORLD, 0);
  exchange(children);
  MPI_Intercomm_merge(children, 0, &all);
  CHECK_INT(sum_over(all), 2 * world_size());
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&children);
}

static void grandchildren(void) {
  char* arguments[] = {"fruitful", NULL};
  MPI_Comm children = start(arguments, 2, MPI_COMM_WORLD, 0);
  exchange(children);
  MPI_Comm_disconnect(&children);
}

static void fewer_will_do(void) {
  MPI_Info info;
  MPI_Comm children;
  int *universe, flag, codes[2000], born;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag);
  CHECK(flag && *universe > world_size());
  MPI_Info_create(&info);
  MPI_Info_set(info, "soft", "2000, 1 : 3 : 2, 2147483647 : 2000 : -1");
  MPI_Comm_spawn(program, MPI_ARGV_NULL, 2000, info, 0, MPI_COMM_WORLD, &children, codes);
  MPI_Comm_remote_size(children, &born);
  CHECK_INT(born, 3);
  for (int i = 0; i < 2000; ++i) CHECK_INT(class_of(codes[i]), i < 3 ? MPI_SUCCESS : MPI_ERR_SPAWN);
  exchange(children);
  MPI_Comm_disconnect(&children);
  MPI_Info_set(info, "soft", "7:1:-3"); /* 7, 4, 1: the largest of them that is not above 6, though there is room */
  MPI_Comm_spawn(program, MPI_ARGV_NULL, 6, info, 0, MPI_COMM_WORLD, &children, codes);
  MPI_Comm_remote_size(children, &born);
  CHECK_INT(born, 4);
  exchange(children);
  MPI_Comm_disconnect(&children);
  MPI_Info_free(&info);
}

static void keys_of_others(void) {
  MPI_Info info;
  MPI_Comm children;
  int born;
  MPI_Info_create(&info);
  MPI_Info_set(info, "host", "a host of another machine");
  MPI_Info_set(info, "arch", "none");
  MPI_Info_set(info, "file", "no such file");
  MPI_Info_set(info, "a key of somebody's", "and its value");
  MPI_Comm_spawn(program, MPI_ARGV_NULL, 2, info, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  MPI_Comm_remote_size(children, &born);
  CHECK_INT(born, 2);
  exchange(children);
  MPI_Comm_disconnect(&children);
  MPI_Info_free(&info);
}

static void none(void) {
  MPI_Info info;
  MPI_Comm children;
  int codes[3];
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  FAILS(MPI_Comm_spawn("./no such program", MPI_ARGV_NULL, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes),
        MPI_ERR_SPAWN);
  for (int i = 0; i < 3; ++i) CHECK_INT(class_of(codes[i]), MPI_ERR_SPAWN);
  FAILS(MPI_Comm_spawn(program, MPI_ARGV_NULL, 2000, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE),
        MPI_ERR_SPAWN);
  FAILS(MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, world_size(), MPI_COMM_WORLD, &children,
                       MPI_ERRCODES_IGNORE),
        MPI_ERR_ROOT);
  if (world_rank() == 0) {
    FAILS(MPI_Comm_spawn(NULL, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE),
          MPI_ERR_ARG);
    FAILS(MPI_Comm_spawn(program, MPI_ARGV_NULL, -1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE),
          MPI_ERR_COUNT);
    char* programs[] = {program};
    const int counts[] = {-2};
    const MPI_Info infos[] = {MPI_INFO_NULL};
    FAILS(MPI_Comm_spawn_multiple(1, programs, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &children,
                                  MPI_ERRCODES_IGNORE),
          MPI_ERR_COUNT);
    FAILS(MPI_Comm_get_parent(NULL), MPI_ERR_ARG);
  }
  MPI_Info_create(&info);
  const char* no_numbers[] = {"1:2:0", "1,", "one", "1:2:3:4", "0:9223372036854775807", "5:9"};
  for (int i = 0; i < 6; ++i) { /* what the root alone looks at, all are told of */
    MPI_Info_set(info, "soft", no_numbers[i]);
    FAILS(MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, info, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE),
          MPI_ERR_SPAWN);
  }
  MPI_Info_free(&info);
  FAILS(MPI_Comm_spawn(program, MPI_ARGV_NULL, 0, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE),
        MPI_ERR_SPAWN);
  char* programs[] = {program, NULL};
  const int counts[] = {1, 1};
  MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  FAILS(MPI_Comm_spawn_multiple(0, programs, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &children,
                                MPI_ERRCODES_IGNORE),
        MPI_ERR_SPAWN);
  if (world_rank() > 0) return;
  FAILS(MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &children,
                                MPI_ERRCODES_IGNORE),
        MPI_ERR_ARG);
  infos[0] = info; /* which is null by now */
  programs[1] = program;
  infos[1] = (MPI_Info)MPI_COMM_WORLD;
  FAILS(MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &children,
                                MPI_ERRCODES_IGNORE),
        MPI_ERR_INFO);
}

int main(int argc, char** argv) {
  MPI_Comm parent;
  program = argv[0];
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) return be_child(argc, argv, parent);
  several_from_each_root();
  several_programs();
  no_arguments_and_no_codes();
  one_family();
  grandchildren();
  fewer_will_do();
  keys_of_others();
  none();
  return finish();
}
