/* What a program finds when it begins: the database, its own context's methods, the time, and the method that leads to
 * the next context. A request goes round all of them. */
#include <nexus.h>
#include <stdio.h>
#include <time.h>

static int arrived;
static void arrive(void* address, nexus_buffer_t buffer) {
  (void)address;
  nexus_get_int(&buffer, &arrived, 1);
}

static void pass_on(int next) {
  nexus_global_pointer_t pointer;
  nexus_buffer_t buffer;
  const int token = 1;
  nexus_context_pointer(&pointer, next);
  nexus_init_remote_service_request(&buffer, &pointer, 0);
  nexus_put_int(&buffer, &token, 1);
  nexus_send_remote_service_request(&buffer);
}

static void tell_descriptors(const nexus_global_pointer_t* pointer) {
  nexus_descriptor_t descriptors[8];
  const int count = nexus_descriptors(pointer, descriptors, 8), more = nexus_descriptors(pointer, NULL, 0);
  for (int i = 0; i < count; ++i)
    printf("%d of %d to %d: %s, %s, %d\n", i, more, pointer->context, descriptors[i].method, descriptors[i].place,
           descriptors[i].leads_there);
}

int main(int argc, char** argv) {
  (void)argv;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const nexus_handler_t handlers[] = {{arrive, NEXUS_NONTHREADED_HANDLER}};
  nexus_register_handlers(handlers, 1);
  const int self = nexus_context(), next = (self + 1) % nexus_contexts();
  nexus_global_pointer_t pointer;
  nexus_context_pointer(&pointer, next);
  const char* database = nexus_resource_database();
  printf("%d: %s, %s, next by %s, at %ld ms\n", self, database != NULL ? database : "none", nexus_context_methods(self),
         nexus_method(&pointer), now.tv_sec * 1000 + now.tv_nsec / 1000000);
  if (argc > 1) tell_descriptors(&pointer);
  if (self == 0) pass_on(next);
  while (!arrived) nexus_poll();
  if (self != 0) pass_on(next);
  return 0;
}
