#include "simulator/engine/process_wide.hpp"

namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept;
}  // namespace __cxxabiv1

namespace hindcast::process_wide {

Thread* running_thread = nullptr;
CaughtExceptions* caught_exceptions = nullptr;

void find_caught_exceptions() {
  caught_exceptions = reinterpret_cast<CaughtExceptions*>(__cxxabiv1::__cxa_get_globals());
}

}  // namespace hindcast::process_wide
