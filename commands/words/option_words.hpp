// How words of the command line are read as options: what CLI11 would make of some of them is not what was meant.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace hindcast {

// Whether the next word is the value of the option that this word is.
bool takes_a_value(const CLI::App& command, const std::string& word);

// Throws std::invalid_argument if a word with one dash is none of the command's options, joined with its value or not:
// "-hello", which would be taken for -h and more.
void refuse_long_word_of_one_dash(const CLI::App& command, const std::string& word);

// The same of all words that may be options.
void refuse_long_words_of_one_dash(const CLI::App& command, const std::vector<std::string>& words);

// A number of digits, which is decimal: 010 is ten. It says of another that it is none from `least` on, or in the range
// if there is a largest.
void take_whole_number(CLI::Option& option, std::int64_t least, std::int64_t most = INT32_MAX);

// No option of the command, nor of any below it, takes an empty word, as a variable that is not set leaves behind.
void refuse_empty_values(CLI::App& app);

// The option of the command that was probably meant; empty if none is near.
std::string nearest_option(const CLI::App& command, const std::string& word);

}  // namespace hindcast
