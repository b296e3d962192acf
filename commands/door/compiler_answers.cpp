#include "commands/door/compiler_answers.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "commands/lost_output.hpp"
#include "simulator/engine/name_and_version.hpp"

namespace hindcast {

namespace {

std::string quoted_for_shell(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\n\"'\\$&;|<>()*?#`") == std::string::npos) return word;
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

int print(const Words& words) {
  for (std::size_t i = 0; i < words.size(); ++i) std::printf("%s%s", i > 0 ? " " : "", words[i].c_str());
  std::printf("\n");
  return status_after_output(0);
}

Words all_quoted(Words words) {
  for (std::string& word : words) word = quoted_for_shell(word);
  return words;
}

// Where the compiler finds a library of its own.
std::string path_of_library(const Words& compiler, const std::string& name) {
  std::string command;
  for (const std::string& word : compiler) command += quoted_for_shell(word) + " ";
  std::string path;
  std::FILE* output = popen((command + "-print-file-name=" + name).c_str(), "r");
  if (output == nullptr) return name;
  for (int letter = std::fgetc(output); letter != EOF && letter != '\n'; letter = std::fgetc(output))
    path += static_cast<char>(letter);
  pclose(output);
  return path;
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
Words compile_flags_for_cmake(const CompilerFlags& flags) {
  Words words = flags.to_compile();
  const auto pic = std::find(words.begin(), words.end(), "-fPIC");
  words.erase(pic);
  const auto bearer = std::find_if(words.begin(), words.end(), [](const auto& word) { return word.starts_with("-f"); });
  *bearer += "\\;-fPIC";
  return words;
}

// FindMPI drops -static-libstdc++, but keeps a library that is given by its path; the compiler's own -lstdc++ comes
// later, and is left out as nothing needs it any more.
Words link_flags_for_cmake(const CompilerFlags& flags, const Words& compiler) {
  Words words = flags.to_link_by_cmake();
  if (std::find(words.begin(), words.end(), "-static-libstdc++") != words.end()) {
    const auto library = std::find(words.begin(), words.end(), "-lhindcast");
    words.insert(library, path_of_library(compiler, "libstdc++.a"));
    words.push_back("-Wl,--as-needed");
  }
  return words;
}

// The names of the libraries among flags that tell the linker other things too.
Words names_of_libraries(const Words& link_flags) {
  Words names;
  for (const std::string& flag : link_flags)
    if (flag.starts_with("-l")) names.push_back(flag.substr(2));
  return names;
}

std::string version_of(Language language) {
  constexpr std::array<const char*, 3> names = {"C", "C++", "Fortran"};
  return std::string(name_and_version) + " (Language: " + names[static_cast<std::size_t>(language)] + ")";
}

// A question in its plain form: one dash is as good as two, and an underscore as good as a dash.
std::string plain(std::string_view word) {
  if (word.starts_with("--")) word.remove_prefix(1);
  std::string text(word);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

int refuse(std::string_view question) {
  std::fprintf(stderr,
               "hindcast: %.*s: no such question; there are -showme:compile, link, incdirs, libdirs, libs, command and "
               "version\n",
               static_cast<int>(question.size()), question.data());
  return 1;
}

}  // namespace

bool is_question(std::string_view word) {
  const std::string asked = plain(word);
  return asked == "-show" || asked == "-showme" || asked.starts_with("-showme:") || asked == "-compile-info" ||
         asked == "-link-info";
}

Steps steps_asked_for(std::string_view question) {
  const std::string asked = plain(question);
  return asked == "-compile-info" ? Steps::compiling : asked == "-link-info" ? Steps::linking : Steps::all;
}

int answer(std::string_view question, const Wrapper& wrapper) {
  const std::string asked = plain(question);
  const std::size_t colon = asked.find(':');
  if (colon == std::string::npos) return print(all_quoted(wrapper.command));
  const std::string what = asked.substr(colon + 1);
  const CompilerFlags& flags = wrapper.flags;
  if (what == "compile")
    return print(is_asked_by_cmake() ? compile_flags_for_cmake(flags) : all_quoted(flags.to_compile()));
  if (what == "link")
    return print(is_asked_by_cmake() ? link_flags_for_cmake(flags, wrapper.compiler)
                                     : all_quoted(flags.to_link_program()));
  if (what == "incdirs") return print(all_quoted({flags.include_folder()}));
  if (what == "libdirs") return print(all_quoted({flags.library_folder()}));
  if (what == "libs") return print(names_of_libraries(flags.to_link_program()));
  if (what == "command") return print(all_quoted(wrapper.compiler));
  if (what == "version") return print({version_of(wrapper.language)});
  return refuse(question);
}

}  // namespace hindcast
