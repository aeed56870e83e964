#!/usr/bin/env python3
"""Drives a served fake Neuron host through its control socket: a real process that starts and ends.

    python3 fake_host_client.py HOST_ROOT 'open infer neuron0/neuron_core1' 'execute infer neuron0/neuron_core1 NRT_TIMEOUT 3'

Each argument is one command line; without arguments they are read from standard input. The answers of the host are printed.
The connection is the process: when this program ends, however it ends, the driver sees its handles close.
"""

import os
import socket
import sys


def connect(host_root):
    """Connects to the real path of the socket, because an AF_UNIX path has at most 107 bytes."""
    control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    control.connect(os.path.realpath(os.path.join(host_root, "control.sock")))
    return control.makefile("rw", encoding="utf-8", newline="\n")


def main(host_root, commands):
    host = connect(host_root)
    for command in commands or map(str.rstrip, sys.stdin):
        print(command, file=host, flush=True)
        answer = host.readline().rstrip("\n")
        print(answer, flush=True)
        if not answer.startswith("ok"):
            sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
