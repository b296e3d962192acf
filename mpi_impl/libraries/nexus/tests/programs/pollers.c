/* Threads of context 0 poll, and the first one waits if it is told to, while requests come from the others: each is
 * handled once and whole.   pollers WAITS BYTES */
#include <nexus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLLERS = 3, EACH = 30, CONTEXTS_MAX = 16 };

static int times_handled[CONTEXTS_MAX * EACH];
static int handled, expected, bytes, right = 1;
static nexus_mutex_t mutex;
static nexus_cond_t all_handled;

static void handle(void* address, nexus_buffer_t buffer) {
  (void)address;
  int number;
  unsigned char* data = malloc(bytes + 1);
  nexus_get_int(&buffer, &number, 1);
  nexus_get_byte(&buffer, data, bytes);
  for (int i = 0; i < bytes; ++i) right = right && data[i] == (unsigned char)(number + 1);
  free(data);
  ++times_handled[number];
  if (++handled == expected) nexus_cond_broadcast(&all_handled);
}

static void* poll(void* unused) {
  while (handled < expected) nexus_poll();
  return unused;
}

static void wait_for_all(void) {
  nexus_mutex_lock(&mutex);
  while (handled < expected) nexus_cond_wait(&all_handled, &mutex);
  nexus_mutex_unlock(&mutex);
}

static void send_all(int context) {
  nexus_global_pointer_t pointer;
  nexus_context_pointer(&pointer, 0);
  unsigned char* data = malloc(bytes + 1);
  for (int i = 0; i < EACH; ++i) {
    const int number = context * EACH + i;
    memset(data, (unsigned char)(number + 1), bytes);
    nexus_buffer_t buffer;
    nexus_init_remote_service_request(&buffer, &pointer, 0);
    nexus_put_int(&buffer, &number, 1);
    nexus_put_byte(&buffer, data, bytes);
    nexus_send_remote_service_request(&buffer);
  }
  free(data);
}

int main(int argc, char** argv) {
  const int waits = argc == 3 && atoi(argv[1]);
  bytes = argc == 3 ? atoi(argv[2]) : 0;
  static const nexus_handler_t handlers[] = {{handle, NEXUS_NONTHREADED_HANDLER}};
  nexus_register_handlers(handlers, 1);
  if (nexus_context() != 0) {
    send_all(nexus_context());
    return 0;
  }
  expected = (nexus_contexts() - 1) * EACH;
  nexus_mutex_init(&mutex);
  nexus_cond_init(&all_handled);
  nexus_thread_t pollers[POLLERS];
  for (int i = 0; i < POLLERS; ++i) nexus_thread_create(&pollers[i], poll, NULL);
  if (waits) wait_for_all();
  for (int i = 0; i < POLLERS; ++i) nexus_thread_join(pollers[i]);
  for (int i = EACH; i < EACH + expected; ++i) right = right && times_handled[i] == 1;
  printf("%s\n", right ? "right" : "wrong");
  return 0;
}
