// Says once, while a run goes on, that a rank computes and computes, which does not move its clock: a program that
// measures until some time has passed would not end, and nothing would say why.
#pragma once

namespace hindcast::programs {

// From the first call on, after a few seconds of this computer's processor time.
void tell_of_standing_clock();

}  // namespace hindcast::programs
