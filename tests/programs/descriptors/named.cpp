// A stream of C++ by a name that means standard output.
#include <fstream>

int main() {
  std::ofstream("/dev/stdout") << "ofstream\n";
  return 0;
}
