// The heap of a run of many ranks in large pages.
#pragma once

#include <cstddef>

namespace hindcast::programs {

// What is allocated next, `bytes` of it, lies in pages of 2 MiB where the system has them. What a thousand ranks keep
// fills more small pages than the processor remembers the addresses of, and each message looks at several of them.
void grow_heap_in_large_pages(std::size_t bytes);

}  // namespace hindcast::programs
