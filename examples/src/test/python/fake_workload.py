#!/usr/bin/env python3
"""A workload on a served fake Neuron host: behaves like a model server or worker with the Neuron runtime.

    NEURON_FAKE_ROOT=DIR NEURON_RT_VISIBLE_CORES=3-4 python3 fake_workload.py COMMAND

    infer N       loads a model, executes it N times, prints a line, ends
    fail STATUS   executes once with that NRT_STATUS (name or number), prints the log of the runtime, exits with 1
    leak BYTES    allocates device memory that is not freed until the program ends, and keeps running
    hang          initialises, prints that it runs, and keeps running
    ignore-term   like hang, but ignores SIGTERM
    spawn         starts a program that takes the cores and keeps running, and waits for it
    serve PORT    answers GET /infer on loopback with JSON (port 0: any free one); SIGTERM ends it cleanly

It implements these parts of the real runtime: nrt_init with exactly the logical cores of NEURON_RT_VISIBLE_CORES
(all of the host if that is not set) and the size of NEURON_LOGICAL_NC_CONFIG; nrt_load, nrt_execute and
nrt_tensor_allocate; ownership of the cores under this program's own pid until it ends, however it ends; error lines
on stderr in the runtime's form. A model runs on every taken physical core. For logical cores of two this is a
choice, because no source documents which of the two counts. It does not implement NEURON_RT_NUM_CORES and all other
variables, device files, and time.
"""

import argparse
import datetime
import json
import os
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from fake_host_client import connect

NAME = "python3"
MODEL_BYTES = 1 << 20


class Refused(Exception):
    """The fake host has answered with an error."""


class Runtime:
    """A connection that holds the cores: the driver frees them when it is lost."""

    def __init__(self, environment):
        self.lock = threading.Lock()
        self.executions = 0
        root = environment.get("NEURON_FAKE_ROOT")
        if not root:
            raise Refused("No neuron device available: NEURON_FAKE_ROOT is not set")
        try:
            self.host = connect(root)
        except OSError as failed:
            raise Refused("No neuron device available: %s: %s" % (root, failed)) from failed
        init = ["init", NAME, environment.get("NEURON_RT_VISIBLE_CORES") or "all", "pid", str(os.getpid())]
        size = environment.get("NEURON_LOGICAL_NC_CONFIG")
        if size:
            init += ["lnc", size]
        self.cores = self.say(*init).split()[3:]

    def say(self, *words):
        with self.lock:
            print(*words, file=self.host, flush=True)
            answer = self.host.readline().rstrip("\n")
        kind, _, text = answer.partition(" ")
        if kind != "ok":
            raise Refused(text or "the host has gone")
        return text

    def load(self):
        for core in self.cores:
            self.say("load", NAME, core, MODEL_BYTES)

    def execute(self, times=1):
        for core in self.cores:
            self.say("execute", NAME, core, "NRT_SUCCESS", times)
        self.executions += times

    def close(self):
        self.say("close", NAME)

    def stay(self):
        """Waits until this program is ended, or until the host ends."""
        self.host.readline()


def log_error(function, message):
    now = datetime.datetime.now().strftime("%Y-%b-%d %H:%M:%S.%f")
    ids = "%d:%d" % (os.getpid(), threading.get_native_id())
    print("%s %11s ERROR %6s%-35s %s" % (now, ids, *function, message), file=sys.stderr, flush=True)


def start():
    try:
        return Runtime(os.environ)
    except Refused as refused:
        log_error(("NRT:", "nrt_allocate_neuron_cores"), refused)
        print("nrt_init: status=1, error message=\"NRT_FAILURE\"", file=sys.stderr, flush=True)
        sys.exit(1)


def running(runtime):
    print("pid %d runs on %s" % (os.getpid(), " ".join(runtime.cores)), flush=True)


def infer(arguments):
    runtime = start()
    runtime.load()
    runtime.execute(arguments.times)
    print("executed %d times on %s" % (arguments.times, " ".join(runtime.cores)), flush=True)
    runtime.close()


def fail(arguments):
    runtime = start()
    runtime.load()
    runtime.say("execute", NAME, runtime.cores[0], arguments.status)
    status = arguments.status
    log_error(("NMGR:", "dlr_infer"), "Inference completed with err: %s" % status)
    print("nrt_execute: status=%s" % status, file=sys.stderr, flush=True)
    sys.exit(1)


def leak(arguments):
    runtime = start()
    runtime.say("alloc", NAME, runtime.cores[0], "tensors", arguments.bytes)
    print("allocated %d bytes on %s" % (arguments.bytes, runtime.cores[0]), flush=True)
    runtime.stay()


def hang(arguments):
    runtime = start()
    running(runtime)
    runtime.stay()


def ignore_term(arguments):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang(arguments)


def spawn(arguments):
    child = subprocess.Popen([sys.executable, os.path.abspath(__file__), "hang"])
    print("started pid %d" % child.pid, flush=True)
    sys.exit(child.wait())


def serve(arguments):
    runtime = start()
    runtime.load()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path != "/infer":
                self.answer(404, {"error": "no such path, there is /infer"})
                return
            try:
                runtime.execute()
            except Refused as refused:
                self.answer(500, {"error": str(refused)})
                return
            self.answer(200, {"pid": os.getpid(), "cores": runtime.cores, "executions": runtime.executions})

        def answer(self, code, content):
            body = json.dumps(content).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *line):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler)
    # Another thread is needed, because shutdown waits for the loop that the signal has interrupted.
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    print("listening on %d" % server.server_port, flush=True)
    server.serve_forever()
    server.server_close()
    runtime.close()
    print("stopped after %d executions" % runtime.executions, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, run, argument, kind in (
        ("infer", infer, "times", int),
        ("fail", fail, "status", str),
        ("leak", leak, "bytes", int),
        ("hang", hang, None, None),
        ("ignore-term", ignore_term, None, None),
        ("spawn", spawn, None, None),
        ("serve", serve, "port", int),
    ):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        if argument:
            command.add_argument(argument, type=kind)
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except Refused as refused:
        log_error(("NRT:", arguments.run.__name__), refused)
        sys.exit(1)


if __name__ == "__main__":
    main()
