/* What Nexus's calls do: data of all types, handlers of both sorts, kept buffers, global pointers that travel,
 * attaching, requests to oneself, methods, many at a time. On 3 contexts or more. */
#include <nexus.h>
#include <stdio.h>
#include <string.h>

enum { TYPES, COUNT, PASS_ON, THREADED, KEEP, LARGE };

static int wrong = 0;
static void check(int is_right, int line) {
  if (!is_right) {
    wrong = 1;
    printf("context %d: line %d is wrong\n", nexus_context(), line);
  }
}
#define CHECK(what) check(what, __LINE__)

static nexus_mutex_t mutex;
static nexus_cond_t condition;
typedef struct {
  int count, sum;
} counter_t;
static counter_t counted, own, finished; /* `own` is what the global pointers lead to */
static nexus_buffer_t kept;

static void done(counter_t* counter, int value) {
  nexus_mutex_lock(&mutex);
  ++counter->count;
  counter->sum += value;
  nexus_cond_broadcast(&condition);
  nexus_mutex_unlock(&mutex);
}

static void await(counter_t* counter, int count) {
  nexus_mutex_lock(&mutex);
  while (counter->count < count) nexus_cond_wait(&condition, &mutex);
  nexus_mutex_unlock(&mutex);
}

#define EACH_TYPE(what)                                                                                         \
  what(byte, unsigned char, 200) what(char, char, -3) what(u_char, unsigned char, 255) what(short, short, -300) \
      what(u_short, unsigned short, 65000) what(int, int, -70000) what(u_int, unsigned int, 4000000000u)        \
          what(long, long, -5000000000l) what(u_long, unsigned long, 1ul << 63) what(float, float, 1.5f)        \
              what(double, double, -2.25)
#define PUT(name, type, value)                         \
  {                                                    \
    const type data[2] = {value, (type)((value) + 1)}; \
    nexus_put_##name(&buffer, data, 2);                \
    bytes += nexus_sizeof_##name(2);                   \
  }
#define GET(name, type, value)                                         \
  {                                                                    \
    type data[2] = {0, 0};                                             \
    nexus_get_##name(&buffer, data, 2);                                \
    CHECK(data[0] == (type)(value) && data[1] == (type)((value) + 1)); \
  }

static void types(void* address, nexus_buffer_t buffer) {
  EACH_TYPE(GET)
  CHECK(nexus_buffer_bytes(buffer) == 0);
  done(address, 1);
}
static void count_one(void* address, nexus_buffer_t buffer) {
  int value;
  nexus_get_int(&buffer, &value, 1);
  done(address != NULL ? address : &counted, value);
}
/* The request carries a global pointer, at which it is answered. */
static void pass_on(void* address, nexus_buffer_t buffer) {
  (void)address;
  nexus_global_pointer_t back;
  int value;
  nexus_get_global_pointer(&buffer, &back, 1);
  nexus_get_int(&buffer, &value, 1);
  nexus_buffer_t answer;
  nexus_init_remote_service_request(&answer, &back, COUNT);
  ++value;
  nexus_put_int(&answer, &value, 1);
  nexus_send_remote_service_request(&answer);
}
static nexus_thread_t main_thread;
static void threaded(void* address, nexus_buffer_t buffer) {
  CHECK(!pthread_equal(nexus_thread_self(), main_thread));
  count_one(address, buffer);
}
static void keep(void* address, nexus_buffer_t buffer) {
  (void)address;
  kept = nexus_keep_buffer(buffer);
  CHECK(nexus_buffer_bytes(kept) == sizeof(int));
  done(&counted, 0);
}
static char large[100000];
static void take_large(void* address, nexus_buffer_t buffer) {
  (void)address;
  static char got[sizeof large];
  CHECK(nexus_buffer_bytes(buffer) == sizeof got);
  nexus_get_char(&buffer, got, sizeof got);
  CHECK(memcmp(got, large, sizeof got) == 0);
  done(&counted, 0);
}

static void send_int(const nexus_global_pointer_t* to, int handler, int value) {
  nexus_buffer_t buffer;
  nexus_init_remote_service_request(&buffer, to, handler);
  nexus_put_int(&buffer, &value, 1);
  nexus_send_remote_service_request(&buffer);
  CHECK(buffer == NULL);
}

/* --- threads of the program's own --- */

enum { WAITING = 3 };
static nexus_cond_t turn;
static int waiting, woken;

static void* wait_for_turn(void* number) {
  nexus_mutex_lock(&mutex);
  ++waiting;
  nexus_cond_wait(&turn, &mutex);
  ++woken;
  nexus_mutex_unlock(&mutex);
  return number;
}

static int reaches(const int* count, int wanted) {
  for (int i = 0; i < 1000; ++i) {
    nexus_mutex_lock(&mutex);
    const int now = *count;
    nexus_mutex_unlock(&mutex);
    if (now >= wanted) return now == wanted;
    nexus_poll();
  }
  return 0;
}

static void threads_of_its_own(void) {
  nexus_thread_t threads[WAITING];
  nexus_cond_init(&turn);
  for (long i = 0; i < WAITING; ++i) CHECK(nexus_thread_create(&threads[i], wait_for_turn, (void*)i) == 0);
  CHECK(reaches(&waiting, WAITING) && woken == 0);
  nexus_cond_signal(&turn);
  CHECK(reaches(&woken, 1));
  nexus_cond_broadcast(&turn);
  CHECK(reaches(&woken, WAITING));
  for (int i = 0; i < WAITING; ++i) CHECK(nexus_thread_join(threads[i]) == 0);
}

int main(void) {
  static const nexus_handler_t handlers[] = {
      {types, NEXUS_NONTHREADED_HANDLER},   {count_one, NEXUS_NONTHREADED_HANDLER},
      {pass_on, NEXUS_NONTHREADED_HANDLER}, {threaded, NEXUS_THREADED_HANDLER},
      {keep, NEXUS_NONTHREADED_HANDLER},    {take_large, NEXUS_NONTHREADED_HANDLER}};
  const int me = nexus_context(), all = nexus_contexts();
  CHECK(me >= 0 && me < all);
  const int right = (me + 1) % all, left = (me + all - 1) % all;
  main_thread = nexus_thread_self();
  for (size_t i = 0; i < sizeof large; ++i) large[i] = (char)(i % 127);
  nexus_mutex_init(&mutex);
  nexus_cond_init(&condition);
  nexus_register_handlers(handlers, 6);
  threads_of_its_own();

  CHECK(nexus_machines() == 1 && nexus_machine_of(right) == 0 && strlen(nexus_machine_name(0)) > 0);
  CHECK(nexus_machine_contexts(0) == all && nexus_machine_processors(0) >= all);

  /* Who wants `own` attaches to where it has been left. */
  nexus_global_pointer_t mine, theirs, whole;
  nexus_global_pointer(&mine, &own);
  CHECK(nexus_is_local(&mine) && strcmp(nexus_method(&mine), "local") == 0);
  nexus_allow_attach(5, &mine);
  nexus_global_pointer(&theirs, &finished);
  nexus_allow_attach(9, &theirs);
  CHECK(nexus_attach(right, 6, &theirs) != 0);
  CHECK(nexus_attach(right, 5, &theirs) == 0 && !nexus_is_local(&theirs));
  nexus_context_pointer(&whole, right);

  nexus_buffer_t buffer;
  size_t bytes = 0;
  nexus_init_remote_service_request(&buffer, &theirs, TYPES);
  EACH_TYPE(PUT)
  CHECK(nexus_buffer_bytes(buffer) == bytes);
  nexus_send_remote_service_request(&buffer);
  await(&own, 1);
  send_int(&theirs, COUNT, 10);
  await(&own, 2);

  nexus_init_remote_service_request(&buffer, &whole, PASS_ON);
  nexus_put_global_pointer(&buffer, &mine, 1);
  nexus_put_int(&buffer, &me, 1);
  nexus_send_remote_service_request(&buffer);
  await(&own, 3);

  for (int i = 0; i < 5; ++i) send_int(&theirs, THREADED, 100);
  await(&own, 8);

  send_int(&mine, COUNT, 1000); /* to itself */
  await(&own, 9);
  CHECK(own.sum == 1512 + me);

  send_int(&whole, KEEP, left); /* kept by the other */
  await(&counted, 1);
  int value = -1;
  nexus_get_int(&kept, &value, 1);
  CHECK(value == (left + all - 1) % all);
  nexus_free_buffer(&kept);
  CHECK(kept == NULL);

  nexus_init_remote_service_request(&buffer, &whole, LARGE);
  nexus_put_char(&buffer, large, sizeof large);
  nexus_send_remote_service_request(&buffer);
  await(&counted, 2);

  /* By every method that leads there. Both sides send more than a connection has room for before they look. */
  static const char* methods[] = {"tcp", "mpl"};
  for (int i = 0; i < 2; ++i) {
    if (nexus_set_method(&whole, methods[i]) != 0) continue;
    CHECK(strcmp(nexus_method(&whole), methods[i]) == 0);
    nexus_init_remote_service_request(&buffer, &whole, LARGE);
    nexus_put_char(&buffer, large, sizeof large);
    nexus_send_remote_service_request(&buffer);
  }
  CHECK(nexus_set_method(&whole, "heliograph") != 0);
  CHECK(nexus_set_method(&whole, NULL) == 0);
  nexus_context_pointer(&whole, left);
  await(&counted, nexus_set_method(&whole, "mpl") == 0 ? 4 : 3);

  CHECK(nexus_set_skip("tcp", 20) == 0 && nexus_skip("tcp") == 20 && nexus_set_skip("heliograph", 2) != 0);
  CHECK(nexus_set_buffer_bytes("tcp", 9000) == 0 && nexus_set_buffer_bytes("heliograph", 9000) != 0);
  nexus_disallow_attach(5);
  CHECK(nexus_attach(me, 5, &theirs) != 0);

  /* All are done when the first has heard of all, by looking again and again. */
  nexus_context_pointer(&whole, 0);
  if (me != 0) CHECK(nexus_attach(0, 9, &whole) == 0);
  if (me == 0) nexus_global_pointer(&whole, &finished);
  send_int(&whole, COUNT, wrong);
  if (me == 0)
    for (int handled = 0; finished.count < all; handled = nexus_poll()) CHECK(handled == 0 || handled == 1);
  if (me == 0 && finished.sum == 0) printf("right\n");
  nexus_mutex_destroy(&mutex);
  return wrong;
}
