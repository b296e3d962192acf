// The methods that there are, each a row in its own file.
#pragma once

#include <memory>
#include <string>

#include "mpi_impl/libraries/nexus/native/method.hpp"

namespace hindcast::nexus {

struct MethodRow {
  std::string name;
  std::unique_ptr<MethodKind> (*make)();
  // Shown if a context cannot open it: what its node lacks.
  std::string needs;
};

}  // namespace hindcast::nexus
