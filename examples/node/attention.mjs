// SPDX-License-Identifier: Apache-2.0
// A subject in JavaScript over docs/protocol.md; your kernel goes into attend(). kvcheck run --subject 'exec:node attention.mjs'
import { createInterface } from 'node:readline';

// What attend() keeps, so that small faults show; another kernel has another profile, or none.
const profile = { exp_ulps: 1, divide_ulps: 0.5, scale_roundings: 3, difference_roundings: 1, shift_roundings: 0, rescale_block: 0,
  merge_levels: 0 };
const features = `attention batch grouped_heads value_width custom_scale padding_left padding_right padding_holes padding_all unequal_counts
  empty_chunks warm_chunks reset query_offset repeatable batch_invariant masked_nonfinite padded_query_computed dead_row_zeros`.split(/\s+/);
const sessions = new Map();
const refuse = (why) => { throw { refused: why }; };

function open({ spec }) {
  if (spec.level !== 'attention') refuse('attention level only');
  const rows = Array.from({ length: spec.rows }, () => []); // per slot: { real, k, v }
  sessions.set(sessions.size + 1, { spec, scale: spec.scale ?? 1 / Math.sqrt(spec.key_width), rows });
  return { session: sessions.size };
}

function check({ spec, rows }, call) {
  const sized = (array, size) => array.length === size;
  const fits = (array, heads, width) => sized(array, spec.rows) && array.every((row, r) =>
    sized(row, call.real[r].length) && row.every((t) => sized(t, heads) && t.every((h) => sized(h, width))));
  if (!sized(call.real, spec.rows) || !fits(call.q, spec.query_heads, spec.key_width) || call.element !== 'f32' ||
      !fits(call.k, spec.kv_heads, spec.key_width) || !fits(call.v, spec.kv_heads, spec.value_width)) refuse('wrong shape or type');
  rows.forEach((row, r) => {
    const count = call.counts[r];
    if (count < 0 || count > call.real[r].length || row.length + count > spec.capacity) refuse('wrong count');
    if (call.query_offset && call.query_offset[r] !== row.length) refuse('wrong query_offset');
  });
}

function attend({ spec, scale }, query, seen, head) { // softmax(scale q.k) v over the keys that are seen
  const scores = seen.map(({ k }) => scale * k[head].reduce((sum, x, d) => sum + x * Number(query[d]), 0));
  const weights = scores.map((x) => Math.exp(x - Math.max(...scores)));
  const sum = weights.reduce((a, b) => a + b, 0) || 1;
  return Array.from({ length: spec.value_width }, (_, d) => // JSON turns NaN into null: not written
    weights.reduce((o, w, j) => o + (w / sum) * seen[j].v[head][d], 0));
}

function append(session, call) {
  check(session, call);
  const group = session.spec.query_heads / session.spec.kv_heads;
  return { output: session.rows.map((row, r) => call.q[r].map((heads, t) => {
    if (t >= call.counts[r]) return null;
    row.push({ real: call.real[r][t], k: call.k[r][t], v: call.v[r][t] });
    const seen = row.filter((token) => token.real);
    return heads.map((q, h) => attend(session, q, seen, Math.floor(h / group)));
  })) };
}

const verbs = {
  hello: () => ({ protocol: 1, name: 'node-example', features, profile }), open,
  append: (body) => append(sessions.get(body.session), body),
  reset: ({ session }) => { sessions.get(session).rows.forEach((row) => { row.length = 0; }); return {}; },
  numbers: ({ session }) => ({ rows: sessions.get(session).rows.map((row) => ({ length: row.length })) }),
  close: ({ session }) => { sessions.set(session, null); return {}; } };
createInterface({ input: process.stdin }).on('line', (line) => {
  const [[verb, body]] = Object.entries(JSON.parse(line));
  let answer;
  try { answer = { done: verbs[verb](body) }; } catch (error) { if (!error.refused) throw error; answer = error; }
  process.stdout.write(JSON.stringify(answer) + '\n');
});
