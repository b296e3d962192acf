/* ranks: 1 2
 * The interface for tools: what the machine's file says, how often and how long functions were called, what there is.
 */
#include <string.h>

#include "check.h"

static int number_of(const char* name, int of_class) {
  int number = -1;
  CHECK_INT(MPI_T_pvar_get_index(name, of_class, &number), MPI_SUCCESS);
  return number;
}

static MPI_T_pvar_handle handle_of(MPI_T_pvar_session session, const char* name, int of_class) {
  MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
  int count = 0;
  CHECK_INT(MPI_T_pvar_handle_alloc(session, number_of(name, of_class), NULL, &handle, &count), MPI_SUCCESS);
  CHECK_INT(count, 1);
  return handle;
}

static unsigned long long number_in(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  unsigned long long value = 0;
  CHECK_INT(MPI_T_pvar_read(session, handle, &value), MPI_SUCCESS);
  return value;
}

static double seconds_in(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  double value = -1;
  CHECK_INT(MPI_T_pvar_read(session, handle, &value), MPI_SUCCESS);
  return value;
}

static int phase(void) {
  MPI_T_pvar_session session;
  int value = -1;
  MPI_T_pvar_session_create(&session);
  MPI_T_pvar_handle handle = handle_of(session, "phase", MPI_T_PVAR_CLASS_STATE);
  CHECK_INT(MPI_T_pvar_read(session, handle, &value), MPI_SUCCESS);
  MPI_T_pvar_session_free(&session);
  CHECK(session == MPI_T_PVAR_SESSION_NULL);
  return value;
}

/* Texts are cut to the room that there is, and their whole lengths told. */
static void test_controls(void) {
  int count = -1, number = -1, length = 0, scope = -1, bind = -1, verbosity = -1, elements = 0, again;
  char name[80], text[400], few[4] = "zzz";
  MPI_Datatype type;
  MPI_T_enum enumeration;
  MPI_T_cvar_handle handle;
  CHECK_INT(MPI_T_cvar_get_num(&count), MPI_SUCCESS);
  CHECK(count > 5);
  for (int i = 0; i < count; ++i) {
    int name_length = sizeof name, text_length = sizeof text;
    CHECK_INT(
        MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &enumeration, text, &text_length, &bind, &scope),
        MPI_SUCCESS);
    CHECK_INT(name_length, (int)strlen(name) + 1);
    CHECK(type == MPI_CHAR && enumeration == MPI_T_ENUM_NULL && bind == MPI_T_BIND_NO_OBJECT);
    CHECK(scope == MPI_T_SCOPE_CONSTANT && verbosity == MPI_T_VERBOSITY_USER_BASIC);
    CHECK_INT(MPI_T_cvar_get_index(name, &again), MPI_SUCCESS);
    CHECK_INT(again, i);
    CHECK_INT(MPI_T_cvar_handle_alloc(i, NULL, &handle, &elements), MPI_SUCCESS);
    char* whole = malloc((size_t)elements);
    CHECK_INT(MPI_T_cvar_read(handle, whole), MPI_SUCCESS);
    CHECK_INT((int)strlen(whole) + 1, elements);
    FAILS(MPI_T_cvar_write(handle, whole), MPI_T_ERR_CVAR_SET_NEVER);
    free(whole);
    CHECK_INT(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
    CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
  }
  /* null pointers, and a length of 0 */
  CHECK_INT(MPI_T_cvar_get_info(0, NULL, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_SUCCESS);
  CHECK(length > 4);
  number = length;
  length = sizeof few;
  CHECK_INT(MPI_T_cvar_get_info(0, few, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_SUCCESS);
  CHECK(length == number && strlen(few) == 3);
  CHECK_INT(MPI_T_cvar_handle_alloc(0, NULL, &handle, NULL), MPI_SUCCESS);
  CHECK_INT(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
}

static void test_enumeration(void) {
  int items = 0, length = 0, value = -1, of_class, name_length = 0;
  char name[80];
  MPI_T_enum phases = MPI_T_ENUM_NULL;
  CHECK_INT(MPI_T_pvar_get_info(number_of("phase", MPI_T_PVAR_CLASS_STATE), NULL, NULL, NULL, &of_class, NULL, &phases,
                                NULL, NULL, NULL, NULL, NULL, NULL),
            MPI_SUCCESS);
  CHECK(phases != MPI_T_ENUM_NULL);
  CHECK_INT(MPI_T_enum_get_info(phases, &items, NULL, &name_length), MPI_SUCCESS);
  CHECK_INT(items, 4);
  length = sizeof name;
  CHECK_INT(MPI_T_enum_get_item(phases, 1, &value, name, &length), MPI_SUCCESS);
  CHECK(value == 1 && strcmp(name, "initialized") == 0);
  CHECK_INT(MPI_T_enum_get_item(phases, 0, NULL, NULL, NULL), MPI_SUCCESS);
  FAILS(MPI_T_enum_get_item(phases, 4, &value, name, &length), MPI_T_ERR_INVALID_ITEM);
  FAILS(MPI_T_enum_get_item(MPI_T_ENUM_NULL, 0, &value, name, &length), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_enum_get_info(MPI_T_ENUM_NULL, &items, name, &length), MPI_T_ERR_INVALID_HANDLE);
}

static void test_variables(void) {
  int count = 0;
  char name[80], text[200];
  CHECK_INT(MPI_T_pvar_get_num(&count), MPI_SUCCESS);
  CHECK(count > 800);
  for (int i = 0; i < count; i += 7) {
    int name_length = sizeof name, text_length = sizeof text, of_class, bind, read_only, continuous, atomic, verbosity;
    MPI_Datatype type;
    MPI_T_enum enumeration;
    CHECK_INT(MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &of_class, &type, &enumeration, text, &text_length,
                                  &bind, &read_only, &continuous, &atomic),
              MPI_SUCCESS);
    CHECK(bind == MPI_T_BIND_NO_OBJECT && read_only == continuous && atomic == !continuous);
    CHECK((type == MPI_DOUBLE) == (of_class == MPI_T_PVAR_CLASS_TIMER));
    CHECK_INT(number_of(name, of_class), i);
  }
}

/* Each session, and each handle in it, begins at nothing. */
static void test_counts(void) {
  MPI_T_pvar_session session, other;
  MPI_T_pvar_handle barriers, time, late;
  MPI_Comm copy;
  CHECK_INT(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
  CHECK_INT(MPI_T_pvar_session_create(&other), MPI_SUCCESS);
  barriers = handle_of(session, "calls of MPI_Barrier", MPI_T_PVAR_CLASS_COUNTER);
  time = handle_of(session, "time in MPI_Barrier", MPI_T_PVAR_CLASS_TIMER);
  CHECK_INT(number_in(session, barriers), 0);
  MPI_Barrier(MPI_COMM_WORLD); /* nobody counts yet */
  const double begin = MPI_Wtime();
  CHECK_INT(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
  CHECK_INT(number_in(session, barriers), 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  late = handle_of(other, "calls of MPI_Barrier", MPI_T_PVAR_CLASS_COUNTER);
  CHECK_INT(MPI_T_pvar_start(other, late), MPI_SUCCESS);
  CHECK_INT(MPI_T_pvar_start(other, late), MPI_SUCCESS); /* it runs already */
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  CHECK_INT(number_in(session, barriers), 3);
  CHECK_INT(number_in(other, late), 1);
  CHECK(world_size() == 1 || seconds_in(session, time) > 0);
  CHECK(seconds_in(session, time) <= MPI_Wtime() - begin);
  /* stopped, it stays as it is */
  CHECK_INT(MPI_T_pvar_stop(session, barriers), MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_INT(number_in(session, barriers), 3);
  CHECK_INT(MPI_T_pvar_start(session, barriers), MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_INT(number_in(session, barriers), 4);
  unsigned long long value = 100;
  CHECK_INT(MPI_T_pvar_write(session, barriers, &value), MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_INT(MPI_T_pvar_readreset(session, barriers, &value), MPI_SUCCESS);
  CHECK_INT(value, 101);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_INT(number_in(session, barriers), 1);
  CHECK_INT(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
  CHECK_INT(number_in(session, barriers), 0);
  CHECK(seconds_in(session, time) == 0);
  CHECK_INT(number_in(other, late), 5);
  CHECK_INT(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
  const double half = 0.5;
  CHECK_INT(MPI_T_pvar_write(session, time, &half), MPI_SUCCESS);
  CHECK(seconds_in(session, time) == half);
  /* what there is */
  MPI_T_pvar_handle communicators = handle_of(session, "communicators", MPI_T_PVAR_CLASS_LEVEL);
  const unsigned long long with_copy = number_in(session, communicators);
  MPI_Comm_free(&copy);
  CHECK_INT(number_in(session, communicators), with_copy - 1);
  FAILS(MPI_T_pvar_start(session, communicators), MPI_T_ERR_PVAR_NO_STARTSTOP);
  FAILS(MPI_T_pvar_stop(session, communicators), MPI_T_ERR_PVAR_NO_STARTSTOP);
  FAILS(MPI_T_pvar_write(session, communicators, &value), MPI_T_ERR_PVAR_NO_WRITE);
  FAILS(MPI_T_pvar_reset(session, communicators), MPI_T_ERR_PVAR_NO_WRITE);
  FAILS(MPI_T_pvar_readreset(session, communicators, &value), MPI_T_ERR_PVAR_NO_ATOMIC);
  /* handles are a session's own */
  FAILS(MPI_T_pvar_read(other, barriers, &value), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_pvar_read(session, MPI_T_PVAR_ALL_HANDLES, &value), MPI_T_ERR_INVALID_HANDLE);
  CHECK_INT(MPI_T_pvar_handle_free(session, &barriers), MPI_SUCCESS);
  CHECK(barriers == MPI_T_PVAR_HANDLE_NULL);
  FAILS(MPI_T_pvar_handle_free(session, &barriers), MPI_T_ERR_INVALID_HANDLE);
  CHECK_INT(MPI_T_pvar_session_free(&session), MPI_SUCCESS);
  FAILS(MPI_T_pvar_read(session, time, &value), MPI_T_ERR_INVALID_SESSION);
  CHECK_INT(MPI_T_pvar_session_free(&other), MPI_SUCCESS);
  FAILS(MPI_T_pvar_session_free(&other), MPI_T_ERR_INVALID_SESSION);
}

static void test_categories(void) {
  int count = 0, number = -1, controls, variables, parts, stamp = -1, all, again = -1;
  int numbers[40] = {-1};
  char name[80], text[100];
  CHECK_INT(MPI_T_category_get_num(&count), MPI_SUCCESS);
  CHECK(count > 10);
  int in_categories = 0;
  for (int i = 0; i < count; ++i) {
    int name_length = sizeof name, text_length = sizeof text;
    CHECK_INT(MPI_T_category_get_info(i, name, &name_length, text, &text_length, &controls, &variables, &parts),
              MPI_SUCCESS);
    in_categories += variables;
    CHECK_INT(MPI_T_category_get_index(name, &again), MPI_SUCCESS);
    CHECK_INT(again, i);
  }
  MPI_T_pvar_get_num(&all);
  CHECK_INT(in_categories, all);
  CHECK_INT(MPI_T_category_get_index("machine", &number), MPI_SUCCESS);
  CHECK_INT(MPI_T_category_get_info(number, NULL, NULL, NULL, NULL, &controls, NULL, NULL), MPI_SUCCESS);
  MPI_T_cvar_get_num(&all);
  CHECK_INT(controls, all);
  CHECK_INT(MPI_T_category_get_cvars(number, 2, numbers), MPI_SUCCESS);
  CHECK(numbers[0] == 0 && numbers[1] == 1);
  CHECK_INT(MPI_T_category_get_cvars(number, 0, NULL), MPI_SUCCESS);
  CHECK_INT(MPI_T_category_get_index("calls", &number), MPI_SUCCESS);
  CHECK_INT(MPI_T_category_get_info(number, NULL, NULL, NULL, NULL, NULL, NULL, &parts), MPI_SUCCESS);
  CHECK(parts > 5 && parts < 40);
  CHECK_INT(MPI_T_category_get_categories(number, 40, numbers), MPI_SUCCESS);
  MPI_T_category_get_index("files", &number);
  int found = 0;
  for (int i = 0; i < parts; ++i) found += numbers[i] == number;
  CHECK_INT(found, 1);
  CHECK_INT(MPI_T_category_get_pvars(number, 1, numbers), MPI_SUCCESS);
  int length = sizeof name;
  MPI_T_pvar_get_info(numbers[0], name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  CHECK(strncmp(name, "calls of MPI_File_", 18) == 0);
  CHECK_INT(MPI_T_category_changed(&stamp), MPI_SUCCESS);
  MPI_T_category_changed(&again);
  CHECK_INT(stamp, again);
  FAILS(MPI_T_category_get_index("nothing", &number), MPI_T_ERR_INVALID_NAME);
  FAILS(MPI_T_category_get_info(count, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID_INDEX);
  FAILS(MPI_T_category_get_cvars(-1, 1, numbers), MPI_T_ERR_INVALID_INDEX);
  FAILS(MPI_T_category_get_pvars(count, 1, numbers), MPI_T_ERR_INVALID_INDEX);
  FAILS(MPI_T_category_get_categories(count, 1, numbers), MPI_T_ERR_INVALID_INDEX);
}

static void test_errors(void) {
  int number, count, length = 0;
  MPI_T_cvar_handle none = MPI_T_CVAR_HANDLE_NULL, control;
  MPI_T_pvar_handle variable;
  MPI_T_pvar_session session;
  MPI_T_cvar_get_num(&count);
  FAILS(MPI_T_cvar_get_info(count, NULL, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID_INDEX);
  FAILS(MPI_T_cvar_get_index("no.such_key", &number), MPI_T_ERR_INVALID_NAME);
  FAILS(MPI_T_cvar_get_index(NULL, &number), MPI_T_ERR_INVALID);
  FAILS(MPI_T_cvar_handle_alloc(-1, NULL, &control, &number), MPI_T_ERR_INVALID_INDEX);
  FAILS(MPI_T_cvar_handle_free(&none), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_cvar_read(none, &number), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_cvar_write(none, &number), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_pvar_get_index("calls of MPI_Send", MPI_T_PVAR_CLASS_TIMER, &number), MPI_T_ERR_INVALID_NAME);
  FAILS(MPI_T_pvar_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        MPI_T_ERR_INVALID_INDEX);
  FAILS(MPI_T_pvar_session_create(NULL), MPI_T_ERR_INVALID);
  MPI_T_pvar_session_create(&session);
  FAILS(MPI_T_pvar_handle_alloc(session, 1 << 20, NULL, &variable, &number), MPI_T_ERR_INVALID_INDEX);
  FAILS(MPI_T_pvar_handle_alloc(MPI_T_PVAR_SESSION_NULL, 0, NULL, &variable, &number), MPI_T_ERR_INVALID_SESSION);
  MPI_T_pvar_session_free(&session);
}

/* All that can be asked before anything may be. */
static void test_not_initialized(void) {
  int number = -1;
  MPI_T_pvar_session session;
  FAILS(MPI_T_cvar_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
  FAILS(MPI_T_pvar_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
  FAILS(MPI_T_category_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
  FAILS(MPI_T_category_changed(&number), MPI_T_ERR_NOT_INITIALIZED);
  FAILS(MPI_T_pvar_session_create(&session), MPI_T_ERR_NOT_INITIALIZED);
  FAILS(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
}

int main(int argc, char** argv) {
  int provided = -1;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  CHECK(provided == MPI_THREAD_SINGLE);
  CHECK_INT(phase(), 0);
  MPI_Init(&argc, &argv);
  CHECK_INT(MPI_T_init_thread(MPI_THREAD_MULTIPLE, NULL), MPI_SUCCESS);
  CHECK_INT(MPI_T_finalize(), MPI_SUCCESS);
  CHECK_INT(phase(), 1);
  test_controls();
  test_enumeration();
  test_variables();
  test_counts();
  test_categories();
  test_errors();
  CHECK_INT(MPI_T_finalize(), MPI_SUCCESS);
  test_not_initialized();
  return finish();
}
