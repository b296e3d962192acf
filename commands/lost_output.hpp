// Standard output that could not be written, on a disk that is full for one.
#pragma once

namespace hindcast {

// Whether some of it is lost, and not because whoever read it has had enough.
bool is_output_lost();
// At the end of a command: the status to exit with instead of `status`. What commands print last may be written only
// now. What is lost is told.
int status_after_output(int status);

}  // namespace hindcast
