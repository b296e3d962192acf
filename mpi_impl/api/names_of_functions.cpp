#include "mpi_impl/api/names_of_functions.hpp"

#include <cctype>

namespace hindcast::mpi {

namespace {

bool remove_prefix(std::string_view& symbol, std::string_view prefix) {
  if (!symbol.starts_with(prefix)) return false;
  symbol.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::string mpi_name_of(std::string_view symbol) {
  if (remove_prefix(symbol, "MPI_") || remove_prefix(symbol, "PMPI_")) return "MPI_" + std::string(symbol);
  const bool is_fortrans = remove_prefix(symbol, "mpi_") || remove_prefix(symbol, "pmpi_");
  if (!is_fortrans || symbol.empty()) return {};
  for (const std::string_view ending : {"_f08ts_", "_"}) {
    if (!symbol.ends_with(ending)) continue;
    symbol.remove_suffix(ending.size());
    break;
  }
  std::string name = "MPI_" + std::string(symbol);
  name[4] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[4])));
  return name;
}

}  // namespace hindcast::mpi
