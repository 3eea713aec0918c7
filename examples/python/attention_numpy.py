# SPDX-License-Identifier: Apache-2.0
# A subject in Python with NumPy: only the cache and the kernel; kvcheck_numpy.py beside it does the rest.
#   kvcheck run 'exec:python3 attention_numpy.py'
import numpy as np
from kvcheck_numpy import Refused, serve


class Cache:
    def __init__(self, spec, parameters):
        if spec["level"] != "attention": raise Refused("attention level only")
        self.scale = spec.get("scale", 1 / np.sqrt(spec["key_width"]))
        self.group = spec["query_heads"] // spec["kv_heads"]
        self.rows = [[] for _ in range(spec["rows"])]  # per slot: (k[Hkv][Dk], v[Hkv][Dv]), None where nobody sees it

    def append(self, call):
        output = np.zeros(call.q.shape[:3] + call.v.shape[3:])
        for r, count in enumerate(call.counts):
            for t in range(count):
                self.rows[r].append((call.k[r, t], call.v[r, t]) if call.real[r, t] else None)
                seen = [token for token in self.rows[r] if token]
                if seen: output[r, t] = self.attend(call.q[r, t], *map(np.array, zip(*seen)))
        return output

    def attend(self, q, k, v):  # q[H][Dk], k[slots][Hkv][Dk], v[slots][Hkv][Dv]
        scores = self.scale * np.einsum("hd,shd->hs", q.astype(float), k.repeat(self.group, axis=1))
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.einsum("hs,shd->hd", weights / weights.sum(axis=1, keepdims=True), v.repeat(self.group, axis=1))

    def truncate(self, row, length):
        for tokens in self.rows if row is None else [self.rows[row]]: del tokens[length:]

    def reset(self, row): self.truncate(row, 0)
    def reorder(self, sources): self.rows = [list(self.rows[source]) for source in sources]
    def evict(self, row, begin, end): self.rows[row][begin:end] = [None] * (end - begin)


serve(Cache, "numpy-example", """attention batch grouped_heads value_width custom_scale padding_left padding_right
    padding_holes padding_all unequal_counts empty_chunks warm_chunks reset reset_row truncate truncate_row
    reorder varying_rows fork finish evict save query_offset repeatable batch_invariant
    masked_nonfinite padded_query_computed dead_row_zeros""",
    # What attend() keeps, so that small faults show; another kernel has another profile, or none.
    profile={"exp_ulps": 1, "divide_ulps": 0.5, "scale_roundings": 3, "difference_roundings": 1, "shift_roundings": 0,
           "rescale_block": 0, "merge_levels": 0})
