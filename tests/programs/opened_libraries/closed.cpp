// Has a variable with a constructor and a destructor.
#include <cstdio>
#include <cstdlib>

namespace {
struct Counter {
  Counter() { std::puts("the counter begins"); }
  ~Counter() { std::printf("the counter ends with %d\n", value); }
  int value = 0;
};
Counter counter;
}  // namespace

extern "C" int count() {
  if (counter.value == 0) std::atexit([] { std::puts("the handler that count has set"); });
  return ++counter.value;
}
