#include "commands/words/mpiexec_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>
#include <string_view>

namespace hindcast {

namespace {

struct MpiexecOption {
  std::string_view name;
  bool is_ignored;
  std::string_view instead;
};

constexpr std::string_view by_map = "--map says which nodes ranks run on";

// Those of the standard, and those by which other launchers are told of hosts. --host is an option of ours.
constexpr std::array<MpiexecOption, 12> mpiexec_options = {{
    {"-host", true, by_map},
    {"-hosts", true, by_map},
    {"-hostfile", true, by_map},
    {"--hostfile", true, by_map},
    {"-machinefile", true, by_map},
    {"--machinefile", true, by_map},
    {"-arch", true, "-m says which machine ranks run on"},
    {"-soft", true, "as many ranks run as -n says"},
    {"-path", false, "give the program with its folder, or add that to PATH"},
    {"-file", false, "give its options here"},
    {"-configfile", false, "give its lines here, with ' : ' between them"},
    {"-ppn", false, "--map block:K puts K ranks on each node"},
}};

}  // namespace

bool take_mpiexec_option(std::vector<std::string>& words, std::size_t at) {
  const std::string word = words[at];
  const std::size_t equals = word.find('=');
  const auto option = std::find_if(mpiexec_options.begin(), mpiexec_options.end(),
                                   [&](const MpiexecOption& one) { return one.name == word.substr(0, equals); });
  if (option == mpiexec_options.end()) return false;
  if (!option->is_ignored)
    throw std::invalid_argument(fmt::format("{}: no such option here; {}", option->name, option->instead));
  const bool has_value_joined = equals != std::string::npos;
  if (!has_value_joined && at + 1 == words.size())
    throw std::invalid_argument(fmt::format("{}: its value is missing", word));
  const std::string shown = has_value_joined ? word : word + " " + words[at + 1];
  fmt::print(stderr, "hindcast: {} is ignored: {}\n", shown, option->instead);
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
  words.erase(first, first + (has_value_joined ? 1 : 2));
  return true;
}

}  // namespace hindcast
