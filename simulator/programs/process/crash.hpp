// A rank that dies of a signal: which rank, of what, and where.
#pragma once

namespace hindcast::programs {

class Output;

void install_crash_handler();
// What ranks have printed is to be seen even if hindcast itself crashes.
void flush_at_crash(Output* output);
// Shows what ranks have printed, in the midst of whatever is going on. A second call does nothing.
void flush_as_far_as_possible();

// The current rank dies of a signal that its program has raised and does not handle.
[[noreturn]] void die_of(int signal);

}  // namespace hindcast::programs
