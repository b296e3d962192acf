// Semaphores that a program knows by name: of this rank alone.
#pragma once

#include <semaphore.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hindcast::programs {

class NamedSemaphores {
 public:
  sem_t* find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found != by_name_.end() ? found->second : nullptr;
  }
  sem_t* make(const std::string& name) {
    all_.push_back(std::make_unique<sem_t>());
    return by_name_[name] = all_.back().get();
  }
  // Who has it open may go on using it.
  bool unlink(const std::string& name) { return by_name_.erase(name) > 0; }

 private:
  std::map<std::string, sem_t*> by_name_;
  std::vector<std::unique_ptr<sem_t>> all_;
};

}  // namespace hindcast::programs
