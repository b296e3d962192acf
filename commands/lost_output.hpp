// Standard output that could not be written, on a disk that is full for one.
#pragma once

namespace hindcast {

// Whether some of it is lost, and not because whoever read it has had enough.
bool is_output_lost();
// To be called at the end of a command, as what it has printed last may be written only then. Tells the user if output
// is lost, and gives the status to exit with instead of `status`.
int status_after_output(int status);

}  // namespace hindcast
