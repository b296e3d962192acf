// How many processes will do: the info key "soft", a list of numbers and of ranges first:last and first:last:stride.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace hindcast::mpi {

class Soft {
 public:
  // Nothing if the text is not such a list.
  static std::optional<Soft> parse(std::string_view text);

  // The largest number of the list that is not above `most`, and not below 0.
  std::optional<int> largest_up_to(int most) const;

 private:
  struct Range {
    long first;
    long last;
    long stride;
    std::optional<int> largest_up_to(int most) const;
  };
  static std::optional<Range> parse_range(std::string_view text);

  std::vector<Range> ranges_;
};

}  // namespace hindcast::mpi
