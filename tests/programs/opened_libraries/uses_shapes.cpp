// Objects, exceptions and streams between a program and a library that it opens.
#include <dlfcn.h>

#include <iostream>
#include <memory>

#include "shape.hpp"

int main(int, char** argv) {
  void* const library = dlopen((std::string(argv[1]) + "/shapes.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::cout << dlerror() << std::endl;
    return 1;
  }
  auto* const make = reinterpret_cast<Shape* (*)(const char*, double)>(dlsym(library, "make"));
  for (const double size : {2.0, 3.0}) std::cout << std::unique_ptr<Shape>(make("square", size))->area() << std::endl;
  try {
    make("circle", 1);
  } catch (const Unknown& error) {
    std::cout << error.what() << std::endl;
  }
  try {
    make("line", 1);
  } catch (const std::exception& error) {
    std::cout << error.what() << std::endl;
  }
  dlclose(library);  // its thread-local variable is destroyed when the program ends
}
