// For the build with sanitizers only: what they are told wherever ASAN_OPTIONS and UBSAN_OPTIONS do not say otherwise.
// They look for these functions in the executable first, and in libhindcast where a program is started by itself.
#if defined(__SANITIZE_ADDRESS__)

#pragma GCC visibility push(default)
extern "C" {

// Signals of a rank are hindcast's affair, and memory that is not to be had is the program's. SimGrid guards the stacks
// of threads by pages of the heap that nobody may read, a search for leaks through the heap included.
const char* __asan_default_options() {
  return "allocator_may_return_null=1:detect_leaks=0:use_sigaltstack=0:verify_asan_link_order=0:"
         "handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0";
}

// Otherwise a run with undefined behaviour would go on, and a test of it might pass.
const char* __ubsan_default_options() { return "halt_on_error=1:print_stacktrace=1"; }

}  // extern "C"
#pragma GCC visibility pop

#endif
