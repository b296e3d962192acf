// What hindcast says that it is: to who asks the launcher, its mpiexec or a compiler wrapper, and to a program that
// asks MPI's library.
#pragma once

namespace hindcast {

constexpr const char* name_and_version = "hindcast " HINDCAST_VERSION;

}  // namespace hindcast
