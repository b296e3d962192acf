// What rows.cpp and more_rows.cpp have rows of.
#pragma once

namespace hindcast {

struct Fruit {
  const char* name;
  int place;
};

}  // namespace hindcast
