// Whether objects that are to be linked take the C library's streams to be variables of the program.
#pragma once

#include <string>
#include <vector>

namespace hindcast {

// Of a compiler's words those are looked at that are objects, archives, or libraries in folders that are named.
bool take_streams_to_be_in_the_program(const std::vector<std::string>& words);

}  // namespace hindcast
