// What a program says of its window by an info object, and what it is told of that.
#pragma once

#include <string>

#include "mpi_impl/core/windows/window.hpp"

namespace hindcast::mpi {

// Those that there are when the window is made; nothing if `info` is null.
void set_window_hints(Window& window, const Info* info);
// Later ones: those that are known.
void change_window_hints(Window& window, const Info& info);
bool is_hint_true(const Hints& hints, const std::string& key);

}  // namespace hindcast::mpi
