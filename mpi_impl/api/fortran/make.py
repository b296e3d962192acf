"""Makes the Fortran interface from the tables in the folder above.

make.py INCLUDE_FOLDER GENERATED_FOLDER LIBRARY_FOLDER
"""

import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))
from constants import CALLBACKS, NO_CONVERSION, make_addresses, make_list_for_linker, make_mpif_h, types_of_handles
from entries import make_entry_points, make_names
from forms import NOT_IN_MPI_F08, fortran_functions
from generate import NOTE, read_functions
from generated_file import write_if_changed
from modules import make_mpi, make_mpi_f08

HERE = Path(__file__).parent


def main() -> None:
    include, generated = Path(sys.argv[1]), Path(sys.argv[2]) / "mpi_impl/api/fortran"
    constants = tomllib.loads((HERE.parent / "constants.toml").read_text())
    functions = fortran_functions(read_functions())
    in_mpi_f08 = [function for function in functions if function.name not in NOT_IN_MPI_F08]
    write_if_changed(include / "mpif.h", make_mpif_h(constants))
    write_if_changed(generated / "constants.s", make_addresses())
    write_if_changed(Path(sys.argv[3]) / "hindcast_fortran.list", make_list_for_linker())
    write_if_changed(
        generated / "entry_points.cpp", NOTE + make_entry_points(functions, in_mpi_f08, types_of_handles(constants))
    )
    names = make_names(functions, in_mpi_f08, [*CALLBACKS, NO_CONVERSION])
    write_if_changed(generated / "function_names.inc", NOTE + names)
    write_if_changed(generated / "mpi.f90", make_mpi(constants, [f for f in functions if "f08" not in f.name]))
    write_if_changed(generated / "mpi_f08.f90", make_mpi_f08(constants, in_mpi_f08))


if __name__ == "__main__":
    main()
