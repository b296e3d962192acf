"""Where what PVM tasks print goes."""

import pytest

HEAD = """#include <pvm3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
"""

CATCHOUT = (
    HEAD
    + """int main(int argc, char** argv) {
  int tids[2];
  (void)argc;
  if (pvm_parent() != PvmNoParent) {
    printf("a line\\nand another\\n");
    fprintf(stderr, "an error\\n");
    printf("no line");
    pvm_exit(); /* which ends nothing */
    return 0;
  }
  pvm_catchout(stdout);
  pvm_setopt(PvmShowTids, SHOW);
  pvm_spawn(argv[0], 0, PvmTaskDefault, 0, 2, tids);
  pvm_exit(); /* not before all has been printed */
  printf("the end\\n");
  return 0;
}
"""
)


def test_what_children_print_is_caught(run_program):
    done = run_program(CATCHOUT.replace("SHOW", "1"), 1, machine="ap3000")
    lines = done.stdout.splitlines()
    assert (done.stderr, done.returncode, lines[-1]) == ("", 0, "the end")
    said = ["BEGIN", "a line", "an error", "and another", "no line", "END"]
    for tid in (80001, "c0001"):
        of_task = [line for line in lines if line.startswith(f"[t{tid}]")]
        assert (of_task[0], of_task[-1]) == (f"[t{tid}] BEGIN", f"[t{tid}] END")
        assert sorted(of_task) == sorted(f"[t{tid}] {x}" for x in said)


def test_what_children_print_is_caught_as_it_is_without_their_ids(run_program):
    done = run_program(CATCHOUT.replace("SHOW", "0"), 1, machine="ap3000")
    assert (done.stderr, done.returncode) == ("", 0)
    assert sorted(done.stdout.replace("no line", "").split("\n")) == sorted(
        ["", *2 * ["a line", "and another", "an error"], "the end"]
    )
    assert done.stdout.count("no line") == 2


GENERATIONS = (
    HEAD
    + """int main(int argc, char** argv) {
  int child;
  char* younger[] = {"child", 0};
  if (argc > 1) {
    pvm_mytid();
    if (argv[1][0] == 'c') {
      younger[0] = "grandchild";
      pvm_spawn(argv[0], younger, PvmTaskDefault, 0, 1, &child);
    } else {
      sleep(5); /* long after its parent's end */
    }
    printf("%s\\n", argv[1]);
    return 0;
  }
  pvm_catchout(stdout);
  pvm_spawn(argv[0], younger, PvmTaskDefault, 0, 1, &child);
  OFF
  pvm_exit();
  printf("the end\\n");
  return 0;
}
"""
)


def test_what_grandchildren_print_is_waited_for_too(run_program):
    done = run_program(GENERATIONS.replace("OFF", ""), 1, machine="ap3000")
    assert (done.stderr, done.returncode) == ("", 0)
    child, grandchild = "[t80001] ", "[tc0001] "
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith(child)] == [child + x for x in ("BEGIN", "child", "END")]
    assert lines[-4:] == [*(grandchild + x for x in ("BEGIN", "grandchild", "END")), "the end"]


def test_who_catches_no_more_waits_for_nobody(run_program):
    done = run_program(GENERATIONS.replace("OFF", "pvm_catchout(0);"), 1, machine="ap3000")
    assert (done.stdout, done.stderr, done.returncode) == ("the end\n", "", 0)


SINKS = (
    HEAD
    + """static const char* kind(int number) {
  return number == -1 ? "spawned" : number == -2 ? "begins" : number == 0 ? "ends" : "text";
}
int main(int argc, char** argv) {
  int child, task, number, parent, ends = 0;
  (void)argc;
  if (pvm_parent() != PvmNoParent) {
    pvm_setopt(PvmOutputTid, 0); /* of children, which it has none of */
    printf("to the parent\\n");
    fflush(stdout);
    if (pvm_setopt(PvmSelfOutputTid, 0) != pvm_parent() || pvm_getopt(PvmOutputCode) != 55) return 1;
    printf("to the launcher\\n");
    return 0;
  }
  pvm_setopt(PvmOutputTid, pvm_mytid());
  pvm_setopt(PvmOutputCode, 55);
  pvm_spawn(argv[0], 0, PvmTaskDefault, 0, 1, &child);
  while (!ends) {
    char text[100] = "";
    pvm_recv(-1, 55);
    pvm_unpackf("%d %d", &task, &number);
    if (number < 0) {
      pvm_unpackf("%d", &parent);
      sprintf(text, " %d", parent == pvm_mytid());
    } else {
      pvm_upkbyte(text, number, 1);
      text[strcspn(text, "\\n")] = 0;
    }
    printf("%d %s%s\\n", task == child, kind(number), text);
    ends = number == 0;
  }
  return 0;
}
"""
)


@pytest.mark.parametrize("mode", [[], ["--lockstep"]])
def test_the_messages_that_tell_of_output_and_who_gets_them(mode, run_program):
    done = run_program(SINKS, 1, machine="ap3000", launcher=mode)
    assert (done.stderr, done.returncode) == ("", 0)
    told = ["1 spawned 1", "1 begins 1", "1 textto the parent", "1 ends"]
    lines = done.stdout.splitlines()
    assert sorted(lines) == sorted([*told, "to the launcher"])
    assert [line for line in lines if line in told[1:]] == told[1:]


def test_what_is_printed_without_a_catcher_is_the_launchers(run_program):
    text = CATCHOUT.replace("pvm_catchout(stdout);", "").replace("SHOW", "1")
    done = run_program(text, 1, machine="ap3000")
    assert done.returncode == 0
    assert done.stdout.count("and another") == 2
    assert "BEGIN" not in done.stdout
