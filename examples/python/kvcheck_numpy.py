# SPDX-License-Identifier: Apache-2.0
# Speaks docs/protocol.md for a subject that computes with NumPy, and admits calls: an adapter is its cache and its
# kernel. attention_numpy.py beside this file shows one. What the program prints goes to standard error.
#
#   serve(Cache, name, features)   answers until the input ends
#   Cache(spec, parameters)        a session; raise Refused for a spec that it cannot honour. Both are as in docs/case_file.md
#   cache.append(call)             returns output, or (output, weights) where call.want_weights
#   cache.reset(row)               forgets a row; None: all of them
#   cache.truncate(row, length)    optional: takes a row back to its first slots; None: all of them
#   cache.reorder(sources)         optional: row r goes on as sources[r]; a fork is asked as 0, 1, ..., rows - 1, row
#   cache.evict(row, begin, end)   optional: hides slots
#   cache.export_kv(row, length)   optional: key [Hkv][length][Dk], value [Hkv][length][Dv]
#
# A call that gets through has call.q, k, v [rows][tokens][heads][width] or call.x [rows][tokens][D] in float32 (float64
# for element="f64"), call.real [rows][tokens], and for each row call.counts and call.lengths, the length before the call.
# Rows and slots of a command are checked before it gets through; finished rows are remembered here: declare finish.
# A cache that can be pickled is saved and loaded here, under a fingerprint of spec and parameters: declare save.
import base64, hashlib, json, os, pickle, sys
from types import SimpleNamespace

import numpy as np

TYPES = {"f32": np.float32, "f64": np.float64}
COMMANDS = ("reset", "truncate", "reorder", "fork", "finish", "evict")


class Refused(Exception):
    pass


class _Session:
    """What the contract says of rows, beside the subject's own cache."""

    def __init__(self, make, spec, parameters, element, refuses):
        self.spec, self.element, self.refuses = spec, element, refuses  # refuses: what is beyond the capacity
        self.parameters = parameters
        tables = [parameters[name] for name in ("position_table", "rotary_table") if name in parameters]
        self.positions = len(tables[0]) if tables else None  # None: ids read no table
        self.cache = make(spec, parameters)
        self.rows = [[] for _ in range(spec["rows"])]  # of every slot: is its token real
        self.finished = [False] * spec["rows"]

    @property
    def lengths(self): return [len(row) for row in self.rows]

    def command(self, verb, body):
        row, every = body.get("row"), range(len(self.rows))
        rows = body["sources"] if verb == "reorder" else every if row is None else [row]
        if not rows or any(r not in every for r in rows): raise Refused("no such row")
        if verb not in ("fork", "finish") and not hasattr(self.cache, verb): raise Refused("this subject has no " + verb)
        if verb == "reset":
            self.cache.reset(row)
            for r in rows: self.rows[r], self.finished[r] = [], False
        elif verb == "truncate":
            length = body["length"]
            if any(not 0 <= length <= len(self.rows[r]) for r in rows): raise Refused("length")
            self.cache.truncate(row, length)
            for r in rows: del self.rows[r][length:]
        elif verb == "evict":
            begin, end = body["begin"], body["end"]
            if not 0 <= begin < end <= len(self.rows[row]): raise Refused("slots")
            self.cache.evict(row, begin, end)
        elif verb == "finish": self.finished[row] = True
        else:
            sources = [*every, row] if verb == "fork" else rows
            self.cache.reorder(sources)
            self.rows, self.finished = [list(self.rows[r]) for r in sources], [self.finished[r] for r in sources]

    def seal(self, body):
        """A digest of a state and of what it belongs to; a change of either is another digest."""
        belongs = [{**self.spec, "rows": len(self.rows)}, self.parameters]
        return hashlib.sha256(json.dumps(belongs, sort_keys=True).encode() + body).digest()

    def save(self):
        body = pickle.dumps((self.cache, self.rows, self.finished))
        return base64.b64encode(self.seal(body) + body).decode()

    def load(self, state):
        state, size = base64.b64decode(state), hashlib.sha256().digest_size
        if state[:size] != self.seal(state[size:]): raise Refused("a damaged state, or one of another spec or parameters")
        self.cache, self.rows, self.finished = pickle.loads(state[size:])

    def array(self, call, name, shape):
        try:
            array = np.array(call[name], dtype=TYPES[self.element])  # "nan" and "-0" are spelled as NumPy reads them
        except ValueError as why:
            raise Refused(f"{name}: {why}")
        if shape[1] == 0 and array.size == 0 and len(array) == shape[0]:
            return array.reshape(shape)  # [[]] is (1, 0) to NumPy: no token, so nothing shows the other extents
        if array.shape != shape: raise Refused(f"{name} is {array.shape}, must be {shape}")
        return array

    def admit(self, body):
        s, counts = self.spec, body["counts"]
        rows, tokens = len(self.rows), len(body["real"][0]) if body["real"] else 0
        if body["element"] != self.element: raise Refused("element type")
        if len(counts) != rows or len(body["real"]) != rows: raise Refused("rows")
        call = SimpleNamespace(counts=counts, lengths=self.lengths, want_weights=body.get("want_weights", False))
        if s["level"] == "layer":
            call.x = self.array(body, "x", (rows, tokens, s["model_width"]))
        else:
            call.q = self.array(body, "q", (rows, tokens, s["query_heads"], s["key_width"]))
            call.k = self.array(body, "k", (rows, tokens, s["kv_heads"], s["key_width"]))
            call.v = self.array(body, "v", (rows, tokens, s["kv_heads"], s["value_width"]))
        call.real = np.array(body["real"], dtype=bool).reshape(rows, tokens)
        if body.get("query_offset", call.lengths) != call.lengths: raise Refused("query_offset is not the next slot")
        for row, count in enumerate(counts):
            if not 0 <= count <= tokens: raise Refused("count")
            if count > 0 and self.finished[row]: raise Refused("the row is finished")
            if self.refuses and call.lengths[row] + count > s["capacity"]: raise Refused("beyond the capacity")
            earlier = call.lengths[row] + count - 1
            if s["position_ids"] == "visible_count":
                earlier = sum(self.rows[row]) + int(call.real[row, : max(count - 1, 0)].sum())
            if self.positions is not None and count > 0 and earlier >= self.positions: raise Refused("position id")
        return call

    def append(self, body):
        call = self.admit(body)
        output = self.cache.append(call)
        for row, count in enumerate(call.counts): self.rows[row] += call.real[row, :count].tolist()
        if not call.want_weights: return {"output": _spelled(output)}
        return {"output": _spelled(output[0]), "weights": _spelled(output[1])}


def _spelled(array):
    array = np.asarray(array)
    if np.isfinite(array).all(): return array.tolist()
    flat = [x if np.isfinite(x) else str(x) for x in array.ravel().tolist()]  # JSON has no NaN and no infinities
    return np.array(flat, dtype=object).reshape(array.shape).tolist()


def serve(make, name, features, element="f32", **hello):
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what others print is none of the answers
    sessions = {}
    refuses = not {"capacity_unbounded", "capacity_evicted"} & set(features.split())
    for number, line in enumerate(sys.stdin):
        (verb, body), = json.loads(line).items()
        session, done = sessions.get(body.get("session")), {}
        try:
            if verb == "hello": done = {"protocol": 1, "name": name, "features": features.split(), "element": element, **hello}
            elif verb == "open":
                sessions[number] = _Session(make, body["spec"], body["parameters"], element, refuses)
                done = {"session": number}
            elif verb == "save": done = {"state": session.save()}
            elif verb == "load":
                loaded = _Session(make, body["spec"], body["parameters"], element, refuses)
                loaded.load(body["state"])
                sessions[number], done = loaded, {"session": number}
            elif verb == "append": done = session.append(body)
            elif verb in COMMANDS: session.command(verb, body)
            elif verb == "numbers": done = {"rows": [{"length": n} for n in session.lengths]}
            elif verb == "export_kv":
                key, value = session.cache.export_kv(body["row"], body["length"])
                done = {"key": _spelled(key), "value": _spelled(value)}
            elif verb == "close": del sessions[body["session"]]
            else: raise Refused("this subject has no " + verb)
            answer = {"done": done}
        except Refused as why:
            answer = {"refused": str(why)}
        print(json.dumps(answer), file=out, flush=True)
