// A rank that dies of a signal: which rank, of what, and where.
#pragma once

namespace hindcast::programs {

void install_crash_handler();

// The current rank dies of a signal that its program has raised and does not handle.
[[noreturn]] void die_of(int signal);

}  // namespace hindcast::programs
