// The methods that there are, each a row in its own file.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "mpi_impl/libraries/nexus/native/method.hpp"
#include "simulator/engine/end_run.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast::nexus {

// What a run's methods are made with. All of it outlives them.
struct KindStart {
  Engine& engine;
  Machine& machine;
  // What the processors of a node wait for at its memory; null if nobody else comes there.
  std::function<MemoryPort*(int node)> memory_of;
};

struct MethodRow {
  std::string name;
  std::unique_ptr<MethodKind> (*make)(const KindStart& start);
  // One of the keys that it reads itself. Where a machine's file has them they are read, whether contexts have the
  // method or not.
  std::string key = {};
};

}  // namespace hindcast::nexus
