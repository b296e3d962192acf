// Who is told that something is over which hardware does by itself.
#pragma once

#include "simulator/engine/fetching.hpp"

namespace hindcast {

// Told, in a handler, that what it was given to is over, now.
class DoneSink {
 public:
  virtual void done() = 0;
  // It will be told soon, and is there itself (simulator/engine/fetching.hpp): two levels.
  virtual void fetch(FetchLevel) const {}

 protected:
  ~DoneSink() = default;
};

}  // namespace hindcast
