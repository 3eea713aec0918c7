// SPDX-License-Identifier: Apache-2.0
// A subject in JavaScript: only the cache and the kernel; kvcheck.mjs beside it does the rest.
//   kvcheck run 'exec:node attention_kernel.mjs'
import { refuse, serve } from './kvcheck.mjs';

function open(spec) {
  if (spec.level !== 'attention') refuse('attention level only');
  const scale = spec.scale ?? 1 / Math.sqrt(spec.key_width), group = spec.query_heads / spec.kv_heads;
  let rows = Array.from({ length: spec.rows }, () => []); // per slot: { k[Hkv][Dk], v[Hkv][Dv] }, null where nobody sees it

  function attend(query, seen, head) { // softmax(scale q.k) v
    const scores = seen.map(({ k }) => scale * k[head].reduce((sum, x, d) => sum + x * query[d], 0));
    const weights = scores.map((x) => Math.exp(x - Math.max(...scores)));
    const sum = weights.reduce((a, b) => a + b, 0) || 1;
    return Array.from({ length: spec.value_width }, (_, d) => weights.reduce((o, w, j) => o + (w / sum) * seen[j].v[head][d], 0));
  }

  function truncate(row, length) {
    for (const tokens of row === undefined ? rows : [rows[row]]) tokens.length = length;
  }

  return {
    append: (call) => rows.map((row, r) => call.q[r].map((heads, t) => {
      if (t >= call.counts[r]) return null;
      row.push(call.real[r][t] ? { k: call.k[r][t], v: call.v[r][t] } : null);
      const seen = row.filter(Boolean);
      return heads.map((query, h) => attend(query, seen, Math.floor(h / group)));
    })),
    truncate,
    reset: (row) => truncate(row, 0),
    reorder: (sources) => { rows = sources.map((source) => [...rows[source]]); },
    evict: (row, begin, end) => { rows[row].fill(null, begin, end); },
    save: () => rows,
    load: (saved) => { rows = saved; } };
}

serve({ name: 'kernel-example', open, features: `attention batch grouped_heads value_width custom_scale padding_left
  padding_right padding_holes padding_all unequal_counts empty_chunks warm_chunks reset reset_row truncate truncate_row
  reorder varying_rows fork finish evict save query_offset repeatable batch_invariant
  masked_nonfinite padded_query_computed dead_row_zeros`,
  // What attend() keeps, so that small faults show; another kernel has another profile, or none.
  profile: { exp_ulps: 1, divide_ulps: 0.5, scale_roundings: 3, difference_roundings: 1, shift_roundings: 0, rescale_block: 0,
  merge_levels: 0 } });
