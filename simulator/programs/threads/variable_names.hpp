// What a program's variables are called, for reports.
#pragma once

#include <string>

#include "simulator/programs/load/loader.hpp"

namespace hindcast::programs {

// "lock", or "locks (+ 40 bytes)" of an address within; nothing if no variable of the program's with a name lies there.
std::string name_of_variable(const Loader& loader, std::size_t slot, const void* address);

}  // namespace hindcast::programs
