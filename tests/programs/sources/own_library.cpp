#include "own_library.h"

#include <cstdlib>
#include <stdexcept>

int library_counter;
inline int inline_counter = 0;
template <class T>
int& of_template() {
  static int counter = 100;
  return counter;
}
struct Made {
  Made() : value(10) {}
  int value;
};
static Made made;
extern "C" int in_the_program();

int library_step() {
  ++library_counter;
  ++inline_counter;
  try {
    if (library_counter > 0) throw std::runtime_error("thrown in the library");
  } catch (const std::exception&) {
    ++made.value;
  }
  if (inline_counter != library_counter) std::abort();
  return ++of_template<int>() + made.value;
}
int library_random() { return std::rand(); }
const char* library_variable(const char* name) { return std::getenv(name); }
int library_calls_back() { return in_the_program(); }
