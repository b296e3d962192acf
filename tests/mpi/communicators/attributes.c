/* ranks: 1 3
 * Attributes of communicators: what is set is found, copied and deleted through the callbacks, with the arguments that
 * the standard says; keys live as long as attributes have them. */
#include "check.h"

#include <string.h>

/* What the callbacks have been told, last. */
static struct {
  int copies, deletes;
  MPI_Comm comm;
  int keyval;
  void *extra, *value;
} seen;
static int extra_state, refuses;

static int on_copy(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  ++seen.copies;
  seen.comm = comm;
  seen.keyval = keyval;
  seen.extra = extra;
  seen.value = in;
  if (refuses) return MPI_ERR_ARG;
  *(void**)out = (char*)in + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int keyval, void* value, void* extra) {
  ++seen.deletes;
  seen.comm = comm;
  seen.keyval = keyval;
  seen.extra = extra;
  seen.value = value;
  return refuses ? 4711 : MPI_SUCCESS;
}

static void expect(int copies, int deletes, MPI_Comm comm, int keyval, const void* value) {
  CHECK_INT(seen.copies, copies);
  CHECK_INT(seen.deletes, deletes);
  CHECK(seen.comm == comm);
  CHECK_INT(seen.keyval, keyval);
  CHECK(seen.extra == &extra_state);
  CHECK(seen.value == value);
  memset(&seen, 0, sizeof seen);
}

static void expect_value(MPI_Comm comm, int keyval, const void* value) {
  void* found = &found;
  int flag = -1;
  CHECK_INT(MPI_Comm_get_attr(comm, keyval, &found, &flag), MPI_SUCCESS);
  CHECK_INT(flag, value != NULL);
  CHECK(!flag || found == value);
}

static void set_and_delete(MPI_Comm comm) {
  char values[4];
  int key, saved;
  memset(&seen, 0, sizeof seen);
  MPI_Comm_create_keyval(on_copy, on_delete, &key, &extra_state);
  CHECK(key != MPI_KEYVAL_INVALID);
  expect_value(comm, key, NULL);
  MPI_Comm_delete_attr(comm, key); /* there is none */
  MPI_Comm_set_attr(comm, key, &values[0]);
  expect_value(comm, key, &values[0]);
  CHECK_INT(seen.deletes, 0);
  MPI_Comm_set_attr(comm, key, &values[1]); /* deletes the one before */
  expect(0, 1, comm, key, &values[0]);
  expect_value(comm, key, &values[1]);

  MPI_Comm copied;
  MPI_Comm_dup(comm, &copied);
  expect(1, 0, comm, key, &values[1]);
  expect_value(copied, key, &values[2]);
  saved = key;
  MPI_Comm_free_keyval(&key); /* two attributes have it still */
  CHECK_INT(key, MPI_KEYVAL_INVALID);
  FAILS(MPI_Comm_set_attr(comm, saved, &values[3]), MPI_ERR_KEYVAL);
  FAILS((key = saved, MPI_Comm_free_keyval(&key)), MPI_ERR_KEYVAL);
  expect_value(copied, saved, &values[2]);
  MPI_Comm was = copied;
  MPI_Comm_free(&copied);
  expect(0, 1, was, saved, &values[2]);
  MPI_Comm_delete_attr(comm, saved);
  expect(0, 1, comm, saved, &values[1]);
  FAILS(MPI_Comm_delete_attr(comm, saved), MPI_ERR_KEYVAL); /* now it is gone */
}

/* The predefined callbacks: not copied, copied as it is; and a null pointer as a value. */
static void predefined_callbacks(MPI_Comm comm) {
  int not_copied, as_it_is, flag, value;
  void* found = &value;
  MPI_Comm copied;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &not_copied, NULL);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &as_it_is, NULL);
  MPI_Comm_set_attr(comm, not_copied, &value);
  MPI_Comm_set_attr(comm, as_it_is, NULL);
  MPI_Comm_dup(comm, &copied);
  expect_value(copied, not_copied, NULL);
  MPI_Comm_get_attr(copied, as_it_is, &found, &flag);
  CHECK(flag && found == NULL);
  MPI_Comm_free(&copied);
  MPI_Comm part;
  MPI_Comm_split(comm, 0, 0, &part); /* a split copies none */
  MPI_Comm_get_attr(part, as_it_is, &found, &flag);
  CHECK(!flag);
  MPI_Comm_free(&part);
  MPI_Comm_delete_attr(comm, not_copied);
  MPI_Comm_delete_attr(comm, as_it_is);
  MPI_Comm_free_keyval(&not_copied);
  MPI_Comm_free_keyval(&as_it_is);
  /* they can be called */
  char place;
  MPI_COMM_DUP_FN(comm, as_it_is, NULL, &place, &found, &flag);
  CHECK(flag && found == &place);
  MPI_COMM_NULL_COPY_FN(comm, as_it_is, NULL, &place, &found, &flag);
  CHECK(!flag);
  CHECK_INT(MPI_COMM_NULL_DELETE_FN(comm, as_it_is, &place, NULL), MPI_SUCCESS);
}

/* A nonblocking duplicate that comes to nothing has no context yet: messages of all others stay where they are. */
static void duplicate_that_fails(MPI_Comm parent) {
  const int next = (world_rank() + 1) % world_size(), before = (world_rank() + world_size() - 1) % world_size();
  int sent = world_rank(), received = -1;
  MPI_Comm copied;
  MPI_Request send, request;
  MPI_Isend(&sent, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &send);
  MPI_Probe(before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  FAILS(MPI_Comm_idup(parent, &copied, &request), MPI_ERR_ARG);
  CHECK(copied == MPI_COMM_NULL);
  MPI_Recv(&received, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_INT(received, before);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
}

/* A callback that fails makes the call fail, and nothing is copied or deleted. */
static void callbacks_that_fail(MPI_Comm comm) {
  char values[2];
  int key;
  MPI_Comm copied, kept, parent;
  MPI_Comm_dup(comm, &parent);
  MPI_Comm_create_keyval(on_copy, on_delete, &key, &extra_state);
  MPI_Comm_set_attr(parent, key, values);
  refuses = 1;
  FAILS(MPI_Comm_dup(parent, &copied), MPI_ERR_ARG);
  CHECK(copied == MPI_COMM_NULL);
  duplicate_that_fails(parent);
  FAILS(MPI_Comm_delete_attr(parent, key), MPI_ERR_OTHER); /* no code of MPI's */
  FAILS(MPI_Comm_set_attr(parent, key, values + 1), MPI_ERR_OTHER);
  kept = parent;
  FAILS(MPI_Comm_free(&kept), MPI_ERR_OTHER);
  CHECK(kept == parent);
  expect_value(parent, key, values);
  refuses = 0;
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free(&parent);
  memset(&seen, 0, sizeof seen);
}

/* Callbacks that call MPI: each deletion deletes the other attribute, and frees its own key. */
static int keys[2];
static int delete_other(MPI_Comm comm, int keyval, void* value, void* extra) {
  int own = keyval, flag;
  (void)extra;
  ++*(int*)value;
  MPI_Comm_free_keyval(&own);
  MPI_Comm_get_attr(comm, keyval, &value, &flag);
  CHECK(flag); /* not deleted yet */
  if (keyval == keys[1]) MPI_Comm_delete_attr(comm, keys[0]);
  return MPI_SUCCESS;
}

static void callbacks_that_call(MPI_Comm comm) {
  int counts[2] = {0, 0};
  MPI_Comm copied;
  MPI_Comm_dup(comm, &copied);
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_other, &keys[i], NULL);
    MPI_Comm_set_attr(copied, keys[i], &counts[i]);
  }
  MPI_Comm_free(&copied);
  for (int i = 0; i < 2; ++i) CHECK_INT(counts[i], 1);
}

/* A copy callback deletes the other attribute, whose key was freed and goes with it: the duplicate has only what was
 * copied first. */
static int copies_made;
static int copy_and_delete_other(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  (void)extra;
  ++copies_made;
  MPI_Comm_delete_attr(comm, keyval == keys[0] ? keys[1] : keys[0]);
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static void copies_that_delete(MPI_Comm comm) {
  int values[2], freed, flag, kept = 0;
  void* found;
  MPI_Comm original, copied;
  MPI_Comm_dup(comm, &original);
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_create_keyval(copy_and_delete_other, MPI_COMM_NULL_DELETE_FN, &keys[i], NULL);
    MPI_Comm_set_attr(original, keys[i], &values[i]);
    freed = keys[i];
    MPI_Comm_free_keyval(&freed);
  }
  copies_made = 0;
  CHECK_INT(MPI_Comm_dup(original, &copied), MPI_SUCCESS);
  CHECK_INT(copies_made, 1);
  for (int i = 0; i < 2; ++i) {
    if (MPI_Comm_get_attr(copied, keys[i], &found, &flag) != MPI_SUCCESS) continue; /* its key is gone */
    CHECK(flag && found == &values[i]);
    ++kept;
  }
  CHECK_INT(kept, 1);
  MPI_Comm_free(&original);
  MPI_Comm_free(&copied);
}

/* A hundred keys on one communicator: the last one set is deleted first. */
static int next_to_go;
static int delete_in_order(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)extra;
  CHECK_INT(*(int*)value, --next_to_go);
  return MPI_SUCCESS;
}

static void order(MPI_Comm comm) {
  enum { many = 100 };
  int numbers[many], key[many];
  MPI_Comm copied;
  MPI_Comm_dup(comm, &copied);
  for (int i = 0; i < many; ++i) {
    numbers[i] = i;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete_in_order, &key[i], NULL);
    MPI_Comm_set_attr(copied, key[i], &numbers[i]);
    for (int j = 0; j < i; ++j) CHECK(key[i] != key[j]);
  }
  next_to_go = many;
  MPI_Comm_free(&copied);
  CHECK_INT(next_to_go, 0);
  for (int i = 0; i < many; ++i) MPI_Comm_free_keyval(&key[i]);
}

static void old_names(MPI_Comm comm) {
  char values[2];
  void* found;
  int key, flag;
  MPI_Comm copied;
  MPI_Keyval_create(on_copy, on_delete, &key, &extra_state);
  MPI_Attr_put(comm, key, values);
  MPI_Attr_get(comm, key, &found, &flag);
  CHECK(flag && found == values);
  MPI_Comm_dup(comm, &copied);
  expect(1, 0, comm, key, values);
  MPI_Attr_delete(comm, key);
  expect(0, 1, comm, key, values);
  MPI_Attr_get(comm, key, &found, &flag);
  CHECK(!flag);
  MPI_Comm_free(&copied);
  MPI_Keyval_free(&key);
  CHECK_INT(key, MPI_KEYVAL_INVALID);
  MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &key, NULL);
  MPI_Attr_delete(comm, key); /* there is none */
  MPI_Attr_put(comm, key, NULL);
  MPI_Attr_get(comm, key, &found, &flag);
  CHECK(flag && found == NULL);
  MPI_Attr_delete(comm, key);
  MPI_Keyval_free(&key);
  MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &key, NULL);
  MPI_Keyval_free(&key);
}

static void predefined_attributes(void) {
  int *value, flag, code;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
  CHECK(flag && *value >= 32767);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag);
  CHECK(flag && *value >= world_size());
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag);
  CHECK(flag && *value == 0);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
  CHECK(flag && *value >= MPI_ERR_LASTCODE);
  const int before = *value;
  MPI_Add_error_code(MPI_ERR_ARG, &code);
  CHECK(*value > before && *value >= code);
}

static void errors(MPI_Comm comm) {
  int key, type_key, win_key, predefined = MPI_TAG_UB, none = MPI_KEYVAL_INVALID, flag;
  void* found;
  FAILS(MPI_Comm_create_keyval(NULL, on_delete, &key, NULL), MPI_ERR_ARG);
  FAILS(MPI_Comm_create_keyval(on_copy, NULL, &key, NULL), MPI_ERR_ARG);
  FAILS(MPI_Comm_create_keyval(on_copy, on_delete, NULL, NULL), MPI_ERR_ARG);
  FAILS(MPI_Keyval_create(NULL, on_delete, &key, NULL), MPI_ERR_ARG);
  FAILS(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, NULL, &key, NULL), MPI_ERR_ARG);
  FAILS(MPI_Win_create_keyval(NULL, MPI_WIN_NULL_DELETE_FN, &key, NULL), MPI_ERR_ARG);
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &win_key, NULL);
  CHECK(type_key != win_key);
  FAILS(MPI_Comm_set_attr(comm, type_key, NULL), MPI_ERR_KEYVAL); /* other objects' keys */
  FAILS(MPI_Comm_get_attr(comm, win_key, &found, &flag), MPI_ERR_KEYVAL);
  FAILS(MPI_Comm_free_keyval(&type_key), MPI_ERR_KEYVAL);
  FAILS(MPI_Type_free_keyval(&win_key), MPI_ERR_KEYVAL);
  FAILS(MPI_Win_free_keyval(&type_key), MPI_ERR_KEYVAL);
  CHECK_INT(MPI_Type_free_keyval(&type_key), MPI_SUCCESS);
  CHECK_INT(MPI_Win_free_keyval(&win_key), MPI_SUCCESS);
  CHECK(type_key == MPI_KEYVAL_INVALID && win_key == MPI_KEYVAL_INVALID);

  FAILS(MPI_Comm_set_attr(comm, predefined, NULL), MPI_ERR_KEYVAL);
  FAILS(MPI_Comm_delete_attr(comm, predefined), MPI_ERR_KEYVAL);
  FAILS(MPI_Comm_free_keyval(&predefined), MPI_ERR_KEYVAL);
  FAILS(MPI_Attr_put(comm, predefined, NULL), MPI_ERR_KEYVAL);
  FAILS(MPI_Attr_delete(comm, predefined), MPI_ERR_KEYVAL);
  FAILS(MPI_Attr_get(comm, none, &found, &flag), MPI_ERR_KEYVAL);
  FAILS(MPI_Keyval_free(&none), MPI_ERR_KEYVAL);
  FAILS(MPI_Comm_get_attr(comm, none, &found, &flag), MPI_ERR_KEYVAL);
  FAILS(MPI_Comm_get_attr(comm, MPI_TAG_UB, NULL, &flag), MPI_ERR_ARG);
  FAILS(MPI_Comm_get_attr(MPI_COMM_NULL, MPI_TAG_UB, &found, &flag), MPI_ERR_COMM);
}

/* Finalizing deletes the attributes of MPI_COMM_SELF first, the last one set before the others, then those of
 * MPI_COMM_WORLD. */
static int delete_at_end(MPI_Comm comm, int keyval, void* value, void* extra) {
  int flag, rank;
  (void)keyval, (void)extra;
  CHECK_INT(*(int*)value, --next_to_go);
  CHECK(comm == (next_to_go < 2 ? MPI_COMM_WORLD : MPI_COMM_SELF));
  MPI_Finalized(&flag);
  CHECK(!flag);
  MPI_Barrier(MPI_COMM_WORLD); /* all of MPI is there */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (next_to_go == 0 && rank == 0) printf("ok\n");
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  static int numbers[5] = {0, 1, 2, 3, 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm comms[] = {MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL};
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[2]);
  for (int i = 0; i < 3; ++i) {
    set_and_delete(comms[i]);
    predefined_callbacks(comms[i]);
    callbacks_that_fail(comms[i]);
    callbacks_that_call(comms[i]);
    copies_that_delete(comms[i]);
    order(comms[i]);
    old_names(comms[i]);
    errors(comms[i]);
  }
  MPI_Comm_free(&comms[2]);
  predefined_attributes();
  next_to_go = 5;
  for (int i = 0; i < 5; ++i) {
    int key;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete_at_end, &key, NULL);
    MPI_Comm_set_attr(i < 2 ? MPI_COMM_WORLD : MPI_COMM_SELF, key, &numbers[i]);
    MPI_Comm_free_keyval(&key);
  }
  MPI_Finalize();
  return next_to_go;
}
