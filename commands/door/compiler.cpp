#include "commands/door/compiler.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "commands/door/compiler_answers.hpp"
#include "commands/door/compiler_flags.hpp"
#include "commands/door/compiler_inputs.hpp"
#include "commands/door/streams_wanted.hpp"

namespace hindcast {

namespace {

template <std::size_t count>
bool is_one_of(std::string_view word, const std::array<std::string_view, count>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Options whose value is the next word.
bool takes_next_word(std::string_view word) {
  constexpr std::array<std::string_view, 28> options = {
      "-o",          "-x",         "-I",      "-L",       "-l",
      "-D",          "-U",         "-T",      "-u",       "-z",
      "-e",          "-F",         "-B",      "-include", "-imacros",
      "-isystem",    "-idirafter", "-iquote", "-iprefix", "-isysroot",
      "-MF",         "-MT",        "-MQ",     "-Xlinker", "-Xpreprocessor",
      "-Xassembler", "--param",    "-J"};
  return is_one_of(word, options);
}

// A program here is a shared object that can also be started (docs/programs.md): never an executable tied to one place.
bool asks_for_an_ordinary_executable(std::string_view word) {
  constexpr std::array<std::string_view, 10> options = {"-pie",     "-no-pie",  "-nopie",   "-fPIE",    "-fpie",
                                                        "-fno-PIE", "-fno-pie", "-fno-PIC", "-fno-pic", "-Wl,-pie"};
  return is_one_of(word, options);
}

// Sanitizers that keep a copy of the address space, or of its threads, have to be there before the launcher is.
bool asks_for_a_whole_process(std::string_view word) {
  constexpr std::string_view option = "-fsanitize=";
  if (!word.starts_with(option)) return false;
  std::string wanted = ",";
  wanted.append(word.substr(option.size())).append(",");
  for (const char* sanitizer : {",address,", ",thread,", ",leak,", ",memory,", ",hwaddress,"})
    if (wanted.find(sanitizer) != std::string::npos) return true;
  return false;
}

// Why a program cannot be compiled with an option; empty if it can.
std::string refusal(Language language, std::string_view word) {
  if (word == "-static" || word == "-static-pie")
    return "a program is loaded once for every rank, which a static one cannot be; leave it out";
  if (asks_for_a_whole_process(word))
    return "its library has to be the first of a process, which a rank's program never is; "
           "-fsanitize=undefined works";
  if (language != Language::fortran) return "";
  if (word == "-fdefault-integer-8" || word == "-finteger-4-integer-8")
    return "MPI's integers are of 4 bytes here, and a call would be given the wrong ones; declare those of 8 bytes as "
           "integer(8)";
  if (word == "-fno-underscoring" || word == "-fsecond-underscore" || word == "-ff2c")
    return "MPI's names end in one underscore, as gfortran writes them by itself; leave it out";
  return "";
}

// Each rank has gfortran's library to itself as it is, and the static one cannot be loaded so.
bool is_left_out(std::string_view word) {
  return asks_for_an_ordinary_executable(word) || word == "-static-libgfortran" || word == "-static-libquadmath";
}

struct CommandLine {
  Words words;                  // the user's, without those that cannot be
  std::string question;         // -show and its kin
  std::string compiler_option;  // -cc=clang
  std::string refused, reason;
  CompilerInputs inputs;
  bool links = true;
  bool makes_library = false;
  bool chooses_linker = false;
};

// -cc=clang and its like: another compiler for this once.
bool chooses_compiler(Language language, std::string_view word) {
  constexpr std::array<std::string_view, 1> for_c = {"-cc"};
  constexpr std::array<std::string_view, 2> for_cxx = {"-cxx", "-CC"};
  constexpr std::array<std::string_view, 3> for_fortran = {"-fc", "-f90", "-f77"};
  const std::size_t end = word.find('=');
  if (end == std::string_view::npos) return false;
  const std::string_view option = word.substr(0, end);
  return language == Language::c     ? is_one_of(option, for_c)
         : language == Language::cxx ? is_one_of(option, for_cxx)
                                     : is_one_of(option, for_fortran);
}

// What concerns the whole command, whichever word it is.
void note(CommandLine& line, Language language, const std::string& word) {
  constexpr std::array<std::string_view, 9> stops = {
      "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--compile", "--assemble", "--preprocess"};
  if (std::string reason = refusal(language, word); !reason.empty()) {
    line.refused = word;
    line.reason = std::move(reason);
  }
  if (is_one_of(word, stops)) line.links = false;
  if (word.starts_with("-fuse-ld=")) line.chooses_linker = true;
  if (word == "-shared" || word == "-r") line.makes_library = true;
}

CommandLine read(Language language, const Words& arguments) {
  CommandLine line;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (is_question(word)) {
      line.question = word;
      continue;
    }
    if (chooses_compiler(language, word)) {
      line.compiler_option = word;
      continue;
    }
    note(line, language, word);
    if (is_left_out(word)) continue;
    line.words.push_back(word);
    if (takes_next_word(word) && i + 1 < arguments.size()) {
      line.words.push_back(arguments[++i]);
      if (word == "-x") line.inputs.take_following_as(arguments[i]);
    } else if (word.starts_with("-x")) {
      line.inputs.take_following_as(std::string_view(word).substr(2));
    } else if (!word.starts_with('-') || word == "-") {
      line.inputs.add(word);
    }
  }
  if (line.inputs.are_headers_alone()) line.links = false;
  return line;
}

struct CompilerChoice {
  std::string by;  // what has chosen it
  std::string command;
};

CompilerChoice choose_compiler(Language language, const std::string& option) {
  struct Choice {
    const char* variable;
    const char* usual;
  };
  constexpr std::array<Choice, 3> choices = {
      {{"HINDCAST_CC", "gcc"}, {"HINDCAST_CXX", "g++"}, {"HINDCAST_FC", "gfortran"}}};
  if (!option.empty()) return {option, option.substr(option.find('=') + 1)};
  const Choice& choice = choices[static_cast<std::size_t>(language)];
  const char* chosen = std::getenv(choice.variable);
  return {choice.variable, chosen != nullptr ? chosen : choice.usual};
}

// The compiler may be given with options of its own.
Words split(const std::string& text) {
  Words words;
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

Words full_command(const Words& compiler, const CommandLine& line, const CompilerFlags& flags) {
  const Steps steps = steps_asked_for(line.question);
  const bool only_asked = !line.question.empty();
  Words command = compiler;
  const auto append = [&](const Words& words) { command.insert(command.end(), words.begin(), words.end()); };
  if ((line.inputs.any() || only_asked) && steps != Steps::linking) append(flags.to_compile());
  append(line.words);
  if ((line.inputs.any() || only_asked) && line.links && steps != Steps::compiling) {
    append(line.makes_library ? flags.to_link_library() : flags.to_link_program(!line.chooses_linker));
    if (!line.makes_library && take_streams_to_be_in_the_program(line.words)) append({"-lhindcast_streams"});
  }
  return command;
}

int start(const Words& command) {
  std::vector<char*> pointers;
  for (const std::string& word : command) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  std::fprintf(stderr, "hindcast: cannot start the compiler %s: %s\n", pointers.front(), std::strerror(errno));
  return 127;
}

}  // namespace

int compile(Language language, const std::vector<std::string>& arguments) {
  const CommandLine line = read(language, arguments);
  const CompilerChoice choice = choose_compiler(language, line.compiler_option);
  const Words compiler = split(choice.command);
  if (compiler.empty()) {
    std::fprintf(stderr, "hindcast: %s names no compiler\n", choice.by.c_str());
    return 1;
  }
  if (!line.refused.empty()) {
    std::fprintf(stderr, "hindcast: %s: %s\n", line.refused.c_str(), line.reason.c_str());
    return 1;
  }
  const CompilerFlags flags(language, compiler.front());
  const Words command = full_command(compiler, line, flags);
  return line.question.empty() ? start(command) : answer(line.question, {language, compiler, flags, command});
}

}  // namespace hindcast
