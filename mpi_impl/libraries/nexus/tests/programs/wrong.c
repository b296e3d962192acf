/* Wrong calls, one by its number. */
#include <nexus.h>
#include <stdlib.h>

static nexus_buffer_t kept;
static void keep(void* address, nexus_buffer_t buffer) {
  (void)address;
  kept = nexus_keep_buffer(buffer);
}

int main(int count, char** arguments) {
  const int which = count > 1 ? atoi(arguments[1]) : 0;
  const nexus_handler_t handlers[] = {{keep, which == 7 ? 9 : NEXUS_NONTHREADED_HANDLER}};
  nexus_global_pointer_t pointer;
  nexus_buffer_t buffer = NULL;
  int data = 1;
  if (which == 0) nexus_context_pointer(&pointer, 7);
  nexus_context_pointer(&pointer, 0);
  if (which == 1) nexus_put_int(&buffer, &data, 1);
  if (which == 7 || which == 11) nexus_register_handlers(handlers, 1);
  if (which == 2) nexus_init_remote_service_request(&buffer, NULL, 0);
  nexus_init_remote_service_request(&buffer, &pointer, which == 3 ? 5 : 0);
  if (which == 4) nexus_get_int(&buffer, &data, 1);
  if (which == 12) nexus_put_int(&buffer, &data, (size_t)-1);
  if (which == 13) nexus_put_int(&buffer, &data, (size_t)1 << 62);
  if (which == 14) nexus_put_int(&buffer, &data, 1);
  if (which == 14) nexus_get_int(&buffer, &data, ((size_t)1 << 62) + 1);
  if (which == 15) nexus_cond_signal(NULL);
  if (which == 16) nexus_cond_broadcast(NULL);
  if (which == 5) nexus_set_skip("tcp", 0);
  if (which == 6) nexus_disallow_attach(3);
  nexus_send_remote_service_request(&buffer);
  if (which == 9) nexus_machine_name(3);
  if (which == 10) nexus_machine_of(-1);
  if (which == 8) nexus_send_remote_service_request(&buffer);
  nexus_poll();
  if (which == 11) nexus_send_remote_service_request(&kept);
  return 0;
}
