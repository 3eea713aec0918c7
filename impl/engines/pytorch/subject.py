# SPDX-License-Identifier: Apache-2.0
# PyTorch's scaled_dot_product_attention on the CPU as a subject of kvcheck (docs/protocol.md),
# attention level, with a cache of one zeroed tensor for all rows:
#   kvcheck run --subject 'exec:python3 subject.py mask'    or causal
# mask: one call for all rows, a boolean mask says what a query sees, of windows and anchors, too; with
# slopes a float mask adds them. causal: one call a row, no mask, is_causal=True for a prompt and nothing
# for a single token, no padding. The function has no softcap and no sinks. For experiments: threads=N;
# +feature, -feature or {"field": x} of the profile to change what is declared; ignore=FIELD to keep a
# field of the spec from the engine. Left out: layers, other devices, narrow formats, enable_gqa
# (grouped heads are repeated instead).
import json
import math
import sys
import torch
import torch.nn.functional as F

MODERN = hasattr(F, "scaled_dot_product_attention")  # taken for 2.1 or later; 1.13 has an underscore
FEATURES = {
    "mask": """attention batch grouped_heads value_width window anchors slopes visible_count_ids
        padding_left padding_right padding_holes padding_all unequal_counts empty_chunks warm_chunks
        reset padded_query_computed query_offset kv_export repeatable""".split(),
    "causal": """attention batch grouped_heads value_width unequal_counts empty_chunks reset
        query_offset kv_export repeatable""".split(),
}
kind = sys.argv[1]
ignored = set()
features = set(FEATURES[kind]) | ({"custom_scale"} if MODERN else {"weights"})
# 1.13 computes softmax(scores + mask), which is NaN where the mask is -inf throughout; later
# versions differ in this among themselves, so nothing is declared for them.
if kind == "mask" and not MODERN:
    features.add("dead_row_nan")
# q and k are each multiplied by the root of the scale before they meet: two roundings a product.
profile = {"score_input_error": (1 + 2**-24) ** 2 - 1}
torch.set_num_threads(1)  # the order of sums must not depend on the machine
for option in sys.argv[2:]:
    if option.startswith("threads="):
        torch.set_num_threads(int(option[8:]))
    elif option.startswith("ignore="):
        ignored.add(option[7:])
    elif option[0] == "{":
        profile.update(json.loads(option))
    elif option[0] == "+":
        features.add(option[1:])
    else:
        features.discard(option[1:])


class Refused(Exception):
    pass


def attend(q, k, v, scale, mask=None, is_causal=False):
    """[B][H][L][Dk], [B][Hkv][S][Dk], [B][Hkv][S][Dv], [B][1 or H][L][S] -> output and weights"""
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    if MODERN:
        given = {} if scale is None else {"scale": scale}
        return F.scaled_dot_product_attention(q, k, v, mask, 0.0, is_causal, **given), None
    return F._scaled_dot_product_attention(q, k, v, mask, 0.0, True, is_causal)


def numbers(nested, shape):
    """Nested lists with "nan" and the like as a float32 tensor."""
    def read(x):
        return [read(y) for y in x] if isinstance(x, list) else float(x)
    return torch.tensor(read(nested), dtype=torch.float32).reshape(shape)


def written(x):
    """A tensor's nested lists, the other way."""
    def write(y):
        if isinstance(y, list):
            return [write(z) for z in y]
        return y if math.isfinite(y) else "nan" if math.isnan(y) else "inf" if y > 0 else "-inf"
    return write(x.tolist())


def shaped(nested, shape):
    if not shape:
        return not isinstance(nested, list)
    return isinstance(nested, list) and len(nested) == shape[0] and \
        all(shaped(x, shape[1:]) for x in nested)


class Session:
    def __init__(self, spec, parameters):
        if spec["level"] != "attention":
            raise Refused("attention level only")
        if spec.get("scale") is not None and not MODERN:
            raise Refused("this version takes no scale")
        spec = {field: value for field, value in spec.items() if field not in ignored}
        for field in ("softcap", "window", "anchors", "slopes", "sinks"):
            if spec.get(field) and field not in FEATURES[kind]:
                raise Refused(f"the function has no {field}")
        self.spec = spec
        self.scale = spec.get("scale")
        self.slopes = None
        if spec.get("slopes"):  # JSON may spell them as integers
            self.slopes = torch.tensor(parameters["slopes"], dtype=torch.float32)
        self.reset()

    def reset(self):
        s = self.spec
        head = (s["rows"], s["kv_heads"], s["capacity"])
        self.key, self.value = (torch.zeros(*head, s[w]) for w in ("key_width", "value_width"))
        self.real = torch.zeros(s["rows"], s["capacity"], dtype=torch.bool)
        self.lengths = [0] * s["rows"]

    def check(self, call):
        s, counts = self.spec, call["counts"]
        rows, tokens = s["rows"], len(call["real"][0]) if call["real"] else 0
        if call["element"] != "f32":
            raise Refused("float32 only")
        wanted = {"counts": (rows,), "real": (rows, tokens),
                  "q": (rows, tokens, s["query_heads"], s["key_width"]),
                  "k": (rows, tokens, s["kv_heads"], s["key_width"]),
                  "v": (rows, tokens, s["kv_heads"], s["value_width"])}
        if "query_offset" in call:
            wanted["query_offset"] = (rows,)
        for name, shape in wanted.items():
            if not shaped(call[name], shape):
                raise Refused(f"{name} should have the shape {shape}")
        if call.get("query_offset", self.lengths) != self.lengths:
            raise Refused("query_offset is not the next slot")
        for length, count, real in zip(self.lengths, counts, call["real"]):
            if not 0 <= count <= tokens or length + count > s["capacity"]:
                raise Refused("wrong count, or beyond the capacity")
            if kind == "causal" and not all(real[:count]):
                raise Refused("padding needs a mask")
            if count > 1 and length > 0 and "warm_chunks" not in features:
                raise Refused("is_causal counts from the first key: not for several onto a cache")
        return {name: numbers(call[name], wanted[name]) for name in "qkv"}, tokens

    def append(self, call):
        data, tokens = self.check(call)
        for r, count in enumerate(call["counts"]):
            new = slice(self.lengths[r], self.lengths[r] + count)
            self.key[r, :, new] = data["k"][r, :count].transpose(0, 1)
            self.value[r, :, new] = data["v"][r, :count].transpose(0, 1)
            self.real[r, new] = torch.tensor(call["real"][r][:count], dtype=torch.bool)
        run = self.by_mask if kind == "mask" else self.by_rows
        output, weights = run(data["q"].transpose(1, 2), call["counts"], tokens)
        self.lengths = [n + count for n, count in zip(self.lengths, call["counts"])]
        done = {"output": written(output.transpose(1, 2))}
        if call.get("want_weights"):
            done["weights"] = written(weights)
        return done

    def by_mask(self, q, counts, tokens):
        longest = max(n + count for n, count in zip(self.lengths, counts))
        if tokens == 0 or longest == 0:
            return self.empty(tokens, longest)
        q = q.clone()
        for r, count in enumerate(counts):
            q[r, :, count:] = 0  # not part of the call
        mask = self.mask(torch.tensor(self.lengths)[:, None] + torch.arange(tokens), longest)
        return attend(q, self.key[:, :, :longest], self.value[:, :, :longest], self.scale, mask)

    def mask(self, query, slots):
        """For queries in slots [B][L]: [B][1][L][S] booleans, or with slopes [B][H][L][S] floats."""
        real, key = self.real[:, :slots], torch.arange(slots)
        real_before = real.cumsum(1) - real.long()  # [B][S]
        back = query[:, :, None] - key              # [B][L][S], slots from query back to key
        sees = (back >= 0) & real[:, None]
        if self.spec.get("window") is not None:
            sees &= (back < self.spec["window"]) | (real_before < self.spec.get("anchors", 0))[:, None]
        if self.slopes is None:
            return sees[:, None]
        if self.spec["position_ids"] == "visible_count":
            ids = real_before.gather(1, query.clamp(max=slots - 1))  # past a row's count: unused
            back = ids[:, :, None] - real_before[:, None]
        bias = -self.slopes[:, None, None] * back[:, None]
        return bias.masked_fill(~sees[:, None], -math.inf)

    def by_rows(self, q, counts, tokens):
        longest = max(n + count for n, count in zip(self.lengths, counts))
        output, weights = self.empty(tokens, longest)
        for r, count in enumerate(counts):
            end = self.lengths[r] + count
            if count == 0:
                continue
            o, w = attend(q[r:r + 1, :, :count], self.key[r:r + 1, :, :end],
                          self.value[r:r + 1, :, :end], self.scale, is_causal=count > 1)
            output[r, :, :count] = o[0]
            if w is not None:
                weights[r, :, :count, :end] = w[0]
        return output, weights

    def empty(self, tokens, slots):
        s = self.spec
        return (torch.zeros(s["rows"], s["query_heads"], tokens, s["value_width"]),
                torch.zeros(s["rows"], s["query_heads"], tokens, slots))

    def export(self, row):
        held = slice(0, self.lengths[row])
        return {"key": written(self.key[row, :, held]), "value": written(self.value[row, :, held])}

    def poison(self, pattern):
        for r, length in enumerate(self.lengths):
            self.key[r, :, length:] = self.value[r, :, length:] = float(pattern)


sessions = {}
for line in sys.stdin:
    (verb, body), = json.loads(line).items()
    session = sessions.get(body.get("session"))
    done = {}
    try:
        if verb == "hello":
            done = {"protocol": 1, "name": "pytorch-" + kind, "version": torch.__version__,
                    "features": sorted(features), "profile": profile}
        elif verb == "open":
            sessions[len(sessions) + 1] = Session(body["spec"], body["parameters"])
            done = {"session": len(sessions)}
        elif verb == "append":
            done = session.append(body)
        elif verb == "reset":
            session.reset()
        elif verb == "numbers":
            done = {"rows": [{"length": n} for n in session.lengths]}
        elif verb == "export_kv":
            done = session.export(body["row"])
        elif verb == "poison_unused":
            session.poison(body["pattern"])
        elif verb == "close":
            sessions[body["session"]] = None  # its number is not given again
        print(json.dumps({"done": done}), flush=True)
    except Refused as why:
        print(json.dumps({"refused": str(why)}), flush=True)
