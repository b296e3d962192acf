// Running a function on a stack of our own choosing, at its beginning.
#pragma once

namespace hindcast::programs {

// Runs function(argument) on the stack that ends below `top`, or, if that is null, where it is called. Nothing unwinds
// past this call: an exception that nobody catches ends the program there and then, as it would on a stack of its own.
void call_on_stack(void* top, void (*function)(void*), void* argument);

}  // namespace hindcast::programs
