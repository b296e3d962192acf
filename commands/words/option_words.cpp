#include "commands/words/option_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "simulator/machine/file/nearest_name.hpp"

namespace hindcast {

bool takes_a_value(const CLI::App& command, const std::string& word) {
  const bool has_it_joined = word.starts_with("--") ? word.find('=') != std::string::npos : word.size() > 2;
  const CLI::Option* option = command.get_option_no_throw(word.starts_with("--") ? word : word.substr(0, 2));
  return option != nullptr && !has_it_joined && option->get_items_expected_max() > 0;
}

std::string nearest_option(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string with_two_dashes = word.starts_with("--") ? word : "-" + word;
  const std::string without_value = with_two_dashes.substr(0, with_two_dashes.find('='));
  return std::find(names.begin(), names.end(), without_value) != names.end() ? without_value
                                                                             : nearest_name(without_value, names);
}

void refuse_long_word_of_one_dash(const CLI::App& command, const std::string& word) {
  if (word.size() <= 2 || word[0] != '-' || word[1] == '-') return;
  const CLI::Option* joined = command.get_option_no_throw(word.substr(0, 2));
  const bool lacks_a_dash = command.get_option_no_throw("-" + word) != nullptr;
  if (!lacks_a_dash && joined != nullptr && joined->get_items_expected_max() > 0) return;
  const std::string meant = nearest_option(command, word);
  throw std::invalid_argument(fmt::format("{}: no such option{} (hindcast {} --help)", word,
                                          meant.empty() ? "" : fmt::format(", did you mean '{}'?", meant),
                                          command.get_name()));
}

void refuse_long_words_of_one_dash(const CLI::App& command, const std::vector<std::string>& words) {
  for (std::size_t at = 0; at < words.size() && words[at] != "--"; ++at) {
    refuse_long_word_of_one_dash(command, words[at]);
    if (words[at].starts_with('-') && takes_a_value(command, words[at])) ++at;
  }
}

void take_whole_number(CLI::Option& option, std::int64_t least, std::int64_t most) {
  const auto read = [least, most](std::string& text) -> std::string {
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest != end || number < least || number > most)
      return fmt::format("Value {} is no whole number from {} {}", text, least,
                         most == INT32_MAX || most == INT64_MAX ? "on" : fmt::format("to {}", most));
    text = fmt::format("{}", number);
    return {};
  };
  option.transform(CLI::Validator(read, "", ""));
}

void refuse_empty_values(CLI::App& app) {
  const auto why_not = [](const std::string& value) -> std::string {
    return value.empty() ? "its value is empty; give one, or leave the option out" : "";
  };
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_max() > 0) option->check(CLI::Validator(why_not, "", ""));
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) refuse_empty_values(*command);
}

}  // namespace hindcast
