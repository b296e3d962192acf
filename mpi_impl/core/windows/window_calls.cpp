// What a window is asked for, and what a program keeps with it: names, hints, attributes, error handlers.
#include <algorithm>
#include <cstring>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/windows/hints.hpp"
#include "mpi_impl/core/windows/windows.hpp"

namespace hindcast::mpi::body {

void Win_get_group(Process& process, Window& window, MPI_Group& handle) {
  handle = process.groups.give(window.comm->group);
}

void Win_set_name(Process&, Window& window, const char* name) {
  window.given_name = std::string(name, strnlen(name, MPI_MAX_OBJECT_NAME - 1));
}

void Win_get_name(Process&, Window& window, char* place, int& length) {
  std::memcpy(place, window.given_name.c_str(), window.given_name.size() + 1);
  length = static_cast<int>(window.given_name.size());
}

void Win_set_info(Process&, Window& window, Info& info) { change_window_hints(window, info); }

void Win_get_info(Process& process, Window& window, MPI_Info& handle) {
  Info& info = process.infos.create();
  info.hints = window.hints;
  handle = info.handle;
}

void Win_set_attr(Process& process, Window& window, Keyval& key, void* value) {
  window.attributes.set(process, window.handle, key, value);
}

namespace {

// Programs get the base itself, and pointers to the others.
const void* predefined_window_attribute(Window& window, int keyval) {
  const WindowTable::Member& member = window.member(window.rank());
  switch (keyval) {
    case MPI_WIN_BASE:
      return window.public_copy != nullptr ? window.public_copy->own() : member.base;
    case MPI_WIN_SIZE:
      return &member.size;
    case MPI_WIN_DISP_UNIT:
      return &member.disp_unit;
    case MPI_WIN_CREATE_FLAVOR:
      return &window.flavor;
    default:
      return &window.model;
  }
}

}  // namespace

void Win_get_attr(Process& process, Window& window, int keyval, void* place, int& flag) {
  const void* value = nullptr;
  if (const Keyval* key = find_keyval(process, keyval, Keyval::Of::win)) {
    void* const* found = window.attributes.find(*key);
    flag = found != nullptr;
    if (flag) value = *found;
  } else {
    flag = 1;
    value = predefined_window_attribute(window, keyval);
  }
  if (flag) std::memcpy(place, &value, sizeof value);
}

void Win_delete_attr(Process& process, Window& window, Keyval& key) {
  window.attributes.remove(process, window.handle, key);
}

void Win_set_errhandler(Process& process, Window& window, Errhandler& errhandler) {
  replace_errhandler(process, window.errhandler, errhandler);
}

void Win_get_errhandler(Process&, Window& window, MPI_Errhandler& handle) {
  ++window.errhandler->handles_given;
  handle = window.errhandler->handle;
}

void Win_call_errhandler(Process& process, Window& window, int code) {
  raise_and_go_on(process, *process.call(), {code, "", nullptr, &window});
}

}  // namespace hindcast::mpi::body
