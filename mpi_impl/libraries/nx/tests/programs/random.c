/* A program made at random of NX's calls: nodes send to others at will, and take what comes in any order and by any
 * call. It says when each round ended and what came in it, in order. The arguments are a seed and how many rounds there
 * are. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SENDS = 4, LONGEST = 3000, COMING_MAX = 256 };

static unsigned long state;
static int below(int limit) {
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return (int)((state >> 33) % (unsigned long)limit);
}

struct message {
  long to, type, count;
};

/* All nodes know what each of them sends. */
static struct message sent_by(long node, int seed, int round, int number) {
  const unsigned long kept = state;
  state = (unsigned long)seed * 1000003UL + (unsigned long)round * 10007UL + (unsigned long)node * 101UL +
          (unsigned long)number;
  below(2);
  below(2);
  const struct message made = {below((int)numnodes()), below(3), below(4) == 0 ? below(LONGEST) : below(16)};
  state = kept;
  return made;
}

static int coming(int seed, int round) {
  int count = 0;
  for (long node = 0; node < numnodes(); ++node)
    for (int i = 0; i < SENDS; ++i) count += sent_by(node, seed, round, i).to == mynode();
  return count;
}

static unsigned long seen = 17;
static void see(const char* data) {
  seen = seen * 31 + (unsigned long)infotype() * 7 + (unsigned long)infonode() * 3 + (unsigned long)infocount();
  for (long i = 0; i < infocount(); ++i)
    if (data[i] != (char)(infotype() + infonode())) {
      printf("node %ld: wrong data\n", mynode());
      exit(1);
    }
}

static void dawdle(void) {
  for (int i = below(60); i > 0; --i) dclock();
}

static void send_all(int seed, int round, char buffers[SENDS][LONGEST]) {
  long ids[SENDS];
  for (int i = 0; i < SENDS; ++i) {
    const struct message message = sent_by(mynode(), seed, round, i);
    memset(buffers[i], (int)(message.type + mynode()), (size_t)message.count);
    ids[i] = -1;
    if (below(2))
      csend(message.type, buffers[i], message.count, message.to, 0);
    else
      ids[i] = isend(message.type, buffers[i], message.count, message.to, 0);
    if (below(3) == 0) dawdle();
  }
  for (int i = 0; i < SENDS; ++i)
    if (ids[i] >= 0) msgwait(ids[i]);
}

static void receive_now(char* buffer) {
  long type = NX_ANY;
  if (below(2)) {
    cprobe(NX_ANY);
    type = infotype();
  } else if (below(2)) {
    while (!iprobe(NX_ANY)) dawdle();
  }
  crecv(type, buffer, LONGEST);
  see(buffer);
}

int main(int argc, char** argv) {
  const int seed = argc > 1 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 5;
  static char sent[SENDS][LONGEST], received[COMING_MAX][LONGEST];
  state = (unsigned long)seed + (unsigned long)mynode() * 7919UL;
  for (int round = 0; round < rounds; ++round) {
    const int all = coming(seed, round), early = below(all + 1);
    long ids[COMING_MAX];
    for (int i = 0; i < early; ++i) ids[i] = irecv(NX_ANY, received[i], LONGEST);
    dawdle();
    send_all(seed, round, sent);
    for (int i = 0; i < early; ++i) {
      if (below(2))
        msgwait(ids[i]);
      else
        while (!msgdone(ids[i])) dawdle();
      see(received[i]);
    }
    for (int i = early; i < all; ++i) receive_now(received[i]);
    printf("node %ld: round %d ended at %.6f us, seen %lx\n", mynode(), round, dclock() * 1e6, seen);
    if (below(2) == 0) dawdle();
    if (sent_by(0, seed, round, SENDS).to == 0) gsync();
  }
  return 0;
}
