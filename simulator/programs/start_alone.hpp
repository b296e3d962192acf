// What a program that is started by itself looks at.
#pragma once

namespace hindcast::programs {

// The variable of the environment with the options of the run that such a program begins, and what stands between two
// of them. Whoever sets it may start the program by way of another.
inline constexpr const char* options_variable = "HINDCAST_RUN_OPTIONS";
inline constexpr char between_options = '\x1f';

}  // namespace hindcast::programs
