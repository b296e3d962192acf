#include "mpi_impl/libraries/cray/mpi/protocols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace hindcast::mpi {

const T3eProtocolRow& t3e_protocol(std::string_view name) {
  for (const T3eProtocolRow& row : Rows<T3eProtocolRow>())
    if (row.name == name) return row;
  throw std::invalid_argument(fmt::format("there is no protocol {}", name));
}

std::vector<std::string> t3e_protocol_names(T3eReach least) {
  std::vector<std::string> names;
  for (const T3eProtocolRow& row : Rows<T3eProtocolRow>())
    if (row.reach >= least) names.emplace_back(row.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace hindcast::mpi
