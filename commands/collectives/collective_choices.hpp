// Which algorithms collectives take on a machine: its file's table [collectives], and what is forced with --coll.
#pragma once

#include <string>
#include <vector>

#include "mpi_impl/collectives/framework/choice.hpp"
#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

// Throws if a row of the table or a text after --coll makes no sense.
mpi::CollectiveChoices collective_choices(const MachineFile& file, const std::vector<std::string>& forced);

// What is taken if the file has no such table, for people; nothing if it has one.
std::string note_on_collectives(const MachineFile& file);

}  // namespace hindcast
