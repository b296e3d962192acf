#include "simulator/hardware/node/atomic.hpp"

#include <cassert>
#include <cstring>

namespace hindcast {

namespace {

template <typename Word>
std::uint64_t perform(void* place, AtomicRequest request) {
  Word word;
  std::memcpy(&word, place, sizeof word);
  request.comparand_or_mask = static_cast<Word>(request.comparand_or_mask);
  const Word result = static_cast<Word>(result_of(request, word));
  std::memcpy(place, &result, sizeof result);
  return word;
}

}  // namespace

std::uint64_t perform_on_word(void* word, int bytes, const AtomicRequest& request) {
  assert(bytes == 4 || bytes == 8);
  return bytes == 4 ? perform<std::uint32_t>(word, request) : perform<std::uint64_t>(word, request);
}

}  // namespace hindcast
