// dlopen and its kin: a rank's handles and addresses are of its own program and libraries.
#include <dlfcn.h>

#include <string>

#include "simulator/programs/load/opened/opened_libraries.hpp"
#include "simulator/programs/load/program_error.hpp"
#include "simulator/programs/process/running_program.hpp"

namespace {

using hindcast::programs::OpenedLibraries;
using hindcast::programs::ProgramError;
using hindcast::programs::RunningProgram;

OpenedLibraries& opened_by_caller(const char* function) { return RunningProgram::calling(function).opened_libraries(); }

void* find_symbol(const char* function, void* handle, const char* name) {
  OpenedLibraries& opened = opened_by_caller(function);
  try {
    return opened.find(handle, name);
  } catch (const ProgramError& error) {
    opened.note_error(error.what());
    return nullptr;
  }
}

}  // namespace

extern "C" {

// The program has jumped here, so that the return address lies in the code that calls dlopen.
void* hindcast_dlopen(const char* path, int mode) {
  RunningProgram& program = RunningProgram::calling("dlopen");
  OpenedLibraries& opened = program.opened_libraries();
  try {
    return opened.open(path, mode, __builtin_return_address(0), program.arguments());
  } catch (const ProgramError& error) {
    opened.note_error(error.what());
    return nullptr;
  }
}

int hindcast_dlclose(void* handle) {
  OpenedLibraries& opened = opened_by_caller("dlclose");
  try {
    opened.close(handle);
    return 0;
  } catch (const ProgramError& error) {
    opened.note_error(error.what());
    return -1;
  }
}

void* hindcast_dlsym(void* handle, const char* name) { return find_symbol("dlsym", handle, name); }
// A library that the rank has for itself gives the usual version of a symbol, whichever is asked for.
void* hindcast_dlvsym(void* handle, const char* name, const char*) { return find_symbol("dlvsym", handle, name); }

char* hindcast_dlerror() { return const_cast<char*>(opened_by_caller("dlerror").take_error()); }

int hindcast_dladdr(const void* address, Dl_info* info) {
  return opened_by_caller("dladdr").describe(address, *info) ? 1 : dladdr(address, info);
}

}  // extern "C"
