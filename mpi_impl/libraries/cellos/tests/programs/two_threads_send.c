/* Cell 0 broadcasts and sends at the same time, on two threads. */
#include <cellos.h>
#include <pthread.h>

enum { times = 4, broadcast_bytes = 1000, sent_bytes = 100 };

static char data[broadcast_bytes];

static void* broadcasts(void* unused) {
  for (int i = 0; i < times; ++i) cbroad(1, data, broadcast_bytes);
  return unused;
}

static void* sends(void* unused) {
  for (int i = 0; i < times; ++i) l_asend(1, 2, data, sent_bytes);
  return unused;
}

int main(void) {
  if (l_cellid() != 0) {
    for (int i = 0; i < times; ++i) l_arecv(0, 1, data, broadcast_bytes, 0);
    for (int i = 0; i < times && l_cellid() == 1; ++i) l_arecv(0, 2, data, sent_bytes, 0);
    return 0;
  }
  pthread_t threads[2];
  pthread_create(&threads[0], 0, broadcasts, 0);
  pthread_create(&threads[1], 0, sends, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
