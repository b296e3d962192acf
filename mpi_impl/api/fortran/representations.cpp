// MPI_Register_datarep: functions of Fortran's that convert data between memory and a file, which take addresses of all
// their arguments.
#include <memory>

#include "mpi_impl/api/fortran/entry.hpp"
#include "mpi_impl/core/files/files.hpp"

using namespace hindcast::mpi;
using namespace hindcast::mpi::fortran;

namespace {

using Conversion = void(void* memory, int* datatype, int* count, void* in_file, MPI_Offset* position,
                        MPI_Aint* extra_state, int* ierror);
using Extent = void(int* datatype, MPI_Aint* extent, MPI_Aint* extra_state, int* ierror);

struct FunctionsOfFortran {
  Conversion* read;
  Conversion* write;
  Extent* extent;
  MPI_Aint extra_state;
};

template <Conversion* FunctionsOfFortran::*function>
int convert(void* memory, MPI_Datatype datatype, int count, void* in_file, MPI_Offset position, void* functions) {
  auto& of_fortran = *static_cast<FunctionsOfFortran*>(functions);
  int code = MPI_SUCCESS;
  (of_fortran.*function)(memory, &datatype, &count, in_file, &position, &of_fortran.extra_state, &code);
  return code;
}

int extent_of(MPI_Datatype datatype, MPI_Aint* extent, void* functions) {
  auto& of_fortran = *static_cast<FunctionsOfFortran*>(functions);
  int code = MPI_SUCCESS;
  of_fortran.extent(&datatype, extent, &of_fortran.extra_state, &code);
  return code;
}

}  // namespace

// A name for that there is nothing to convert.
MPI_ENTRY void mpi_conversion_fn_null_(void*, int*, int*, void*, MPI_Offset*, MPI_Aint*, int* ierror) {
  *ierror = MPI_ERR_CONVERSION;
}

MPI_ENTRY void pmpi_register_datarep_(const char* name, Conversion* read, Conversion* write, Extent* extent,
                                      const MPI_Aint* extra_state, int* ierror, std::size_t name_length) {
  const Text name_text(name, name_length);
  auto functions = std::make_shared<FunctionsOfFortran>(FunctionsOfFortran{read, write, extent, *extra_state});
  const int code = PMPI_Register_datarep(
      name_text.c_str(), read != mpi_conversion_fn_null_ ? convert<&FunctionsOfFortran::read> : nullptr,
      write != mpi_conversion_fn_null_ ? convert<&FunctionsOfFortran::write> : nullptr, extent_of, functions.get());
  if (code == MPI_SUCCESS) calling_process()->files().keep(std::move(functions));
  give(ierror, code);
}
MPI_ALIAS("pmpi_register_datarep_")
void mpi_register_datarep_(const char* name, Conversion* read, Conversion* write, Extent* extent,
                           const MPI_Aint* extra_state, int* ierror, std::size_t name_length);
