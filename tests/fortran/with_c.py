"""Programs of which a part is in C and the rest in Fortran."""


def run_together(c_part, fortran_part, run_command, path_env, hindcast, folder):
    """Runs it on two ranks."""
    (folder / "c_part.c").write_text(c_part)
    (folder / "f_part.f90").write_text(fortran_part)
    for command in (
        ["hindcast-mpicc", "-c", "c_part.c"],
        ["hindcast-mpifort", "-o", "program", "f_part.f90", "c_part.o"],
    ):
        done = run_command(command, env=path_env, cwd=folder)
        assert done.returncode == 0, done.stderr
    return hindcast("run", "-m", "ideal", "-n", "2", folder / "program")
