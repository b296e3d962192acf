// Who is told that something is over which hardware does by itself.
#pragma once

namespace hindcast {

// Told, in a handler, that what it was given to is over, now.
class DoneSink {
 public:
  virtual void done() = 0;

 protected:
  ~DoneSink() = default;
};

}  // namespace hindcast
