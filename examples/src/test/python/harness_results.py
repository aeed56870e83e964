#!/usr/bin/env python3
"""Stands in for harnesses that need a model: writes results in their form, without measuring anything.

    python3 harness_results.py vllm FILE [FAILED]     as vllm bench serve --save-result --save-detailed; FAILED requests fail
    python3 harness_results.py nxdi FILE              as inference_demo --benchmark --benchmark-report-path FILE
    python3 harness_results.py print                  prints a line with samples, as any program can

The numbers are always the same.
"""

import json
import statistics
import sys

REQUESTS = 500


def vllm(failed):
    times = [0.05 + 0.0001 * (7 * i % 11) for i in range(REQUESTS - failed)]
    return {
        "backend": "openai", "model_id": "m", "num_prompts": REQUESTS, "request_rate": "inf", "max_concurrency": 8,
        "completed": len(times), "failed": failed, "request_throughput": 12.5, "output_throughput": 625.0,
        "ttfts": times + [0.0] * failed, "errors": [""] * len(times) + ["503 Service Unavailable"] * failed,
        "median_ttft_ms": 1000 * statistics.median(times), "median_tpot_ms": 10.0,
    }


def nxdi():
    def part(median, throughput):
        latencies = {"latency_ms_" + name: median * by for name, by in
                     (("p50", 1), ("p90", 1.02), ("p95", 1.03), ("p99", 1.05), ("p100", 1.2), ("avg", 1.01))}
        return {**latencies, "throughput": throughput}

    return {
        "e2e_model": part(1520.0, 2692.9), "context_encoding_model": part(70.0, 14590.0),
        "token_generation_model": part(1.42, 705.3), "vision_encoder_model": None,
    }


def main(arguments):
    if arguments == ["print"]:
        print(json.dumps({
            "neuron_test_samples": 1, "name": "decode", "unit": "ms", "better": "lower", "clock": "device",
            "values": [1.42, 1.43, 1.42], "asked": 3, "failed": 0, "conditions": {"batch": 8}}))
        return
    result = vllm(int((arguments + ["0"])[2])) if arguments[0] == "vllm" else nxdi()
    with open(arguments[1], "w", encoding="utf-8") as file:
        json.dump(result, file)


if __name__ == "__main__":
    main(sys.argv[1:])
