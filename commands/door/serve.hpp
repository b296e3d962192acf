// hindcast serve: for whoever starts the launcher thousands of times.
#pragma once

namespace hindcast {

// What the simulator's library begins with.
using Main = int (*)(int, char**);

// Runs the commands that standard input asks for, one after the other, until it ends. An exit status.
int serve(Main main, char* name);

}  // namespace hindcast
