"""Which of the launcher's compilers a source file is for, by its ending."""

from pathlib import Path

from experiments.serving.servers import launcher

ENDINGS = {
    "cc": (".c",),
    "c++": (".cc", ".cpp", ".cxx", ".C"),
    "fc": (".f", ".F", ".for", ".f90", ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08"),
}
COMPILERS = {ending: compiler for compiler, endings in ENDINGS.items() for ending in endings}


def is_source(file: Path) -> bool:
    return file.suffix in COMPILERS


def compile_command(source: Path, program: object) -> list[str]:
    return [launcher(), COMPILERS[source.suffix], "-O2", "-o", str(program), str(source)]
