"""What messages on the AP1000 are put together from, as its file has it: in microseconds, a byte's for what takes time
by the byte."""

from tests.support.machine_files import machine_numbers

OF_FILE = machine_numbers("ap1000")

SEND = OF_FILE["processor.send_overhead"]
RECEIVE = OF_FILE["processor.receive_overhead"]
PROBE = OF_FILE["processor.poll"]
CLOCK_READ = OF_FILE["processor.clock_read"]
COPY = OF_FILE["processor.copy_bandwidth"]
MISALIGNED = COPY + OF_FILE["cellos.misaligned_copy_extra"]
DOMAIN = OF_FILE["cellos.domain_overhead"]
SERVICE = OF_FILE["cellos.remote_service"]
BROADCAST = OF_FILE["cellos.broadcast_overhead"]
SELECTIVE = OF_FILE["cellos.selective_broadcast_overhead"]
SYNC = OF_FILE["cellos.sync_overhead"]
INTERRUPTION = OF_FILE["cellos.broadcast_interruption"]
FROM_MEMORY = OF_FILE["cellos.memory_read"]
REDUCTION_STEP = OF_FILE["cellos.reduction_step"]
REDUCTION = OF_FILE["cellos.reduction_overhead"]
HEADER = OF_FILE["cellos.header_bytes"]
HOP = OF_FILE["network.hop_latency"]
ON_NET = OF_FILE["network.link_bandwidth"]
ON_BUS = OF_FILE["bnet.bandwidth"]
BUS = OF_FILE["bnet.latency"]


def on_net(size):
    """A message of so many bytes to a neighbour, without the hop."""
    return (size + HEADER) * ON_NET
