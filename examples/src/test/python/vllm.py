#!/usr/bin/env python3
"""A stand-in for the two commands of vLLM that the examples use: a server, and its benchmark.

    python3 vllm.py serve MODEL [--port N]
    python3 vllm.py bench serve --model MODEL --base-url URL [--num-prompts N] [--random-output-len N]
        [--save-result [--save-detailed] [--result-dir DIR] [--result-filename FILE]]

The model is a NEFF, which the server executes with nrtpy once for each token. The benchmark writes the members of
vLLM's result file: lists in seconds, which contain failed requests too, and aggregates in milliseconds of the
completed ones.
"""

import argparse
import concurrent.futures
import datetime
import http.server
import json
import pathlib
import statistics
import threading
import time
import urllib.error
import urllib.request

MILLISECONDS = 1000


def main():
    parser = argparse.ArgumentParser(prog="vllm")
    commands = parser.add_subparsers(required=True)
    serving = commands.add_parser("serve")
    serving.add_argument("model")
    serving.add_argument("--port", type=int, default=8000)
    serving.set_defaults(run=serve)
    measuring = commands.add_parser("bench").add_subparsers(required=True).add_parser("serve")
    measuring.add_argument("--model", required=True)
    measuring.add_argument("--base-url", required=True)
    measuring.add_argument("--num-prompts", type=int, default=8)
    measuring.add_argument("--random-output-len", type=int, default=4)
    measuring.add_argument("--save-result", action="store_true")
    measuring.add_argument("--save-detailed", action="store_true")
    measuring.add_argument("--result-dir", default=".")
    measuring.add_argument("--result-filename", default="vllm.json")
    measuring.set_defaults(run=bench)
    arguments = parser.parse_args()
    arguments.run(arguments)


def serve(arguments):
    import numpy as np
    from nrtpy import NrtpyModel, NrtpyTensor

    model = NrtpyModel.load_from_neff(arguments.model)
    inputs = {
        name: NrtpyTensor.from_numpy(np.ones(info.shape, np.float32), name=name)
        for name, info in model.input_tensors_info.items()
    }
    one_at_a_time = threading.Lock()

    class Completions(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if asked["model"] != arguments.model:
                self.send_error(404, f"The model `{asked['model']}` does not exist.")
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for token in range(asked["max_tokens"]):
                with one_at_a_time:
                    model(inputs)
                self.wfile.write(f'data: {json.dumps({"choices": [{"text": f"{token} "}]})}\n\n'.encode())
                self.wfile.flush()
            self.wfile.write(b"data: [DONE]\n\n")

        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", arguments.port), Completions)
    print(f"Starting vLLM API server on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


class Request:
    """A completion and the times of its tokens."""

    def __init__(self, arguments, started):
        self.start = time.perf_counter() - started
        self.ttft = 0.0
        self.latency = 0.0
        self.itl = []
        self.text = ""
        self.error = ""
        body = {"model": arguments.model, "prompt": "x", "max_tokens": arguments.random_output_len, "stream": True}
        sent = last = time.perf_counter()
        try:
            with urllib.request.urlopen(arguments.base_url + "/v1/completions", json.dumps(body).encode()) as answer:
                for line in answer:
                    if not line.startswith(b"data: {"):
                        continue
                    now = time.perf_counter()
                    if self.text:
                        self.itl.append(now - last)
                    else:
                        self.ttft = now - sent
                    self.text += json.loads(line[6:])["choices"][0]["text"]
                    last = now
            self.latency = last - sent
        except (urllib.error.URLError, OSError) as failed:
            self.error = str(failed)


def bench(arguments):
    started = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(4) as clients:
        requests = list(clients.map(lambda _: Request(arguments, started), range(arguments.num_prompts)))
    duration = time.perf_counter() - started
    completed = [each for each in requests if not each.error]
    tokens = sum(len(each.text.split()) for each in completed)
    result = {
        "date": datetime.datetime.now().strftime("%Y%m%d-%H%M%S"),
        "endpoint_type": "openai",
        "backend": "openai",
        "label": None,
        "model_id": arguments.model,
        "tokenizer_id": arguments.model,
        "num_prompts": arguments.num_prompts,
        "request_rate": "inf",
        "burstiness": 1.0,
        "max_concurrency": None,
        "duration": duration,
        "completed": len(completed),
        "failed": len(requests) - len(completed),
        "total_input_tokens": len(requests),
        "total_output_tokens": tokens,
        "request_throughput": len(completed) / duration,
        "request_goodput": None,
        "output_throughput": tokens / duration,
        "total_token_throughput": (len(requests) + tokens) / duration,
        "latencies": [each.latency for each in requests],
    }
    if arguments.save_detailed:
        result["input_lens"] = [1 for each in requests]
        result["output_lens"] = [len(each.text.split()) for each in requests]
        result["ttfts"] = [each.ttft for each in requests]
        result["itls"] = [each.itl for each in requests]
        result["start_times"] = [each.start for each in requests]
        result["generated_texts"] = [each.text for each in requests]
        result["errors"] = [each.error for each in requests]
    aggregate(result, "ttft", [each.ttft for each in completed])
    aggregate(result, "tpot", [statistics.fmean(each.itl) for each in completed if each.itl])
    aggregate(result, "itl", [gap for each in completed for gap in each.itl])
    print(f"Successful requests: {len(completed)}")
    print(f"Failed requests: {len(requests) - len(completed)}")
    print(f"Mean TTFT (ms): {result['mean_ttft_ms']:.2f}")
    if arguments.save_result:
        file = pathlib.Path(arguments.result_dir, arguments.result_filename)
        file.write_text(json.dumps(result) + "\n", encoding="utf-8")


def aggregate(result, name, seconds):
    ordered = sorted(seconds)
    result[f"mean_{name}_ms"] = statistics.fmean(ordered) * MILLISECONDS if ordered else 0.0
    result[f"median_{name}_ms"] = statistics.median(ordered) * MILLISECONDS if ordered else 0.0
    result[f"std_{name}_ms"] = statistics.pstdev(ordered) * MILLISECONDS if ordered else 0.0
    result[f"p99_{name}_ms"] = ordered[int(0.99 * (len(ordered) - 1))] * MILLISECONDS if ordered else 0.0


if __name__ == "__main__":
    main()
