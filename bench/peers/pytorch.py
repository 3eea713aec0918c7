# SPDX-License-Identifier: Apache-2.0
"""PyTorch's scaled_dot_product_attention on one thread of the CPU, as a peer of the bench.

Prefill is causal. In a decode step the query heads of a group are the queries of one problem, so
that no key is repeated; every query sees everything. Nothing is stored. Before 2.1 the function has
an underscore and is made of whole matrices.
"""
import torch
import torch.nn.functional as F

from timing import Refused, serve

torch.set_num_threads(1)


def attend(q, k, v, causal):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return F._scaled_dot_product_attention(q, k, v, None, 0.0, False, causal)[0]


def prepare(p):
    def heads_first(numbers, tokens, heads):
        array = torch.frombuffer(numbers, dtype=torch.float32).view(p.rows, tokens, heads, p.width)
        return array.transpose(1, 2).contiguous()

    q = heads_first(p.query, p.tokens, p.query_heads)
    k, v = (heads_first(numbers, p.slots, p.kv_heads) for numbers in (p.key, p.value))
    if p.past > 0:
        if p.tokens > 1:
            raise Refused("is_causal counts from the first key: not for several onto a cache")
        q = q.view(p.rows, p.kv_heads, p.query_heads // p.kv_heads, p.width)
    elif p.query_heads != p.kv_heads:
        raise Refused("no grouped heads in prefill")

    def run():
        with torch.no_grad():
            return attend(q, k, v, p.past == 0)

    def bytes_of(output):
        output = output.reshape(p.rows, p.query_heads, p.tokens, p.width).transpose(1, 2)
        return output.contiguous().numpy().tobytes()

    return run, bytes_of


serve(f"PyTorch {torch.__version__}", prepare)
