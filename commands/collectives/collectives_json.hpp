// What `hindcast collectives --json` prints, for programs: the algorithms, and which of them is taken when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi_impl/collectives/framework/choice.hpp"

namespace hindcast {

// All ranks of a run.
struct CollectiveGroup {
  int ranks;
  mpi::Offers offers;  // of the machine
  mpi::Levels levels;
};

struct CollectiveSituations {
  std::vector<mpi::CollectiveOperation> operations;
  std::vector<CollectiveGroup> groups;
  std::vector<std::uint64_t> bytes;
};

// An algorithm with its parameters, as --coll and the table have it: "knomial:radix=4". Of algorithms of two levels
// all, or only those that are not as usual, so that names of curves stay short.
enum class Stages : std::uint8_t { unusual, all };
std::string text_of(const mpi::Choice& choice, Stages stages = Stages::unusual);

// All algorithms of an operation as they stand, and those that the table or --coll has with parameters of its own.
std::vector<mpi::Choice> choices_of(const mpi::CollectiveChoices& choices, mpi::CollectiveOperation operation);

std::string collectives_json(const mpi::CollectiveChoices& choices, const CollectiveSituations& situations);

}  // namespace hindcast
