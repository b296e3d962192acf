// Packing and unpacking, by a call.
#pragma once

#include "mpi_impl/libraries/pvm/calls/call.hpp"

namespace hindcast::pvm {

// Into the buffer that is packed, from the one that is unpacked. PvmOk or an error code.
int pack(Call& call, const Items& items);
int unpack(Call& call, const Items& items);
int pack_text(Call& call, const char* text);
int unpack_text(Call& call, char* text);
// A new buffer is packed from now on; its id or an error code.
int begin_to_pack(Call& call, int encoding);
// What it takes.
void spend_packing(Call& call, std::size_t bytes);
void spend_unpacking(Call& call, std::size_t bytes);

}  // namespace hindcast::pvm
