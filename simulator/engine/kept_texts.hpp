// Texts composed while a run is built, for step kinds, which keep pointers: each stays where it is as long as this
// does.
#pragma once

#include <deque>
#include <string>
#include <utility>

namespace hindcast {

class KeptTexts {
 public:
  KeptTexts() = default;
  KeptTexts(const KeptTexts&) = delete;
  KeptTexts& operator=(const KeptTexts&) = delete;

  const char* keep(std::string text) { return texts_.emplace_back(std::move(text)).c_str(); }

 private:
  std::deque<std::string> texts_;
};

}  // namespace hindcast
