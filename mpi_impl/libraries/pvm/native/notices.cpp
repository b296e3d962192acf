#include "mpi_impl/libraries/pvm/native/notices.hpp"

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

std::vector<Notice> Notices::take_own(int task, int what, int about) {
  const bool is_of_any = what == PvmHostAdd;
  return take_fitting(all_, [&](const Notice& notice) {
    return notice.task == task && notice.what == what && (is_of_any || notice.about == about);
  });
}

std::vector<Notice> Notices::count_new_host() {
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
