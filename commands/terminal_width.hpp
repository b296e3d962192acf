// Text that fits the terminal that it is written to.
#pragma once

#include <cstddef>
#include <string>

namespace hindcast {

// Of standard output. What is no terminal has room for everything.
std::size_t width_of_output();

// Words in lines of at most `width`, each but the first behind `indent` blanks.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width);

}  // namespace hindcast
