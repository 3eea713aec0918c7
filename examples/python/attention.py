# SPDX-License-Identifier: Apache-2.0
# A subject in Python, standard library only: causal attention with a cache over docs/protocol.md.
# Put your own implementation into Session.append.   kvcheck run --subject 'exec:python3 attention.py'
import json, math, sys

FEATURES = """attention batch grouped_heads value_width custom_scale padding_left padding_right padding_holes
    padding_all unequal_counts empty_chunks warm_chunks reset query_offset repeatable batch_invariant
    masked_nonfinite padded_query_computed dead_row_zeros""".split()

# What attend() keeps, so that small faults show; another kernel has another profile, or none.
PROFILE = {"exp_ulps": 1, "divide_ulps": 0.5, "scale_roundings": 3, "difference_roundings": 1, "shift_roundings": 0,
           "rescale_block": 0, "merge_levels": 0}


class Refused(Exception):
    pass


class Session:
    def __init__(self, spec):
        if spec["level"] != "attention": raise Refused("attention level only")
        self.spec = spec
        self.scale = spec.get("scale", 1 / math.sqrt(spec["key_width"]))
        self.rows = [[] for _ in range(spec["rows"])]  # per slot: (real, k[Hkv][Dk], v[Hkv][Dv])

    def append(self, call):
        s, counts, tokens = self.spec, call["counts"], len(call["real"][0]) if call["real"] else 0
        for name, heads, width in (("q", "query_heads", "key_width"), ("k", "kv_heads", "key_width"), ("v", "kv_heads", "value_width")):
            if len(call[name]) != s["rows"] or any(len(row) != tokens or any(len(t) != s[heads] or any(len(h) != s[width] for h in t) for t in row) for row in call[name]):
                raise Refused(name + " has a wrong shape")
        offsets = call.get("query_offset", [len(row) for row in self.rows])
        if call["element"] != "f32" or len(counts) != s["rows"] or offsets != [len(row) for row in self.rows]:
            raise Refused("wrong element type, rows or query_offset")
        if any(not 0 <= n <= tokens or n + len(row) > s["capacity"] for n, row in zip(counts, self.rows)):
            raise Refused("wrong count, or beyond the capacity")
        output = [[None] * tokens for _ in self.rows]
        for r, row in enumerate(self.rows):
            for t in range(counts[r]):
                row.append((call["real"][r][t], call["k"][r][t], call["v"][r][t]))
                seen = [(k, v) for real, k, v in row if real]
                output[r][t] = [self.attend(q, seen, h * s["kv_heads"] // s["query_heads"]) for h, q in enumerate(call["q"][r][t])]
        return {"output": output}

    def attend(self, query, seen, head):  # softmax(scale q.k) v over the keys that are seen
        if any(isinstance(x, str) and x != "-0" for x in query): return None  # an unspecified padded query
        scores = [self.scale * sum(float(a) * float(b) for a, b in zip(query, k[head])) for k, _ in seen]
        weights = [math.exp(x - max(scores)) for x in scores]
        return [spelled(sum(w * float(v[head][d]) for w, (_, v) in zip(weights, seen)) / (sum(weights) or 1))
                for d in range(self.spec["value_width"])]


def spelled(number):  # JSON has no NaN and no infinities; the protocol has "nan", "inf" and "-inf"
    return number if math.isfinite(number) else str(number)


sessions = {}
for line in sys.stdin:
    (verb, body), = json.loads(line).items()
    session = sessions.get(body.get("session"))
    done = {}
    try:
        if verb == "hello": done = {"protocol": 1, "name": "python-example", "features": FEATURES, "profile": PROFILE}
        elif verb == "open": sessions[len(sessions)] = Session(body["spec"]); done = {"session": len(sessions) - 1}
        elif verb == "append": done = session.append(body)
        elif verb == "reset": session.rows = [[] for _ in session.rows]
        elif verb == "numbers": done = {"rows": [{"length": len(row)} for row in session.rows]}
        print(json.dumps({"done": done}), flush=True)
    except Refused as why:
        print(json.dumps({"refused": str(why)}), flush=True)
