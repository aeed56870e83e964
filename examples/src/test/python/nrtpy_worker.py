#!/usr/bin/env python3
"""Measures a kernel that doubles its input, with nrtpy, and checks the output of the last measured execution.

    python3 nrtpy_worker.py [--iterations N] NEFF RESULT

Writes the times as JSON in the form of nrtpy's BenchmarkResult, with the number of iterations that were asked for. Ends
with 1 if the output is wrong. On a fake host nrtpy is the module of that host; on hardware, that of the Neuron packages.
"""

import argparse
import json
import sys

import numpy as np
from nrtpy import NrtpyModel, NrtpyTensor


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("neff")
    parser.add_argument("result")
    arguments = parser.parse_args()

    model = NrtpyModel.load_from_neff(arguments.neff)
    ((name, info),) = model.input_tensors_info.items()
    ((output, written),) = model.output_tensors_info.items()
    x = np.random.default_rng(seed=46).standard_normal(info.shape).astype(np.float32)
    unwritten = np.full(written.shape, np.nan, np.float32)
    outputs = {output: NrtpyTensor.from_numpy(unwritten, name=output)}
    times = model.benchmark(
        {name: NrtpyTensor.from_numpy(x, name=name)}, outputs, benchmark_iter=arguments.iterations, mode="device"
    )
    with open(arguments.result, "w", encoding="utf-8") as file:
        json.dump(
            {
                "mode": "device",
                "asked": arguments.iterations,
                "mean_ms": times.mean_ms,
                "min_ms": times.min_ms,
                "max_ms": times.max_ms,
                "std_dev_ms": times.std_dev_ms,
                "iterations": times.iterations,
                "warmup_iterations": times.warmup_iterations,
                "durations_ms": list(times.durations_ms),
            },
            file,
        )
    wrong = np.flatnonzero(~np.isclose(outputs[output].numpy().reshape(-1), 2 * x.reshape(-1), rtol=1e-6))
    if wrong.size:
        sys.exit(f"{output}: {wrong.size} of {x.size} values are wrong, the first at {wrong[0]}")
    print(f"{times.iterations} executions, mean {times.mean_ms:.4f} ms; {output} is right")


if __name__ == "__main__":
    main()
