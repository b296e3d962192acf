// C++ adds inline variables, statics of templates and of classes, objects with constructors, and its library's own
// state.
#include <unistd.h>

#include <iostream>
#include <map>
#include <string>

inline int inline_variable = 10;

template <class T>
struct Counter {
  static int count;
};
template <class T>
int Counter<T>::count = 20;

template <class T>
int& instance() {
  static int value = 30;
  return value;
}

struct Constructed {
  Constructed() : value(40) { ++constructed; }
  int value;
  static inline int constructed = 0;
};
Constructed constructed;
std::map<int, std::string> names = {{1, "one"}, {2, "two"}};

struct PerThread {
  PerThread() : value(50) {}
  ~PerThread() { std::cout << "thread-local destroyed at " << value << std::endl; }
  int value;
};
thread_local PerThread per_thread;

int main() {
  const int rank = getpid() - 1000;
  for (int step = 0; step <= rank; ++step) {
    ++inline_variable;
    ++Counter<double>::count;
    ++instance<int>();
    ++constructed.value;
    ++per_thread.value;
    names[100 + step] = "step";
    std::cout.width(4 + rank % 3);  // state of the stream: the next output resets it
    usleep(1);
    std::cout << step << "\n";
  }
  const int steps = rank + 1;
  const bool right = inline_variable == 10 + steps && Counter<double>::count == 20 + steps &&
                     instance<int>() == 30 + steps && constructed.value == 40 + steps &&
                     Constructed::constructed == 1 && per_thread.value == 50 + steps &&
                     names.size() == 2u + static_cast<unsigned>(steps);
  std::cout << rank << ": " << (right ? "right" : "wrong") << std::endl;
  return right ? 0 : 1;
}
