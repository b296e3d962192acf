#include "commands/door/compiler.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "commands/door/installation.hpp"
#include "commands/door/streams_wanted.hpp"

namespace hindcast {

namespace {

using Words = std::vector<std::string>;

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
  Words words;           // the user's, without those that cannot be
  std::string question;  // -show and its kin
  std::string refused, reason;
  bool has_input = false;
  bool links = true;
  bool makes_library = false;
  bool chooses_linker = false;
};

CommandLine read(Language language, const Words& arguments) {
  constexpr std::array<std::string_view, 15> questions = {
      "-show",           "--show",           "-showme",       "--showme",      "-showme:command",
      "-showme:compile", "--showme:compile", "-showme:link",  "--showme:link", "-showme:incdirs",
      "-showme:libdirs", "-compile-info",    "-compile_info", "-link-info",    "-link_info"};
  constexpr std::array<std::string_view, 6> stops = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"};
  CommandLine line;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (is_one_of(word, questions)) {
      line.question = word;
      continue;
    }
    if (const std::string reason = refusal(language, word); !reason.empty()) {
      line.refused = word;
      line.reason = reason;
    }
    if (is_left_out(word)) continue;
    if (is_one_of(word, stops)) line.links = false;
    if (word.starts_with("-fuse-ld=")) line.chooses_linker = true;
    if (word == "-shared" || word == "-r") line.makes_library = true;
    line.words.push_back(word);
    if (takes_next_word(word) && i + 1 < arguments.size())
      line.words.push_back(arguments[++i]);
    else if (!word.starts_with('-') || word == "-")
      line.has_input = true;
  }
  return line;
}

class Flags {
 public:
  Flags(Language language, const std::string& compiler)
      : language_(language), is_gnu_(compiler.find("clang") == std::string::npos), prefix_(installation_prefix()) {}

  std::string include_folder() const { return prefix_ / "include"; }
  std::string library_folder() const { return prefix_ / "lib"; }

  Words to_compile() const {
    Words flags = {"-I" + include_folder(), "-fPIC", "-fno-semantic-interposition", "-fstack-clash-protection"};
    // Otherwise all ranks would share C++'s inline variables and the statics of templates.
    if (is_gnu_ && language_ != Language::fortran) flags.push_back("-fno-gnu-unique");
    // By mpif.h nobody tells the compiler that a buffer may be of any type. Of a backtrace only the addresses would be
    // known, which differ from run to run, and signals are ours to report.
    if (is_gnu_ && language_ == Language::fortran) append(flags, {"-fallow-argument-mismatch", "-fno-backtrace"});
    return flags;
  }

  // A rank has its own of what it is linked with statically: the C++ library, and the archive of libc's state.
  Words to_link_program(bool with_usual_linker = true) const {
    Words flags = {"-shared", "-Wl,-shared", "-Wl,-Bsymbolic", "-Wl,--no-undefined", "-Wl,-e,hindcast_program_entry"};
    // Otherwise only hindcast_rank, the last library, would ask for main, too late for one in a library of the
    // program's.
    flags.push_back("-Wl,-u,main");
    // No padding between its parts, as every rank has them all. Not every linker can leave it out.
    if (with_usual_linker) append(flags, {"-Wl,-z,norelro", "-Wl,-z,noseparate-code"});
    append(flags, libraries());
    flags.insert(flags.end() - 1, "-lhindcast_rank");
    return flags;
  }
  Words to_link_library() const {
    Words flags = {"-Wl,-Bsymbolic"};
    append(flags, libraries());
    return flags;
  }
  // CMake gives the same flags to programs and to shared libraries: what only a program has, the compiler adds itself
  // as it reads the file of specs. That stands in the place of a spec that is empty on Linux, as a program of several
  // languages has the file given several times. It also puts OpenMP's calls before libgomp.so, which FindOpenMP gives
  // by its path. FindMPI keeps of such flags those that begin with -Wl, and takes a semicolon for a space.
  Words to_link_by_cmake() const {
    if (!is_gnu_) return to_link_program();
    const std::string folder = library_folder();
    Words flags = {"-Wl,-shared", "-Wl,-Bsymbolic;-specs=" + folder + "/hindcast_program.specs;-L" + folder};
    append(flags, libraries());
    return flags;
  }

 private:
  static void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

  Words libraries() const {
    Words flags = {"-static-libgcc"};
    if (language_ == Language::cxx) flags.push_back("-static-libstdc++");
    flags.push_back("-Wl,--exclude-libs,libstdc++:libsupc++:libgcc:libgcc_eh");
    // Fortran's constants, such as MPI_BOTTOM, are addresses.
    flags.push_back("-Wl,--dynamic-list=" + library_folder() + "/hindcast_fortran.list");
    append(flags, {"-L" + library_folder(), "-Wl,-rpath," + library_folder(), "-lhindcast_fortran", "-lhindcast"});
    return flags;
  }

  Language language_;
  bool is_gnu_;
  std::filesystem::path prefix_;
};

std::string compiler_of(Language language) {
  struct Choice {
    const char* variable;
    const char* usual;
  };
  constexpr std::array<Choice, 3> choices = {
      {{"HINDCAST_CC", "gcc"}, {"HINDCAST_CXX", "g++"}, {"HINDCAST_FC", "gfortran"}}};
  const Choice& choice = choices[static_cast<std::size_t>(language)];
  const char* chosen = std::getenv(choice.variable);
  return chosen != nullptr ? chosen : choice.usual;
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

std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\n\"'\\$&;|<>()*?#`") == std::string::npos) return word;
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

int print(const Words& words) {
  for (std::size_t i = 0; i < words.size(); ++i) std::printf("%s%s", i > 0 ? " " : "", words[i].c_str());
  std::printf("\n");
  return 0;
}

// Where the compiler finds a library of its own.
std::string path_of_library(const Words& compiler, const std::string& name) {
  std::string command;
  for (const std::string& word : compiler) command += quoted(word) + " ";
  std::string path;
  std::FILE* output = popen((command + "-print-file-name=" + name).c_str(), "r");
  if (output == nullptr) return name;
  for (int letter = std::fgetc(output); letter != EOF && letter != '\n'; letter = std::fgetc(output))
    path += static_cast<char>(letter);
  pclose(output);
  return path;
}

Words full_command(const Words& compiler, const CommandLine& line, const Flags& flags) {
  Words command = compiler;
  const auto append = [&](const Words& words) { command.insert(command.end(), words.begin(), words.end()); };
  const bool only_asked = !line.question.empty();
  if (line.has_input || only_asked) append(flags.to_compile());
  append(line.words);
  if ((line.has_input || only_asked) && line.links) {
    append(line.makes_library ? flags.to_link_library() : flags.to_link_program(!line.chooses_linker));
    if (!line.makes_library && take_streams_to_be_in_the_program(line.words)) append({"-lhindcast_streams"});
  }
  return command;
}

Words all_quoted(Words words) {
  for (std::string& word : words) word = hindcast::quoted(word);
  return words;
}

// CMake's FindMPI says so by these variables. It takes an answer apart and keeps of it only what looks to it as if it
// concerned MPI, and programs are then built without the wrapper.
bool is_asked_by_cmake() {
  const auto is_disabled = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && std::strcmp(value, "disable") == 0;
  };
  return is_disabled("I_MPI_DEBUG_INFO_STRIP") && is_disabled("I_MPI_FORT_BIND");
}

// FindMPI drops a -fPIC that is a word of its own. Behind an escaped semicolon it stays: CMake's lists are split there.
Words compile_flags_for_cmake(const Flags& flags) {
  Words words = flags.to_compile();
  const auto pic = std::find(words.begin(), words.end(), "-fPIC");
  words.erase(pic);
  const auto bearer = std::find_if(words.begin(), words.end(), [](const auto& word) { return word.starts_with("-f"); });
  *bearer += "\\;-fPIC";
  return words;
}

// FindMPI drops -static-libstdc++, but keeps a library that is given by its path; the compiler's own -lstdc++ comes
// later, and is left out as nothing needs it any more.
Words link_flags_for_cmake(const Flags& flags, const Words& compiler) {
  Words words = flags.to_link_by_cmake();
  if (std::find(words.begin(), words.end(), "-static-libstdc++") != words.end()) {
    const auto library = std::find(words.begin(), words.end(), "-lhindcast");
    words.insert(library, path_of_library(compiler, "libstdc++.a"));
    words.push_back("-Wl,--as-needed");
  }
  return words;
}

int answer(const CommandLine& line, const Words& compiler, const Flags& flags) {
  const std::string& question = line.question;
  if (question.ends_with(":compile") && is_asked_by_cmake()) return print(compile_flags_for_cmake(flags));
  if (question.ends_with(":link") && is_asked_by_cmake()) return print(link_flags_for_cmake(flags, compiler));
  if (question.ends_with("incdirs")) return print(all_quoted({flags.include_folder()}));
  if (question.ends_with("libdirs")) return print(all_quoted({flags.library_folder()}));
  if (question.ends_with("command")) return print(all_quoted(compiler));
  if (question.ends_with(":compile")) return print(all_quoted(flags.to_compile()));
  if (question.ends_with(":link")) return print(all_quoted(flags.to_link_program()));
  return print(all_quoted(full_command(compiler, line, flags)));
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
  const Words compiler = split(compiler_of(language));
  if (compiler.empty()) {
    std::fprintf(stderr, "hindcast: HINDCAST_CC, HINDCAST_CXX and HINDCAST_FC name no compiler\n");
    return 1;
  }
  if (!line.refused.empty()) {
    std::fprintf(stderr, "hindcast: %s: %s\n", line.refused.c_str(), line.reason.c_str());
    return 1;
  }
  const Flags flags(language, compiler.front());
  return line.question.empty() ? start(full_command(compiler, line, flags)) : answer(line, compiler, flags);
}

}  // namespace hindcast
