// A row that rows.cpp looks for, in another file.
#include "simulator/engine/rows.hpp"
#include "tests/engine/rows.hpp"

namespace hindcast {

namespace {

const Row<Fruit> row{{.name = "pear", .place = 2}};

}  // namespace

}  // namespace hindcast
