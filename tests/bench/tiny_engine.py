# SPDX-License-Identifier: Apache-2.0
"""Attention as plain loops behind the protocol of bench/engine.hpp, so that it is tried where no
engine is installed. Arguments: what is wrong with it (`late`: a query does not see its own key), or
`no_past`: it refuses decode steps."""
import array
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bench/peers"))
from timing import Refused, serve  # noqa: E402


def prepare(p):
    if "no_past" in sys.argv and p.past > 0:
        raise Refused("no decode steps")
    query, key, value = (array.array("f", bytes(x)) for x in (p.query, p.key, p.value))
    hidden = 1 if "late" in sys.argv else 0

    def at(numbers, row, token, tokens, head, heads):
        first = ((row * tokens + token) * heads + head) * p.width
        return numbers[first:first + p.width]

    def run():
        output = array.array("f")
        for row in range(p.rows):
            for token in range(p.tokens):
                for head in range(p.query_heads):
                    output.extend(attend(row, token, head))
        return output

    def attend(row, token, head):
        q = at(query, row, token, p.tokens, head, p.query_heads)
        seen = [(row, slot, p.slots, head // (p.query_heads // p.kv_heads), p.kv_heads)
                for slot in range(max(1, p.past + token + 1 - hidden))]
        weights = [math.exp(sum(map(float.__mul__, q, at(key, *place))) / math.sqrt(p.width))
                   for place in seen]
        total = math.fsum(weights)
        sums = [0.0] * p.width
        for weight, place in zip(weights, seen):
            sums = [s + weight * v for s, v in zip(sums, at(value, *place))]
        return [s / total for s in sums]

    return run, lambda output: output.tobytes()


serve("plain loops", prepare)
