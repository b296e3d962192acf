/* Random numbers: those of glibc, from a state of the rank's own. */
#include <stdlib.h>

#include "own_copy.h"

static struct random_data state;
static char first_state[128]; /* the size with which glibc starts */

static struct random_data* started(void) {
  if (state.state == NULL) initstate_r(1, first_state, sizeof first_state, &state);
  return &state;
}

OWN_COPY long random(void) {
  int32_t number;
  random_r(started(), &number);
  return number;
}
OWN_COPY void srandom(unsigned seed) { srandom_r(seed, started()); }
OWN_COPY int rand(void) { return (int)random(); }
OWN_COPY void srand(unsigned seed) { srandom(seed); }

/* Both return the state before, in the form that setstate takes: its words and, before them, what kind it is. */
OWN_COPY char* initstate(unsigned seed, char* memory, size_t bytes) {
  char* const before = (char*)(started()->state - 1);
  return initstate_r(seed, memory, bytes, &state) == 0 ? before : NULL;
}
OWN_COPY char* setstate(char* memory) {
  char* const before = (char*)(started()->state - 1);
  return setstate_r(memory, &state) == 0 ? before : NULL;
}

static struct drand48_data state48;

OWN_COPY double drand48(void) {
  double number;
  drand48_r(&state48, &number);
  return number;
}
OWN_COPY double erand48(unsigned short x[3]) {
  double number;
  erand48_r(x, &state48, &number);
  return number;
}
OWN_COPY long lrand48(void) {
  long number;
  lrand48_r(&state48, &number);
  return number;
}
OWN_COPY long nrand48(unsigned short x[3]) {
  long number;
  nrand48_r(x, &state48, &number);
  return number;
}
OWN_COPY long mrand48(void) {
  long number;
  mrand48_r(&state48, &number);
  return number;
}
OWN_COPY long jrand48(unsigned short x[3]) {
  long number;
  jrand48_r(x, &state48, &number);
  return number;
}
OWN_COPY void srand48(long seed) { srand48_r(seed, &state48); }
OWN_COPY void lcong48(unsigned short parameters[7]) { lcong48_r(parameters, &state48); }
OWN_COPY unsigned short* seed48(unsigned short seed[3]) {
  seed48_r(seed, &state48);
  return state48.__old_x;
}

OFFER(random);
OFFER(srandom);
OFFER(rand);
OFFER(srand);
OFFER(initstate);
OFFER(setstate);
OFFER(drand48);
OFFER(erand48);
OFFER(lrand48);
OFFER(nrand48);
OFFER(mrand48);
OFFER(jrand48);
OFFER(srand48);
OFFER(lcong48);
OFFER(seed48);
