#!/usr/bin/env python3
"""An all-reduce over several hosts, without a Neuron runtime: a stand-in for a program with collectives.

    python3 all_reduce.py [--rounds N] [--exit RANK:CODE] [--kill RANK] [--late RANK] [--flood RANK]

Each process executes on its cores of the served fake host in NEURON_FAKE_ROOT, sends its number to rank 0 at
NEURON_RT_ROOT_COMM_ID, and checks the sum that rank 0 sends back. Rank and size are RANK and WORLD_SIZE, or else those
of PJRT. Lines about other ranks have the form of the real runtime, which waits for a late rank without an end.

    --rounds N        the number of all-reduces (1)
    --exit RANK:CODE  the rank ends with this exit code after the first round
    --kill RANK       the rank is killed by SIGKILL after the first round
    --late RANK       the rank never connects, like one that still compiles
    --flood RANK      the rank prints 32 MiB
"""

import argparse
import os
import signal
import socket
import sys
import time

from fake_host_client import connect

WAIT_SECONDS = 0.2


def log(message):
    print("NRT: %s" % message, file=sys.stderr, flush=True)


def place():
    """Returns the rank and the number of ranks."""
    if "RANK" in os.environ:
        return int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    processes = os.environ["NEURON_PJRT_PROCESSES_NUM_DEVICES"].split(",")
    return int(os.environ["NEURON_PJRT_PROCESS_INDEX"]), len(processes)


class Cores:
    """The cores of this process on the fake host. The host frees them when the connection ends."""

    def __init__(self):
        self.host = connect(os.environ["NEURON_FAKE_ROOT"])
        words = ["init", "rank", os.environ["NEURON_RT_VISIBLE_CORES"], "pid", str(os.getpid())]
        self.cores = self.say(*words).split()[3:]
        for core in self.cores:
            self.say("load", "rank", core, 1 << 20)

    def say(self, *words):
        print(*words, file=self.host, flush=True)
        answer = self.host.readline().rstrip("\n")
        if not answer.startswith("ok"):
            sys.exit(answer or "the host has gone")
        return answer.partition(" ")[2]

    def execute(self):
        for core in self.cores:
            self.say("execute", "rank", core, "NRT_SUCCESS", 1)


class Peer:
    """A connection to another rank."""

    def __init__(self, connection):
        connection.settimeout(WAIT_SECONDS)
        self.connection = connection
        self.received = b""

    def send(self, number):
        try:
            self.connection.sendall(b"%d\n" % number)
        except OSError:
            self.gone()

    def receive(self):
        while b"\n" not in self.received:
            try:
                part = self.connection.recv(4096)
            except socket.timeout:
                log("Timeout waiting for RX (waited %s sec) - retrying" % WAIT_SECONDS)
                continue
            except OSError:
                part = b""
            if not part:
                self.gone()
            self.received += part
        line, _, self.received = self.received.partition(b"\n")
        return int(line)

    def gone(self):
        log("RX, connection closed by remote peer")
        sys.exit(1)


def meet(rank, size):
    """Returns the connections: of rank 0 to all others, and of the others to rank 0."""
    host, _, port = os.environ["NEURON_RT_ROOT_COMM_ID"].rpartition(":")
    address = (host.strip("[]"), int(port))
    if rank > 0:
        while True:
            try:
                connection = socket.create_connection(address)
                # Without a listener, the kernel may choose the same port for this end and connect it with itself.
                if connection.getsockname() != connection.getpeername():
                    return [Peer(connection)]
                connection.close()
            except OSError:
                pass
            log("Connect to %s:%s failed - retrying" % address)
            time.sleep(WAIT_SECONDS)
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server.bind(address)
    except OSError as failed:
        log("Failed to bind(%s<%d>) %s" % (*address, os.strerror(failed.errno)))
        sys.exit(1)
    server.listen(size)
    server.settimeout(WAIT_SECONDS)
    peers = []
    while len(peers) < size - 1:
        try:
            peers.append(Peer(server.accept()[0]))
        except socket.timeout:
            log("Timeout waiting for incoming connection - retrying")
    return peers


def all_reduce(rank, peers, number):
    if rank > 0:
        peers[0].send(number)
        return peers[0].receive()
    total = number + sum(peer.receive() for peer in peers)
    for peer in peers:
        peer.send(total)
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--exit", default="")
    parser.add_argument("--kill", type=int)
    parser.add_argument("--late", type=int)
    parser.add_argument("--flood", type=int)
    arguments = parser.parse_args()
    rank, size = place()
    cores = Cores()
    if rank == arguments.late:
        print("compiling", flush=True)
        while True:
            time.sleep(60)
    peers = meet(rank, size)
    for number in range(arguments.rounds):
        cores.execute()
        total = all_reduce(rank, peers, rank + number)
        if total != size * (size - 1) // 2 + size * number:
            sys.exit("rank %d got the sum %d" % (rank, total))
        if number == 0:
            print("rank %d of %d got the first sum" % (rank, size), flush=True)
            if rank == arguments.flood:
                for _ in range(32 << 10):
                    print("x" * 1023)
            if rank == arguments.kill:
                os.kill(os.getpid(), signal.SIGKILL)
            if arguments.exit.startswith("%d:" % rank):
                log("the input of rank %d is broken" % rank)
                sys.exit(int(arguments.exit.partition(":")[2]))
    print("rank %d of %d on %s: sum %d" % (rank, size, " ".join(cores.cores), total), flush=True)


if __name__ == "__main__":
    main()
