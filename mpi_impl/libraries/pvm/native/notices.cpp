#include "mpi_impl/libraries/pvm/native/notices.hpp"

#include <algorithm>

#include "mpi_impl/libraries/pvm/include/pvm3.h"

namespace hindcast::pvm {

namespace {

template <typename Fits>
std::vector<Notice> take_fitting(std::vector<Notice>& all, Fits fits) {
  std::vector<Notice> taken;
  for (const Notice& notice : all)
    if (fits(notice)) taken.push_back(notice);
  std::erase_if(all, fits);
  return taken;
}

}  // namespace

std::vector<Notice> Notices::take(int what, int about) {
  return take_fitting(all_, [&](const Notice& notice) { return notice.what == what && notice.about == about; });
}

void Notices::set_for_new_hosts(const Notice& notice) {
  std::erase_if(all_, [&](const Notice& each) { return each.task == notice.task && each.what == PvmHostAdd; });
  if (notice.about != 0) all_.push_back(notice);
}

std::vector<Notice> Notices::take_own(const Notice& wanted) {
  const bool is_of_any = wanted.what == PvmHostAdd;  // the count is what is left of the first one
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Notice& notice) {
    return notice.task == wanted.task && notice.what == wanted.what && notice.tag == wanted.tag &&
           (is_of_any || notice.about == wanted.about);
  });
  if (found == all_.end()) return {};
  const Notice taken = *found;
  all_.erase(found);
  return {taken};
}

std::vector<Notice> Notices::count_new_hosts() {
  std::vector<Notice> told;
  for (Notice& notice : all_)
    if (notice.what == PvmHostAdd) {
      if (notice.about > 0) --notice.about;
      told.push_back(notice);
    }
  std::erase_if(all_, [](const Notice& notice) { return notice.what == PvmHostAdd && notice.about == 0; });
  return told;
}

void Notices::forget(int task) {
  std::erase_if(all_, [&](const Notice& notice) { return notice.task == task; });
}

}  // namespace hindcast::pvm
