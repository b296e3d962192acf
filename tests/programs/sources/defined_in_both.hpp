// What a program and a library of its own both define, each from this header or by itself: there is one of each.
#pragma once

extern int variable;
inline int inline_variable = 0;
inline thread_local int variable_of_thread = 0;
inline int& static_of_function() {
  static int counter = 0;
  return counter;
}
template <class T>
int& static_of_template() {
  static int counter = 0;
  return counter;
}

int answer();
// By the library: counts in all of these, and returns its answer().
int count_in_library();
