#include "simulator/programs/threads/keys.hpp"

#include <limits.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace hindcast::programs {

namespace {

ProgramThreads::Key* key_of(ProgramThreads& threads, pthread_key_t key) {
  return key < threads.keys.size() && threads.keys[key].is_in_use ? &threads.keys[key] : nullptr;
}

}  // namespace

// A destructor may keep something anew: there are as many rounds as POSIX asks for.
void destroy_values(ProgramThread& thread) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool has_destroyed = false;
    for (std::size_t key = 0; key < thread.values.size(); ++key) {
      ProgramThread::Value& kept = thread.values[key];
      const ProgramThreads::Key of_all = thread.threads.keys[key];
      const void* const value = std::exchange(kept.value, nullptr);
      const bool is_live = of_all.is_in_use && kept.generation == of_all.generation;
      if (value == nullptr || !is_live || of_all.destructor == nullptr) continue;
      of_all.destructor(const_cast<void*>(value));
      has_destroyed = true;
    }
    if (!has_destroyed) return;
  }
}

}  // namespace hindcast::programs

using namespace hindcast::programs;

extern "C" {

int hindcast_pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  std::vector<ProgramThreads::Key>& keys = ProgramThreads::calling("pthread_key_create").threads.keys;
  auto free = std::find_if(keys.begin(), keys.end(), [](const ProgramThreads::Key& one) { return !one.is_in_use; });
  if (free == keys.end()) {
    if (keys.size() == PTHREAD_KEYS_MAX) return EAGAIN;
    free = keys.emplace(keys.end());
  }
  *free = {true, free->generation + 1, destructor};
  *key = static_cast<pthread_key_t>(free - keys.begin());
  return 0;
}

int hindcast_pthread_key_delete(pthread_key_t key) {
  ProgramThreads::Key* own = key_of(ProgramThreads::calling("pthread_key_delete").threads, key);
  if (own == nullptr) return EINVAL;
  own->is_in_use = false;
  return 0;
}

void* hindcast_pthread_getspecific(pthread_key_t key) {
  const ProgramThread& self = ProgramThreads::calling("pthread_getspecific");
  const ProgramThreads::Key* own = key_of(self.threads, key);
  if (own == nullptr || key >= self.values.size() || self.values[key].generation != own->generation) return nullptr;
  return const_cast<void*>(self.values[key].value);
}

int hindcast_pthread_setspecific(pthread_key_t key, const void* value) {
  ProgramThread& self = ProgramThreads::calling("pthread_setspecific");
  const ProgramThreads::Key* own = key_of(self.threads, key);
  if (own == nullptr) return EINVAL;
  if (key >= self.values.size()) self.values.resize(key + 1);
  self.values[key] = {value, own->generation};
  return 0;
}

}  // extern "C"
