#include "mpi_impl/libraries/cellos/mpi/longer_messages.hpp"

#include <algorithm>
#include <stdexcept>

#include "simulator/machine/file/program_choices.hpp"

namespace hindcast::mpi {

namespace {

// By MPI itself, in the call that sends it.
const Row<LongerMessages> refuse_row{{"refuse", Longer::is_refused}};

const Row<ProgramChoices> choices_row{{"cellos", "mpi.longer_messages", names_of_longer_messages}};

}  // namespace

std::vector<std::string> names_of_longer_messages() {
  std::vector<std::string> names;
  for (const LongerMessages& way : Rows<LongerMessages>()) names.emplace_back(way.name);
  std::sort(names.begin(), names.end());
  return names;
}

Longer longer_messages(const std::string& name) {
  for (const LongerMessages& way : Rows<LongerMessages>())
    if (way.name == name) return way.what;
  throw std::logic_error("no way for longer messages is called " + name);
}

}  // namespace hindcast::mpi
