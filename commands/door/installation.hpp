// Where hindcast itself lies: bin/, lib/ and include/ below one prefix, in a build tree as when installed.
#pragma once

#include <filesystem>

namespace hindcast {

// Of the running launcher.
std::filesystem::path installation_prefix();

}  // namespace hindcast
