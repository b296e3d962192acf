// Ends a run in which a thread of a rank computes and computes, while others of the rank wait for it to give way: it
// may be looking again and again at a variable that they would set.
#pragma once

namespace hindcast::programs {

// After so many seconds of this computer's processor time. From the first call on.
void end_run_at_spinning(double seconds);

}  // namespace hindcast::programs
