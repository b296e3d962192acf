#include "commands/door/compiler_flags.hpp"

#include "commands/door/installation.hpp"

namespace hindcast {

namespace {

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

}  // namespace

CompilerFlags::CompilerFlags(Language language, const std::string& compiler)
    : language_(language), is_gnu_(compiler.find("clang") == std::string::npos), prefix_(installation_prefix()) {}

Words CompilerFlags::to_compile() const {
  Words flags = {"-I" + include_folder(), "-fPIC", "-fno-semantic-interposition", "-fstack-clash-protection"};
  // Otherwise all ranks would share C++'s inline variables and the statics of templates.
  if (is_gnu_ && language_ != Language::fortran) flags.push_back("-fno-gnu-unique");
  // By mpif.h nobody tells the compiler that a buffer may be of any type. Of a backtrace only the addresses would be
  // known, which differ from run to run, and signals are ours to report.
  if (is_gnu_ && language_ == Language::fortran) append(flags, {"-fallow-argument-mismatch", "-fno-backtrace"});
  return flags;
}

// A rank has its own of what it is linked with statically: the C++ library, and the archive of libc's state.
Words CompilerFlags::to_link_program(bool with_usual_linker) const {
  Words flags = {"-shared", "-Wl,-shared", "-Wl,-Bsymbolic", "-Wl,--no-undefined", "-Wl,-e,hindcast_program_entry"};
  // Fortran's constants, such as MPI_BOTTOM, are addresses.
  flags.push_back("-Wl,--dynamic-list=" + library_folder() + "/hindcast_fortran.list");
  // Otherwise only hindcast_rank, the last library, would ask for main, too late for one in a library of the
  // program's.
  flags.push_back("-Wl,-u,main");
  // No padding between its parts, as every rank has them all. Not every linker can leave it out.
  if (with_usual_linker) append(flags, {"-Wl,-z,norelro", "-Wl,-z,noseparate-code"});
  append(flags, libraries());
  flags.insert(flags.end() - 1, "-lhindcast_rank");
  return flags;
}

// A library is not bound in itself, as a program is: what both define is the program's, once both are loaded.
Words CompilerFlags::to_link_library() const { return libraries(); }

// CMake gives the same flags to programs and to shared libraries: what only a program has, the compiler adds itself
// as it reads the file of specs. That stands in the place of a spec that is empty on Linux, as a program of several
// languages has the file given several times. It also puts OpenMP's calls before libgomp.so, which FindOpenMP gives
// by its path. FindMPI keeps of such flags those that begin with -Wl, and takes a semicolon for a space. By -B the
// compiler finds hindcast_fortran.list, which the specs name.
Words CompilerFlags::to_link_by_cmake() const {
  if (!is_gnu_) return to_link_program();
  const std::string folder = library_folder();
  Words flags = {"-Wl,-shared;-specs=" + folder + "/hindcast_program.specs;-B" + folder + ";-L" +
                 private_library_folder() + ";-L" + folder};
  append(flags, libraries());
  return flags;
}

// The unwinder is the system's, which has nothing of a rank: an exception that a library throws and the program catches
// may go through one unwinder only.
Words CompilerFlags::libraries() const {
  Words flags;
  if (language_ == Language::cxx) flags.push_back("-static-libstdc++");
  flags.push_back("-Wl,--exclude-libs,libstdc++:libsupc++:libgcc:libgcc_eh");
  append(flags, {"-L" + private_library_folder(), "-L" + library_folder(), "-Wl,-rpath," + library_folder(),
                 "-lhindcast_fortran", "-lhindcast"});
  return flags;
}

}  // namespace hindcast
