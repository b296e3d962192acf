// Before a rank waits for input of the launcher's.
#pragma once

namespace hindcast::programs {

class RunningProgram;

// What it has printed so far is shown.
void show_before_asking(RunningProgram& program);

}  // namespace hindcast::programs
