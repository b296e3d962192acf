/* Ways in which a program with threads ends. */
#include "wrong.h"

#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;
static volatile int flag;

static void at_exit(void) { printf("handler\n"); }
static void* works_on(void* unused) {
  for (;;) sleep_us(10);
  return unused;
}
static void* exits(void* unused) {
  sleep_us(5);
  exit(3);
  return unused;
}
static void* ends_later(void* unused) {
  sleep_us(50);
  printf("last\n");
  return unused;
}
static void* keeps_lock(void* unused) {
  pthread_mutex_lock(&lock_b);
  return unused;
}
static void* takes_b_then_a(void* unused) {
  pthread_mutex_lock(&lock_b);
  sleep_us(5);
  pthread_mutex_lock(&lock_a);
  return unused;
}
static void* overflows(void* depth) {
  volatile char much[10000];
  much[0] = (char)(intptr_t)depth;
  return much[0] == 2 ? NULL : overflows((void*)1);
}
static void* sets_flag(void* unused) {
  flag = 1;
  return unused;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  pthread_t thread;
  atexit(at_exit);
  if (strcmp(how, "returns") == 0) {
    pthread_create(&thread, NULL, works_on, NULL);
    sleep_us(5);
  } else if (strcmp(how, "exits") == 0) {
    pthread_create(&thread, NULL, exits, NULL);
    for (;;) sleep_us(10);
  } else if (strcmp(how, "main leaves") == 0) {
    pthread_create(&thread, NULL, ends_later, NULL);
    pthread_exit(NULL);
  } else if (strcmp(how, "keeps") == 0) {
    pthread_create(&thread, NULL, keeps_lock, NULL);
    pthread_join(thread, NULL);
  } else if (strcmp(how, "deadlock") == 0) {
    pthread_mutex_lock(&lock_a);
    pthread_create(&thread, NULL, takes_b_then_a, NULL);
    sleep_us(5);
    pthread_mutex_lock(&lock_b);
  } else if (strcmp(how, "itself") == 0) {
    pthread_mutex_lock(&lock_a);
    pthread_mutex_lock(&lock_a);
  } else if (strcmp(how, "overflows") == 0) {
    pthread_create(&thread, NULL, overflows, NULL);
    pthread_join(thread, NULL);
  } else if (strcmp(how, "spins") == 0) {
    pthread_create(&thread, NULL, sets_flag, NULL);
    while (!flag) {
    }
  } else if (strcmp(how, "locks kept") == 0) {
    pthread_create(&thread, NULL, keeps_lock, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock_b);
  }
  return 0;
}
