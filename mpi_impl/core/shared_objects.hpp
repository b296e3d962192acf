// Gives all ranks that ask for the same thing the same one, as long as somebody has it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>

namespace hindcast::mpi {

// A T is made from a Key, which it is known by.
template <typename Key, typename T>
class SharedObjects {
 public:
  std::shared_ptr<const T> get(Key key) {
    if (known_.size() >= tidy_at_) forget_gone();
    std::weak_ptr<const T>& known = known_[key];
    std::shared_ptr<const T> shared = known.lock();
    if (shared == nullptr) {
      shared = std::make_shared<const T>(std::move(key));
      known = shared;
    }
    return shared;
  }
  std::size_t known() const { return known_.size(); }

 private:
  static constexpr std::size_t least_tidy_at = 64;

  // So seldom that it costs little per object.
  void forget_gone() {
    std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
    tidy_at_ = std::max(least_tidy_at, 2 * known_.size());
  }

  std::map<Key, std::weak_ptr<const T>> known_;
  std::size_t tidy_at_ = least_tidy_at;
};

}  // namespace hindcast::mpi
