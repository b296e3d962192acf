#include "defined_in_both.hpp"

int variable = 0;

int count_in_library() {
  ++variable;
  ++inline_variable;
  ++variable_of_thread;
  ++static_of_function();
  ++static_of_template<long>();
  return answer();
}
