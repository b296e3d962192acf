"""Times one command, and says so in JSON:   measure.py LIMIT_S COMMAND ARGS...

A process of its own, and a small one, because the most memory that a process is said to have had resident includes what
its parent had when it started it.
"""

import json
import os
import signal
import sys
import time


def main():
    limit_s = float(sys.argv[1])
    silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1)]
    start = time.perf_counter()
    child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ, file_actions=silent, setpgroup=0)

    def stop(*_):
        os.killpg(child, signal.SIGKILL)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - start
    signal.setitimer(signal.ITIMER_REAL, 0)
    found = {
        "seconds": round(seconds, 6),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 6),
        "kilobytes": usage.ru_maxrss,
        "status": os.waitstatus_to_exitcode(status),
        "stopped": seconds >= limit_s,
    }
    print(json.dumps(found))


main()
