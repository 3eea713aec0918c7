// SPDX-License-Identifier: Apache-2.0
// A subject in JavaScript: only the cache and the kernel; kvcheck.mjs beside it does the rest.
//   kvcheck run 'exec:node attention_kernel.mjs'
import { refuse, serve } from './kvcheck.mjs';

function open(spec) {
  if (spec.level !== 'attention') refuse('attention level only');
  const scale = spec.scale ?? 1 / Math.sqrt(spec.key_width), group = spec.query_heads / spec.kv_heads;
  const rows = Array.from({ length: spec.rows }, () => []); // per real token: { k[Hkv][Dk], v[Hkv][Dv] }

  function attend(query, seen, head) { // softmax(scale q.k) v
    const scores = seen.map(({ k }) => scale * k[head].reduce((sum, x, d) => sum + x * query[d], 0));
    const weights = scores.map((x) => Math.exp(x - Math.max(...scores)));
    const sum = weights.reduce((a, b) => a + b, 0) || 1;
    return Array.from({ length: spec.value_width }, (_, d) => weights.reduce((o, w, j) => o + (w / sum) * seen[j].v[head][d], 0));
  }

  return {
    append: (call) => rows.map((row, r) => call.q[r].map((heads, t) => {
      if (t >= call.counts[r]) return null;
      if (call.real[r][t]) row.push({ k: call.k[r][t], v: call.v[r][t] });
      return heads.map((query, h) => attend(query, row, Math.floor(h / group)));
    })),
    reset: (row) => rows.forEach((tokens, r) => { if (row === undefined || row === r) tokens.length = 0; }) };
}

serve({ name: 'kernel-example', open, features: `attention batch grouped_heads value_width custom_scale padding_left
  padding_right padding_holes padding_all unequal_counts empty_chunks warm_chunks reset reset_row query_offset repeatable
  batch_invariant masked_nonfinite padded_query_computed dead_row_zeros`,
  // What attend() keeps, so that small faults show; another kernel has another profile, or none.
  profile: { exp_ulps: 1, divide_ulps: 0.5, scale_roundings: 3, difference_roundings: 1, shift_roundings: 0, rescale_block: 0,
  merge_levels: 0 } });
