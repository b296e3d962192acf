/* ranks: 1
 * Attributes of datatypes: set, got, deleted, copied by MPI_Type_dup, deleted by MPI_Type_free; of predefined ones too.
 */
#include "check.h"

static int values[4], copied, deleted, fails;
static MPI_Datatype expected_type;

static int copy(MPI_Datatype type, int key, void* state, void* value, void* place, int* flag) {
  CHECK(type == expected_type);
  CHECK(key != MPI_KEYVAL_INVALID);
  CHECK(state == &values[3]);
  ++copied;
  *(void**)place = (int*)value + 1;
  *flag = 1;
  return fails;
}

static int removed(MPI_Datatype type, int key, void* value, void* state) {
  CHECK(type == expected_type);
  CHECK(key != MPI_KEYVAL_INVALID);
  CHECK(state == &values[3]);
  CHECK(value == &values[0] || value == &values[1] || value == &values[2]);
  ++deleted;
  return fails;
}

static void check_value(MPI_Datatype type, int key, int* expected) {
  int* found = NULL;
  int flag = 77;
  MPI_Type_get_attr(type, key, &found, &flag);
  CHECK_INT(flag, expected != NULL);
  if (flag) CHECK(found == expected);
}

static void own_callbacks(void) {
  int key;
  MPI_Datatype type, twin;
  MPI_Type_create_keyval(copy, removed, &key, &values[3]);
  MPI_Type_contiguous(3, MPI_INT, &type);
  expected_type = type;
  check_value(type, key, NULL);
  MPI_Type_delete_attr(type, key); /* there is none */
  CHECK_INT(deleted, 0);
  MPI_Type_set_attr(type, key, &values[0]);
  check_value(type, key, &values[0]);
  check_value(MPI_INT, key, NULL);
  MPI_Type_dup(type, &twin);
  CHECK_INT(copied, 1);
  check_value(twin, key, &values[1]);
  MPI_Type_set_attr(type, key, &values[2]); /* deletes the older one */
  CHECK_INT(deleted, 1);
  check_value(twin, key, &values[1]);

  fails = MPI_ERR_OTHER; /* nothing is done if a callback fails */
  MPI_Datatype none = MPI_DATATYPE_NULL;
  FAILS(MPI_Type_dup(type, &none), MPI_ERR_OTHER);
  CHECK(none == MPI_DATATYPE_NULL);
  none = type;
  FAILS(MPI_Type_free(&none), MPI_ERR_OTHER);
  CHECK(none == type);
  check_value(type, key, &values[2]);
  FAILS(MPI_Type_delete_attr(type, key), MPI_ERR_OTHER);
  fails = MPI_SUCCESS;

  deleted = 0;
  MPI_Type_delete_attr(type, key);
  CHECK_INT(deleted, 1);
  check_value(type, key, NULL);
  MPI_Type_free(&type);
  CHECK_INT(deleted, 1);
  const int freed_key = key;
  MPI_Type_free_keyval(&key);
  CHECK_INT(key, MPI_KEYVAL_INVALID);
  check_value(twin, freed_key, &values[1]); /* the key lives on while it is in use */
  FAILS(MPI_Type_set_attr(twin, freed_key, &values[0]), MPI_ERR_KEYVAL);
  expected_type = twin;
  MPI_Type_free(&twin);
  CHECK_INT(deleted, 2);
}

static void predefined_callbacks(void) {
  int key, other;
  MPI_Datatype twin;
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &other, NULL);
  MPI_Type_set_attr(MPI_DOUBLE, key, &values[1]); /* predefined datatypes have attributes too */
  MPI_Type_set_attr(MPI_DOUBLE, other, &values[2]);
  MPI_Type_dup(MPI_DOUBLE, &twin);
  check_value(twin, key, &values[1]);
  check_value(twin, other, NULL);
  MPI_Type_delete_attr(MPI_DOUBLE, key);
  check_value(MPI_DOUBLE, key, NULL);
  check_value(twin, key, &values[1]);
  MPI_Type_free(&twin);
  MPI_Type_free_keyval(&key);
  MPI_Type_free_keyval(&other);
}

static void refused(void) {
  int key, of_comm, flag;
  void* value;
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &of_comm, NULL);
  FAILS(MPI_Type_set_attr(MPI_DATATYPE_NULL, key, NULL), MPI_ERR_TYPE);
  FAILS(MPI_Type_set_attr(MPI_INT, of_comm, NULL), MPI_ERR_KEYVAL);
  FAILS(MPI_Type_set_attr(MPI_INT, MPI_KEYVAL_INVALID, NULL), MPI_ERR_KEYVAL);
  FAILS(MPI_Type_get_attr(MPI_DATATYPE_NULL, key, &value, &flag), MPI_ERR_TYPE);
  FAILS(MPI_Type_get_attr(MPI_INT, MPI_TAG_UB, &value, &flag), MPI_ERR_KEYVAL);
  FAILS(MPI_Type_get_attr(MPI_INT, key, NULL, &flag), MPI_ERR_ARG);
  FAILS(MPI_Type_delete_attr(MPI_INT, of_comm), MPI_ERR_KEYVAL);
  FAILS(MPI_Type_delete_attr(MPI_DATATYPE_NULL, key), MPI_ERR_TYPE);
  MPI_Type_free_keyval(&key);
  MPI_Comm_free_keyval(&of_comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  own_callbacks();
  predefined_callbacks();
  refused();
  return finish();
}
