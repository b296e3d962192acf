#include "mpi_impl/libraries/cray/mpi/protocols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace hindcast::mpi {

const T3eProtocolRow& t3e_protocol(std::string_view name) {
  const T3eProtocolRow* found = nullptr;
  Row<T3eProtocolRow>::for_each([&](const T3eProtocolRow& row) {
    if (row.name == name) found = &row;
  });
  if (found == nullptr) throw std::invalid_argument(fmt::format("there is no protocol {}", name));
  return *found;
}

std::vector<std::string> t3e_protocol_names(T3eReach least) {
  std::vector<std::string> names;
  Row<T3eProtocolRow>::for_each([&](const T3eProtocolRow& row) {
    if (row.reach >= least) names.emplace_back(row.name);
  });
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace hindcast::mpi
