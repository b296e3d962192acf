// A part of the library, which the program replaces.
#include "defined_in_both.hpp"

int answer() { return 1; }
