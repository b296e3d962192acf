/* ranks: 2 3
 * What is wrong with a window or with what is done to it, each with the standard's class of error. */
#include "check.h"

static int rank, size, right;
static int* memory;
static MPI_Win win, gone;
static MPI_Request request;
static int here;

static void return_errors(MPI_Win of) { MPI_Win_set_errhandler(of, MPI_ERRORS_RETURN); }

/* A window that is not there: its errors are MPI_COMM_WORLD's. */
static void test_freed(void) {
  MPI_Group group;
  MPI_Errhandler errhandler;
  MPI_Info info;
  MPI_Aint bytes;
  char name[MPI_MAX_OBJECT_NAME];
  void* place;
  int flag, unit;
  MPI_Win copy = gone;
  FAILS(MPI_Win_free(&copy), MPI_ERR_WIN);
  FAILS(MPI_Win_fence(0, gone), MPI_ERR_WIN);
  FAILS(MPI_Put(&here, 1, MPI_INT, 0, 0, 1, MPI_INT, gone), MPI_ERR_WIN);
  FAILS(MPI_Win_get_group(gone, &group), MPI_ERR_WIN);
  FAILS(MPI_Win_get_group(MPI_WIN_NULL, &group), MPI_ERR_WIN);
  FAILS(MPI_Win_set_name(gone, "x"), MPI_ERR_WIN);
  FAILS(MPI_Win_get_name(gone, name, &unit), MPI_ERR_WIN);
  FAILS(MPI_Win_get_info(gone, &info), MPI_ERR_WIN);
  FAILS(MPI_Win_set_info(gone, MPI_INFO_ENV), MPI_ERR_WIN);
  FAILS(MPI_Win_set_info(win, MPI_INFO_NULL), MPI_ERR_INFO);
  FAILS(MPI_Win_get_attr(gone, MPI_WIN_BASE, &place, &flag), MPI_ERR_WIN);
  FAILS(MPI_Win_get_attr(win, MPI_TAG_UB, &place, &flag), MPI_ERR_KEYVAL);
  FAILS(MPI_Win_get_attr(win, MPI_KEYVAL_INVALID, &place, &flag), MPI_ERR_KEYVAL);
  FAILS(MPI_Win_set_attr(win, MPI_WIN_SIZE, &place), MPI_ERR_KEYVAL);
  FAILS(MPI_Win_delete_attr(win, MPI_WIN_SIZE), MPI_ERR_KEYVAL);
  FAILS(MPI_Win_set_errhandler(gone, MPI_ERRORS_RETURN), MPI_ERR_WIN);
  FAILS(MPI_Win_set_errhandler(win, MPI_ERRHANDLER_NULL), MPI_ERR_ARG);
  FAILS(MPI_Win_get_errhandler(gone, &errhandler), MPI_ERR_WIN);
  FAILS(MPI_Win_call_errhandler(gone, MPI_ERR_OTHER), MPI_ERR_WIN);
  FAILS(MPI_Win_shared_query(gone, 0, &bytes, &unit, &place), MPI_ERR_WIN);
  FAILS(MPI_Win_lock_all(0, gone), MPI_ERR_WIN);
  FAILS(MPI_Win_sync(gone), MPI_ERR_WIN);
}

static void test_making(void) {
  MPI_Win made;
  void* place;
  FAILS(MPI_Win_create(memory, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_SIZE);
  FAILS(MPI_Win_create(memory, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_DISP);
  FAILS(MPI_Win_create(NULL, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_BASE);
  FAILS(MPI_Win_create(memory, 4, 1, MPI_INFO_NULL, MPI_COMM_NULL, &made), MPI_ERR_COMM);
  FAILS(MPI_Win_create(memory, 4, 1, 77, MPI_COMM_WORLD, &made), MPI_ERR_INFO);
  FAILS(MPI_Win_allocate(-1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &place, &made), MPI_ERR_SIZE);
  FAILS(MPI_Win_allocate(4, -1, MPI_INFO_NULL, MPI_COMM_WORLD, &place, &made), MPI_ERR_DISP);
  FAILS(MPI_Win_allocate_shared(-1, 1, MPI_INFO_NULL, MPI_COMM_SELF, &place, &made), MPI_ERR_SIZE);
  FAILS(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_NULL, &made), MPI_ERR_COMM);
}

static void test_nodes(void) {
  MPI_Comm node;
  MPI_Win made;
  void* place;
  int together;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &together);
  MPI_Comm_free(&node);
  int least;
  MPI_Allreduce(&together, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (least == size) return;
  FAILS(MPI_Win_allocate_shared(4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &place, &made), MPI_ERR_RMA_SHARED);
}

static void test_flavours(void) {
  MPI_Win dynamic;
  MPI_Aint bytes, address;
  int unit, cells[4] = {0};
  void* place;
  FAILS(MPI_Win_shared_query(win, 0, &bytes, &unit, &place), MPI_ERR_RMA_FLAVOR);
  FAILS(MPI_Win_attach(win, cells, sizeof cells), MPI_ERR_RMA_FLAVOR);
  FAILS(MPI_Win_detach(win, cells), MPI_ERR_RMA_FLAVOR);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
  return_errors(dynamic);
  MPI_Win_attach(dynamic, cells, 2 * sizeof(int));
  FAILS(MPI_Win_attach(dynamic, cells + 1, 2 * sizeof(int)), MPI_ERR_RMA_ATTACH);
  FAILS(MPI_Win_attach(dynamic, NULL, 4), MPI_ERR_BASE);
  FAILS(MPI_Win_attach(dynamic, cells + 2, -1), MPI_ERR_SIZE);
  FAILS(MPI_Win_detach(dynamic, cells + 1), MPI_ERR_BASE);
  MPI_Win_fence(0, dynamic);
  MPI_Get_address(cells + 1, &address);
  FAILS(MPI_Put(&here, 2, MPI_INT, rank, address, 2, MPI_INT, dynamic), MPI_ERR_RMA_RANGE);
  MPI_Win_detach(dynamic, cells);
  FAILS(MPI_Put(&here, 1, MPI_INT, rank, address, 1, MPI_INT, dynamic), MPI_ERR_RMA_RANGE);
  MPI_Win_free(&dynamic);
}

/* In an epoch, what each operation is given. */
static void test_arguments(void) {
  MPI_Win_fence(0, win);
  FAILS(MPI_Put(&here, 1, MPI_INT, size, 0, 1, MPI_INT, win), MPI_ERR_RANK);
  FAILS(MPI_Put(&here, 1, MPI_INT, -7, 0, 1, MPI_INT, win), MPI_ERR_RANK);
  FAILS(MPI_Put(&here, -1, MPI_INT, right, 0, 1, MPI_INT, win), MPI_ERR_COUNT);
  FAILS(MPI_Put(&here, 1, MPI_INT, right, 0, -1, MPI_INT, win), MPI_ERR_COUNT);
  FAILS(MPI_Put(&here, 1, MPI_DATATYPE_NULL, right, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
  FAILS(MPI_Put(&here, 1, MPI_INT, right, 0, 1, MPI_DATATYPE_NULL, win), MPI_ERR_TYPE);
  FAILS(MPI_Put(NULL, 1, MPI_INT, right, 0, 1, MPI_INT, win), MPI_ERR_BUFFER);
  FAILS(MPI_Put(&here, 1, MPI_INT, right, -1, 1, MPI_INT, win), MPI_ERR_DISP);
  FAILS(MPI_Put(&here, 1, MPI_INT, right, 4, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
  FAILS(MPI_Put(&here, 1, MPI_INT, right, 3, 2, MPI_SHORT, win), MPI_SUCCESS);
  FAILS(MPI_Put(&here, 2, MPI_INT, right, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
  FAILS(MPI_Get(&here, 1, MPI_INT, right, 4, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
  FAILS(MPI_Get(NULL, 1, MPI_INT, right, 0, 1, MPI_INT, win), MPI_ERR_BUFFER);
  FAILS(MPI_Accumulate(&here, 1, MPI_INT, right, 4, 1, MPI_INT, MPI_SUM, win), MPI_ERR_RMA_RANGE);
  FAILS(MPI_Accumulate(&here, 1, MPI_FLOAT, right, 0, 1, MPI_FLOAT, MPI_BAND, win), MPI_ERR_OP);
  FAILS(MPI_Accumulate(&here, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_OP_NULL, win), MPI_ERR_OP);
  int result;
  FAILS(MPI_Get_accumulate(&here, 1, MPI_INT, &result, 1, MPI_INT, right, 4, 1, MPI_INT, MPI_SUM, win),
        MPI_ERR_RMA_RANGE);
  FAILS(MPI_Get_accumulate(NULL, 1, MPI_INT, &result, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_BUFFER);
  FAILS(MPI_Get_accumulate(&here, -1, MPI_INT, &result, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_COUNT);
  FAILS(MPI_Get_accumulate(&here, 1, MPI_DATATYPE_NULL, &result, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_SUM, win),
        MPI_ERR_TYPE);
  FAILS(MPI_Fetch_and_op(&here, &result, MPI_INT, right, 4, MPI_SUM, win), MPI_ERR_RMA_RANGE);
  FAILS(MPI_Fetch_and_op(NULL, &result, MPI_INT, right, 0, MPI_SUM, win), MPI_ERR_BUFFER);
  FAILS(MPI_Compare_and_swap(&here, &here, &result, MPI_INT, right, 4, win), MPI_ERR_RMA_RANGE);
  FAILS(MPI_Compare_and_swap(&here, &here, &result, MPI_FLOAT, right, 0, win), MPI_ERR_TYPE);
  FAILS(MPI_Rput(&here, 1, MPI_INT, right, 0, 1, MPI_INT, win, &request), MPI_ERR_RMA_SYNC);
  CHECK(request == MPI_REQUEST_NULL);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

/* In an epoch of locks. */
static void test_arguments_with_requests(void) {
  int result;
  MPI_Win_lock_all(0, win);
  FAILS(MPI_Rput(&here, 1, MPI_INT, right, 4, 1, MPI_INT, win, &request), MPI_ERR_RMA_RANGE);
  CHECK(request == MPI_REQUEST_NULL);
  FAILS(MPI_Rget(&here, 1, MPI_INT, right, 4, 1, MPI_INT, win, &request), MPI_ERR_RMA_RANGE);
  FAILS(MPI_Raccumulate(&here, 1, MPI_INT, right, 4, 1, MPI_INT, MPI_SUM, win, &request), MPI_ERR_RMA_RANGE);
  FAILS(MPI_Raccumulate(&here, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_NO_OP, win, &request), MPI_ERR_OP);
  CHECK(request == MPI_REQUEST_NULL);
  FAILS(MPI_Rget_accumulate(&here, 1, MPI_INT, &result, 1, MPI_INT, right, 4, 1, MPI_INT, MPI_SUM, win, &request),
        MPI_ERR_RMA_RANGE);
  /* Its request can only be completed. */
  MPI_Rput(&here, 1, MPI_INT, right, 0, 1, MPI_INT, win, &request);
  FAILS(MPI_Request_free(&request), MPI_ERR_REQUEST);
  FAILS(MPI_Cancel(&request), MPI_ERR_REQUEST);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(win);
}

static void own_sum(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)in, (void)inout, (void)length, (void)type;
}

static void test_operations(void) {
  MPI_Op own;
  MPI_Datatype mixed, ints;
  const int ones[] = {1, 1};
  const MPI_Aint places[] = {0, 4};
  const MPI_Datatype types[] = {MPI_INT, MPI_FLOAT};
  int two[2] = {0}, result;
  MPI_Op_create(own_sum, 1, &own);
  MPI_Type_create_struct(2, ones, places, types, &mixed);
  MPI_Type_commit(&mixed);
  MPI_Type_contiguous(2, MPI_INT, &ints);
  MPI_Win_fence(0, win);
  FAILS(MPI_Accumulate(&here, 1, MPI_INT, right, 0, 1, MPI_INT, own, win), MPI_ERR_OP);
  FAILS(MPI_Accumulate(two, 1, mixed, right, 0, 1, mixed, MPI_SUM, win), MPI_ERR_TYPE);
  FAILS(MPI_Put(two, 1, ints, right, 0, 1, ints, win), MPI_ERR_TYPE); /* not committed */
  MPI_Type_commit(&ints);
  FAILS(MPI_Fetch_and_op(two, &result, ints, right, 0, MPI_SUM, win), MPI_ERR_TYPE);
  FAILS(MPI_Accumulate(&here, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_NO_OP, win), MPI_ERR_OP);
  FAILS(MPI_Reduce_local(&here, &result, 1, MPI_INT, MPI_REPLACE), MPI_ERR_OP);
  FAILS(MPI_Reduce_local(&here, &result, 1, MPI_INT, MPI_NO_OP), MPI_ERR_OP);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Op_free(&own);
  MPI_Type_free(&mixed);
  MPI_Type_free(&ints);
}

/* However a datatype is derived, and whatever its predefined ones are worth in bytes. */
static void test_predefined_at_both_ends(void) {
  MPI_Datatype copy, apart, together, real[2];
  int two[2] = {1, 1}, pair[2];
  float single = 1;
  MPI_Type_dup(MPI_INT, &copy);
  MPI_Type_vector(2, 1, 2, copy, &apart);
  MPI_Type_contiguous(2, MPI_INT, &together);
  MPI_Type_create_f90_real(6, MPI_UNDEFINED, &real[0]);
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &real[1]);
  MPI_Type_commit(&apart);
  MPI_Type_commit(&together);
  MPI_Win_fence(0, win);
  FAILS(MPI_Accumulate(two, 1, MPI_INT, right, 0, 1, MPI_FLOAT, MPI_SUM, win), MPI_ERR_TYPE);
  FAILS(MPI_Accumulate(&single, 1, MPI_FLOAT, right, 0, 1, MPI_INT, MPI_REPLACE, win), MPI_ERR_TYPE);
  FAILS(MPI_Accumulate(two, 1, together, right, 0, 1, MPI_2INT, MPI_MINLOC, win), MPI_ERR_TYPE);
  FAILS(MPI_Accumulate(two, 1, MPI_DOUBLE, right, 0, 1, together, MPI_SUM, win), MPI_ERR_TYPE);
  FAILS(MPI_Accumulate(two, 1, real[1], right, 0, 2, real[0], MPI_SUM, win), MPI_ERR_TYPE);
  FAILS(MPI_Get_accumulate(two, 1, MPI_INT, &single, 1, MPI_FLOAT, right, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_TYPE);
  FAILS(MPI_Get_accumulate(NULL, 0, MPI_INT, &single, 1, MPI_FLOAT, right, 0, 1, MPI_INT, MPI_NO_OP, win),
        MPI_ERR_TYPE);
  FAILS(MPI_Get_accumulate(two, 2, copy, pair, 1, together, right, 0, 2, MPI_INT, MPI_SUM, win), MPI_SUCCESS);
  FAILS(MPI_Accumulate(two, 1, together, right, 0, 1, apart, MPI_SUM, win), MPI_SUCCESS);
  FAILS(MPI_Accumulate(two, 0, MPI_INT, right, 0, 0, MPI_FLOAT, MPI_SUM, win), MPI_SUCCESS);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Type_free(&copy);
  MPI_Type_free(&apart);
  MPI_Type_free(&together);
}

static void fail_outside_of_epochs(void) {
  int result;
  FAILS(MPI_Put(&here, 1, MPI_INT, right, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Get(&here, 1, MPI_INT, right, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Accumulate(&here, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Fetch_and_op(&here, &result, MPI_INT, right, 0, MPI_SUM, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Compare_and_swap(&here, &here, &result, MPI_INT, right, 0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Rput(&here, 1, MPI_INT, right, 0, 1, MPI_INT, win, &request), MPI_ERR_RMA_SYNC);
}

static void test_epochs(void) {
  MPI_Group all;
  int flag;
  fail_outside_of_epochs();
  FAILS(MPI_Win_complete(win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_wait(win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_test(win, &flag), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_unlock(right, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_flush(right, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_flush_local(right, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_flush_all(win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_flush_local_all(win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_lock(99, right, 0, win), MPI_ERR_LOCKTYPE);
  FAILS(MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win), MPI_ERR_RANK);
  FAILS(MPI_Win_lock(MPI_LOCK_SHARED, right, 1, win), MPI_ERR_ASSERT);
  FAILS(MPI_Win_lock_all(1, win), MPI_ERR_ASSERT);
  FAILS(MPI_Win_fence(1, win), MPI_ERR_ASSERT);

  MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
  FAILS(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Put(&here, 1, MPI_INT, rank, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_flush(rank, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_unlock(rank, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Put(&here, 1, MPI_INT, right, 0, 1, MPI_INT, win), MPI_SUCCESS);
  FAILS(MPI_Win_unlock(right, win), MPI_SUCCESS);
  fail_outside_of_epochs();

  MPI_Win_lock_all(0, win);
  FAILS(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_unlock(right, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
  MPI_Win_unlock_all(win);

  MPI_Comm_group(MPI_COMM_WORLD, &all);
  FAILS(MPI_Win_start(MPI_GROUP_NULL, 0, win), MPI_ERR_GROUP);
  FAILS(MPI_Win_post(MPI_GROUP_NULL, 0, win), MPI_ERR_GROUP);
  MPI_Win_post(all, 0, win);
  FAILS(MPI_Win_post(all, 0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
  MPI_Win_start(all, 0, win);
  FAILS(MPI_Win_start(all, 0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win), MPI_ERR_RMA_SYNC);
  MPI_Win_complete(win);
  FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
  MPI_Win_wait(win);
  fail_outside_of_epochs();
  MPI_Group_free(&all);

  MPI_Win_fence(0, win);
  MPI_Put(&here, 1, MPI_INT, right, 0, 1, MPI_INT, win);
  FAILS(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
  MPI_Win_fence(0, win);
}

/* Groups of ranks that are not all there. */
static void test_groups(void) {
  MPI_Win of_one;
  MPI_Group all, mine;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Comm_group(MPI_COMM_SELF, &mine);
  MPI_Win_create(&here, sizeof here, sizeof here, MPI_INFO_NULL, MPI_COMM_SELF, &of_one);
  return_errors(of_one);
  FAILS(MPI_Win_post(all, 0, of_one), MPI_ERR_GROUP);
  FAILS(MPI_Win_start(all, 0, of_one), MPI_ERR_GROUP);
  MPI_Win_free(&of_one);
  MPI_Win_post(mine, 0, win);
  MPI_Win_start(mine, 0, win);
  FAILS(MPI_Put(&here, 1, MPI_INT, right, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  MPI_Group_free(&all);
  MPI_Group_free(&mine);
}

static void test_no_locks(void) {
  MPI_Info info;
  MPI_Win open;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Win_create(&here, sizeof here, 1, info, MPI_COMM_WORLD, &open);
  MPI_Info_free(&info);
  return_errors(open);
  FAILS(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, open), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_lock_all(0, open), MPI_ERR_RMA_SYNC);
  MPI_Win_free(&open);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  right = (rank + 1) % size;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_create(&here, sizeof here, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &gone);
  MPI_Win copy = gone;
  MPI_Win_free(&copy);
  return_errors(win);
  test_freed();
  test_making();
  test_nodes();
  test_flavours();
  test_arguments();
  test_arguments_with_requests();
  test_operations();
  test_predefined_at_both_ends();
  test_epochs();
  test_groups();
  test_no_locks();
  MPI_Win_free(&win);
  return finish();
}
