/* All wait for what nobody sends. */
#include <nexus.h>

int main(void) {
  nexus_cond_t condition;
  nexus_mutex_t mutex;
  nexus_cond_init(&condition);
  nexus_mutex_init(&mutex);
  nexus_mutex_lock(&mutex);
  nexus_cond_wait(&condition, &mutex);
  return 0;
}
