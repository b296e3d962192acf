// An exception that nobody catches; and destructors of static objects, at the end of the rank that has them.
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

struct Object {
  explicit Object(std::string given) : name(std::move(given)) {}
  ~Object() { std::cout << "destroyed: " << name << "\n"; }
  std::string name;
};
Object global("global");

int main(int argc, char** argv) {
  static Object local("local static");
  const int rank = getpid() - 1000;
  usleep(10u * static_cast<unsigned>(rank + 1));
  const std::string how = argc > 1 ? argv[1] : "";
  if (how == "throw" && rank == 1) throw std::runtime_error("nobody catches this");
  if (how == "terminate_handler" && rank == 1) {
    std::set_terminate([] {
      std::cout << "own terminate handler" << std::endl;
      std::_Exit(6);
    });
    throw 1;
  }
  return 0;
}
