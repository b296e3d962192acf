// What a task keeps for roots of groups until they ask for it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "mpi_impl/libraries/pvm/native/inbox.hpp"

namespace hindcast::pvm {

struct Offer {
  const char* call;  // that has made it
  std::string group;
  int tag;
  int context;
  Contents contents;
};

class Offers {
 public:
  void add(Offer offer) { offers_.push_back(std::move(offer)); }
  bool has_any_for(const char* group) const {
    return std::any_of(offers_.begin(), offers_.end(), [&](const Offer& offer) { return offer.group == group; });
  }
  bool is_empty() const { return offers_.empty(); }

  // The first that somebody has asked for, and the question. Of those of one tag and context the oldest is the next.
  struct Wanted {
    Offer offer;
    Message question;
  };
  std::optional<Wanted> take_wanted(Inbox& inbox) {
    for (auto offer = offers_.begin(); offer != offers_.end(); ++offer)
      if (auto question = inbox.take(Inbox::any, offer->tag, offer->context)) {
        Wanted wanted{std::move(*offer), std::move(*question)};
        offers_.erase(offer);
        return wanted;
      }
    return std::nullopt;
  }

 private:
  std::vector<Offer> offers_;
};

}  // namespace hindcast::pvm
