// What C++ has for threads.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <numeric>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <sys/single_threaded.h>

#include "wrong.h"

using namespace std::chrono_literals;

namespace {

int made = 0;
int destroyed = 0;
struct Slow {
  Slow() {
    std::this_thread::sleep_for(5us);
    ++made;
  }
  int value = 42;
};
Slow& the_one() {
  static Slow one;
  return one;
}

struct PerThread {
  std::string text = "new";
  ~PerThread() { ++destroyed; }
};
thread_local PerThread per_thread;

void threads_have_their_own() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([i] {
      CHECK(per_thread.text == "new");
      per_thread.text = std::to_string(i);
      CHECK_IS(the_one().value, 42);
      CHECK(per_thread.text == std::to_string(i));
      CHECK(std::this_thread::get_id() != std::thread::id());
    });
  for (auto& thread : threads) thread.join();
  CHECK_IS(made, 1);
  CHECK_IS(destroyed, 6);
}

void futures() {
  std::vector<std::future<int>> parts;
  for (int i = 0; i < 8; ++i)
    parts.push_back(std::async(std::launch::async, [i] {
      std::this_thread::sleep_for(std::chrono::microseconds(10 - i));
      return i * i;
    }));
  int sum = 0;
  for (auto& part : parts) sum += part.get();
  CHECK_IS(sum, 140);
  auto fails = std::async(std::launch::async, []() -> int { throw std::runtime_error("as it should"); });
  try {
    fails.get();
    CHECK(false);
  } catch (const std::runtime_error& error) {
    CHECK(std::string(error.what()) == "as it should");
  }
  std::promise<int> promise;
  auto later = promise.get_future();
  std::thread keeper([&] {
    std::this_thread::sleep_for(20us);
    promise.set_value(3);
  });
  CHECK(later.wait_for(5us) == std::future_status::timeout);
  CHECK_IS(later.get(), 3);
  keeper.join();
}

void conditions() {
  std::mutex mutex;
  std::condition_variable condition;
  bool is_ready = false;
  std::thread other([&] {
    std::this_thread::sleep_for(10us);
    const std::lock_guard guard(mutex);
    is_ready = true;
    condition.notify_all();
  });
  std::unique_lock lock(mutex);
  const auto before = std::chrono::steady_clock::now();
  CHECK(!condition.wait_for(lock, 4us, [&] { return is_ready; }));
  CHECK_LASTED((std::chrono::steady_clock::now() - before) / 1us, 4);
  condition.wait(lock, [&] { return is_ready; });
  CHECK_LASTED((std::chrono::steady_clock::now() - before) / 1us, 10);
  lock.unlock();
  other.join();
  std::timed_mutex timed;
  timed.lock();
  std::thread([&] { CHECK(!timed.try_lock_for(3us)); }).join();
  timed.unlock();
  std::shared_mutex shared;
  int in = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i)
    readers.emplace_back([&] {
      const std::shared_lock reading(shared);
      ++in;
      std::this_thread::sleep_for(3us);
      CHECK_IS(in, 3);
    });
  for (auto& reader : readers) reader.join();
  std::condition_variable_any any;
  std::unique_lock again(mutex);
  CHECK(any.wait_for(again, 2us) == std::cv_status::timeout);
}

void once_and_again() {
  std::once_flag flag;
  int tries = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      try {
        std::call_once(flag, [&] {
          std::this_thread::sleep_for(1us);
          if (++tries == 1) throw std::runtime_error("once more");
        });
      } catch (const std::runtime_error&) {
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK_IS(tries, 2);
}

void of_cxx20() {
  std::atomic<int> value = 0;
  std::latch latch(3);
  std::counting_semaphore<4> semaphore(0);
  std::jthread waits([&] {
    value.wait(0);
    CHECK_IS(value.load(), 1);
    latch.arrive_and_wait();
  });
  std::jthread arrives([&] {
    semaphore.acquire();
    latch.arrive_and_wait();
  });
  std::this_thread::sleep_for(2us);
  value = 1;
  value.notify_all();
  semaphore.release();
  latch.arrive_and_wait();
  std::jthread asked_to_stop([](std::stop_token token) {
    while (!token.stop_requested()) std::this_thread::sleep_for(1us);
  });
}

void exceptions_are_their_own() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      try {
        throw i;
      } catch (int) {
        std::this_thread::sleep_for(std::chrono::microseconds(5 - i));
        try {
          throw;
        } catch (int number) {
          CHECK_IS(number, i);
        }
      }
    });
  for (auto& thread : threads) thread.join();
}

int unwound = 0;
struct Unwound {
  ~Unwound() { ++unwound; }
};
void* leaves(void*) {
  const Unwound outer;
  [] {
    const Unwound inner;
    try {
      pthread_exit(&unwound);
    } catch (...) {
      ++unwound;
      throw;
    }
  }();
  return nullptr;
}
void* is_cancelled(void*) {
  const Unwound unwinds;
  for (;;) std::this_thread::sleep_for(1s);
}
void frames_are_unwound() {
  pthread_t thread;
  void* result;
  pthread_create(&thread, nullptr, leaves, nullptr);
  pthread_join(thread, &result);
  CHECK(result == &unwound);
  CHECK_IS(unwound, 3);
  pthread_create(&thread, nullptr, is_cancelled, nullptr);
  std::this_thread::sleep_for(1us);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  CHECK(result == PTHREAD_CANCELED);
  CHECK_IS(unwound, 4);
}

// A thread that takes its callback back while another runs it waits for that to be over.
void callbacks_end_before_they_are_taken_back() {
  std::mutex mutex;
  std::condition_variable_any nothing;
  bool is_stopped = false;
  std::jthread waiting([&](std::stop_token stop) {
    std::unique_lock lock(mutex);
    CHECK(!nothing.wait(lock, stop, [] { return false; }));
    is_stopped = stop.stop_requested();
  });
  std::this_thread::sleep_for(5us);
  waiting.request_stop();
  waiting.join();
  CHECK(is_stopped);
}

}  // namespace

int main() {
  CHECK(__libc_single_threaded);
  threads_have_their_own();
  futures();
  conditions();
  once_and_again();
  of_cxx20();
  exceptions_are_their_own();
  frames_are_unwound();
  callbacks_end_before_they_are_taken_back();
  CHECK(!__libc_single_threaded);
  CHECK(std::thread::hardware_concurrency() >= 1);
  std::printf("right\n");
}
