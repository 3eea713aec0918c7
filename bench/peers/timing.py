# SPDX-License-Identifier: Apache-2.0
"""The other side of bench/engine.hpp: answers what the bench asks, one JSON object a line."""
import json
import sys
import time


class Refused(Exception):
    """What this engine does not do, in words."""


class Problem:
    """The numbers of a workload, and its arrays as bytes of float32:
    query [rows][tokens][query_heads][width], key and value [rows][slots][kv_heads][width]."""

    def __init__(self, asked):
        self.rows, self.query_heads, self.kv_heads, self.width, self.past, self.tokens = (
            asked[name] for name in ("rows", "query_heads", "kv_heads", "width", "past", "tokens"))
        self.slots = self.past + self.tokens
        self.folder = asked["folder"]
        self.query, self.key, self.value = (self._read(name) for name in ("query", "key", "value"))

    def _read(self, name):
        with open(f"{self.folder}/{name}", "rb") as file:
            return bytearray(file.read())

    def write(self, output):
        """output: bytes, shaped as the query"""
        with open(f"{self.folder}/output", "wb") as file:
            file.write(output)


def serve(version, prepare):
    """prepare(problem) returns run() -> anything, and bytes_of(what run returned)."""
    run = None
    for line in sys.stdin:
        (verb, body), = json.loads(line).items()
        try:
            if verb == "prepare":
                problem = Problem(body)
                run, bytes_of = prepare(problem)
                problem.write(bytes_of(run()))
                done = version
            else:
                begin = time.process_time()
                run()
                done = time.process_time() - begin
            print(json.dumps({"done": done}), flush=True)
        except Refused as why:
            print(json.dumps({"refused": str(why)}), flush=True)
