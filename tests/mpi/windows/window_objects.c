/* ranks: 1 4
 * Windows of all flavours: what they are asked for, and what programs keep with them. */
#include <string.h>

#include "check.h"

static int rank, size;

static void check_attributes(MPI_Win win, const void* base, MPI_Aint bytes, int unit, int flavor) {
  void* value;
  int flag = 0;
  MPI_Win_get_attr(win, MPI_WIN_BASE, &value, &flag);
  CHECK(flag && value == base);
  MPI_Win_get_attr(win, MPI_WIN_SIZE, &value, &flag);
  CHECK(flag);
  CHECK_INT(*(MPI_Aint*)value, bytes);
  MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &value, &flag);
  CHECK_INT(*(int*)value, unit);
  MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &value, &flag);
  CHECK_INT(*(int*)value, flavor);
  MPI_Win_get_attr(win, MPI_WIN_MODEL, &value, &flag);
  CHECK_INT(*(int*)value, MPI_WIN_UNIFIED);
}

static void test_flavours(void) {
  int memory[4] = {0}, *allocated, *shared;
  MPI_Win win;
  MPI_Win_create(rank == 0 ? NULL : memory, rank == 0 ? 0 : (MPI_Aint)sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &win);
  check_attributes(win, rank == 0 ? NULL : memory, rank == 0 ? 0 : (MPI_Aint)sizeof memory, 4, MPI_WIN_FLAVOR_CREATE);
  MPI_Win_free(&win);
  CHECK(win == MPI_WIN_NULL);

  MPI_Win_allocate(8 * (rank + 1), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &win);
  allocated[2 * rank + 1] = 7;
  check_attributes(win, allocated, 8 * (rank + 1), 8, MPI_WIN_FLAVOR_ALLOCATE);
  MPI_Win_free(&win);

  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  check_attributes(win, MPI_BOTTOM, 0, 1, MPI_WIN_FLAVOR_DYNAMIC);
  MPI_Win_attach(win, memory, sizeof memory);
  MPI_Win_attach(win, memory, 0);
  MPI_Win_detach(win, memory);
  MPI_Win_free(&win);

  MPI_Win_allocate_shared(4, 4, MPI_INFO_NULL, MPI_COMM_SELF, &shared, &win);
  *shared = rank;
  check_attributes(win, shared, 4, 4, MPI_WIN_FLAVOR_SHARED);
  MPI_Aint bytes;
  int unit, *queried;
  MPI_Win_shared_query(win, 0, &bytes, &unit, &queried);
  CHECK(queried == shared && bytes == 4 && unit == 4);
  MPI_Win_free(&win);
}

static MPI_Win make(void) {
  static int memory[4];
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  return win;
}

static void test_group_and_name(void) {
  MPI_Win win = make();
  MPI_Group of_win, of_world;
  int result, length = -1;
  MPI_Win_get_group(win, &of_win);
  MPI_Comm_group(MPI_COMM_WORLD, &of_world);
  MPI_Group_compare(of_win, of_world, &result);
  CHECK_INT(result, MPI_IDENT);
  MPI_Group_free(&of_win);
  MPI_Group_free(&of_world);
  char name[MPI_MAX_OBJECT_NAME] = "x";
  MPI_Win_get_name(win, name, &length);
  CHECK(length == 0 && name[0] == '\0');
  MPI_Win_set_name(win, "halo");
  MPI_Win_get_name(win, name, &length);
  CHECK(length == 4 && strcmp(name, "halo") == 0);
  MPI_Win_set_name(win, "");
  MPI_Win_get_name(win, name, &length);
  CHECK_INT(length, 0);
  MPI_Win_free(&win);
}

static void check_hint(MPI_Win win, const char* key, const char* expected) {
  MPI_Info info;
  char value[MPI_MAX_INFO_VAL + 1];
  int flag = 0;
  MPI_Win_get_info(win, &info);
  MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
  CHECK(flag && strcmp(value, expected) == 0);
  MPI_Info_free(&info);
}

static void test_info(void) {
  MPI_Info info;
  MPI_Win win;
  int memory = 0;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Info_set(info, "accumulate_ordering", "none");
  MPI_Info_set(info, "nobody_knows", "this");
  MPI_Win_create(&memory, sizeof memory, 1, info, MPI_COMM_WORLD, &win);
  check_hint(win, "no_locks", "true");
  check_hint(win, "accumulate_ordering", "none");
  check_hint(win, "accumulate_ops", "same_op_no_op");
  check_hint(win, "same_size", "false");
  check_hint(win, "same_disp_unit", "false");
  MPI_Info_set(info, "no_locks", "false");
  MPI_Info_set(info, "same_size", "true");
  MPI_Win_set_info(win, info);
  check_hint(win, "no_locks", "false");
  check_hint(win, "same_size", "true");
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  MPI_Win_unlock(rank, win);
  MPI_Info_free(&info);
  MPI_Win_free(&win);
}

static int copied, deleted;
static int copy(MPI_Win win, int key, void* extra, void* value, void* copy_of, int* flag) {
  (void)win, (void)key, (void)extra, (void)value, (void)copy_of;
  ++copied;
  *flag = 0;
  return MPI_SUCCESS;
}
static int forget(MPI_Win win, int key, void* value, void* extra) {
  (void)win, (void)key;
  CHECK(value == extra);
  ++deleted;
  return MPI_SUCCESS;
}

static void test_attributes(void) {
  MPI_Win win = make();
  int mine = 0, key, flag = 1, *found;
  MPI_Win_create_keyval(copy, forget, &key, &mine);
  MPI_Win_get_attr(win, key, &found, &flag);
  CHECK(!flag);
  MPI_Win_set_attr(win, key, &mine);
  MPI_Win_get_attr(win, key, &found, &flag);
  CHECK(flag && found == &mine);
  MPI_Win_delete_attr(win, key);
  CHECK_INT(deleted, 1);
  MPI_Win_delete_attr(win, key); /* there is none */
  MPI_Win_set_attr(win, key, &mine);
  MPI_Win_free_keyval(&key);
  CHECK_INT(key, MPI_KEYVAL_INVALID);
  MPI_Win_free(&win);
  CHECK(deleted == 2 && copied == 0);
}

static int errors, last_error;
static MPI_Win failed;
static void note_error(MPI_Win* win, int* code, ...) {
  failed = *win;
  ++errors;
  last_error = class_of(*code);
}

static void test_errhandlers(void) {
  MPI_Win win = make();
  MPI_Errhandler mine, found;
  MPI_Win_get_errhandler(win, &found);
  CHECK(found == MPI_ERRORS_ARE_FATAL);
  MPI_Win_create_errhandler(note_error, &mine);
  MPI_Win_set_errhandler(win, mine);
  MPI_Win_get_errhandler(win, &found);
  CHECK(found == mine);
  MPI_Errhandler_free(&found);
  MPI_Errhandler_free(&mine);
  MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
  CHECK(errors == 1 && last_error == MPI_ERR_OTHER && failed == win);
  CHECK_INT(class_of(MPI_Put(&errors, 1, MPI_INT, size, 0, 1, MPI_INT, win)), MPI_ERR_RANK);
  CHECK(errors == 2 && last_error == MPI_ERR_RANK && failed == win);
  MPI_Win_free(&win);
}

static void test_many(void) {
  MPI_Win wins[10];
  for (int i = 0; i < 10; ++i) {
    wins[i] = make();
    for (int j = 0; j < i; ++j) CHECK(wins[j] != wins[i]);
  }
  for (int i = 0; i < 10; ++i) MPI_Win_free(&wins[i]);
  CHECK(MPI_Win_f2c(MPI_Win_c2f(wins[0])) == MPI_WIN_NULL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  test_flavours();
  test_group_and_name();
  test_info();
  test_attributes();
  test_errhandlers();
  test_many();
  return finish();
}
