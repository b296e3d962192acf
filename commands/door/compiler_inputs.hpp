// What files a compiler's command line names.
#pragma once

#include <string_view>

namespace hindcast {

class CompilerInputs {
 public:
  // The value of -x: what the files that follow are taken to be.
  void take_following_as(std::string_view language) { language_ = language; }
  void add(std::string_view file);

  bool any() const { return any_; }
  // The compiler then makes precompiled headers, and links nothing.
  bool are_headers_alone() const { return any_ && !any_other_than_headers_; }

 private:
  std::string_view language_ = "none";
  bool any_ = false;
  bool any_other_than_headers_ = false;
};

}  // namespace hindcast
