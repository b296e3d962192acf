#pragma once

#include <stdexcept>
#include <string>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

struct Unknown : std::runtime_error {
  using std::runtime_error::runtime_error;
};
