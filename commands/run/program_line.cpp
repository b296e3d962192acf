#include "commands/run/program_line.hpp"

#include <algorithm>

#include "commands/words/mpiexec_options.hpp"
#include "commands/words/option_words.hpp"

namespace hindcast {

namespace {

// mpirun's spellings of our options, as CLI11 knows them.
void respell(std::string& word) {
  if (word == "-np") word = "-n";
  if (word == "-version") word = "--version";
  if (word.starts_with("-wd")) word = word.find("dir") == 3 ? "-" + word : "--wdir";
}

}  // namespace

std::vector<std::string> take_program_words(const CLI::App& command, std::vector<std::string>& words) {
  std::size_t at = 0;
  while (at < words.size() && words[at].starts_with('-') && words[at].size() > 1 && words[at] != "--") {
    if (take_mpiexec_option(words, at)) continue;
    respell(words[at]);
    refuse_long_word_of_one_dash(command, words[at]);
    at += takes_a_value(command, words[at]) ? 2 : 1;
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
