// A rank's working directory. The real process has only one: it follows the rank that runs, once any rank has another.
#pragma once

#include <memory>
#include <string>

namespace hindcast::programs {

class WorkingDirectory {
 public:
  WorkingDirectory() = default;  // the launcher's
  // Sets errno and returns an invalid one if that is no directory, or cannot be entered.
  static WorkingDirectory at(const std::string& path);
  static WorkingDirectory of_descriptor(int descriptor);

  bool is_valid() const { return valid_; }
  // Makes it the real process's, unless it is that already.
  void enter() const;

 private:
  struct Handle {
    explicit Handle(int open_descriptor) : descriptor(open_descriptor) {}
    ~Handle();
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    int descriptor;
  };
  static WorkingDirectory from_open(int descriptor);

  std::shared_ptr<const Handle> handle_;  // none: the launcher's
  bool valid_ = true;
};

}  // namespace hindcast::programs
