#include "commands/run/program_line.hpp"

#include <algorithm>

namespace hindcast {

namespace {

bool takes_a_value(const CLI::App& command, const std::string& word) {
  const bool has_it_joined = word.starts_with("--") ? word.find('=') != std::string::npos : word.size() > 2;
  const CLI::Option* option = command.get_option_no_throw(word.starts_with("--") ? word : word.substr(0, 2));
  return option != nullptr && !has_it_joined && option->get_items_expected_max() > 0;
}

}  // namespace

std::vector<std::string> take_program_words(const CLI::App& command, std::vector<std::string>& words) {
  std::size_t at = 0;
  for (; at < words.size() && words[at].starts_with('-') && words[at].size() > 1; ++at) {
    if (words[at] == "-np") words[at] = "-n";
    if (words[at].starts_with("-wd")) words[at] = words[at].find("dir") == 3 ? "-" + words[at] : "--wdir";
    if (words[at] == "--") break;
    if (takes_a_value(command, words[at])) ++at;
  }
  const std::size_t end = std::min(at, words.size());
  const bool has_mark = end < words.size() && words[end] == "--";
  std::vector<std::string> program(words.begin() + static_cast<std::ptrdiff_t>(end + (has_mark ? 1 : 0)), words.end());
  words.resize(end);
  return program;
}

ProgramLine take_program_line(const CLI::App& command, std::vector<std::string>& words) {
  const std::vector<std::string> rest = take_program_words(command, words);
  ProgramLine line;
  line.options = words;
  std::vector<std::string>* part = &line.first;
  const bool is_alone = std::find(words.begin(), words.end(), alone) != words.end();
  for (const std::string& word : rest) {
    if (word == ":" && !is_alone)
      part = &line.further.emplace_back();
    else
      part->push_back(word);
  }
  return line;
}

}  // namespace hindcast
