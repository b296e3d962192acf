#include "mpi_impl/libraries/cellos/native/domains.hpp"

#include "mpi_impl/libraries/cellos/native/cell.hpp"

namespace hindcast::cellos {

void Domains::fire(const Event& event) {
  const Name name = event.data >> 1;
  if ((event.data & 1) != 0) {
    in_force_.insert(name);
  } else if (in_force_.erase(name) > 0) {
    asked_for_ = none;
    cell_.discard_all(static_cast<Space>(name >> 32), static_cast<std::uint32_t>(name));
  }
}

}  // namespace hindcast::cellos
