// SPDX-License-Identifier: Apache-2.0
// A subject in JavaScript: causal attention with a cache over docs/protocol.md. Put your own
// implementation into append().   kvcheck run --subject 'exec:node attention.mjs'
import { createInterface } from 'node:readline';

const features = `attention batch grouped_heads value_width custom_scale padding_left padding_right
  padding_holes padding_all unequal_counts empty_chunks warm_chunks reset query_offset repeatable
  batch_invariant masked_nonfinite padded_query_computed dead_row_zeros`.split(/\s+/);
const sessions = new Map();
let opened = 0;
const refuse = (why) => { throw { refused: why }; };

function open({ spec }) {
  if (spec.level !== 'attention') refuse('attention level only');
  const session = { spec, scale: spec.scale ?? 1 / Math.sqrt(spec.key_width), rows: [] };
  reset(session);
  sessions.set(++opened, session);
  return { session: opened };
}

function reset(session) {
  session.rows = Array.from({ length: session.spec.rows }, () => []); // per slot: { real, k, v }
}

function check({ spec, rows }, call) {
  const shape = (name, heads, width) => call[name].length === spec.rows &&
    call[name].every((row) => row.every((t) => t.length === heads && t.every((h) => h.length === width)));
  if (!shape('q', spec.query_heads, spec.key_width) || !shape('k', spec.kv_heads, spec.key_width) ||
      !shape('v', spec.kv_heads, spec.value_width)) refuse('wrong shape');
  if (call.element !== 'f32' || call.counts.length !== spec.rows) refuse('wrong element type or rows');
  rows.forEach((row, r) => {
    const count = call.counts[r];
    if (count < 0 || count > call.real[r].length || row.length + count > spec.capacity) refuse('wrong count');
    if (call.query_offset && call.query_offset[r] !== row.length) refuse('wrong query_offset');
  });
}

// softmax(scale q.k) v over the keys that are seen.
function attend({ spec, scale }, query, seen, head) {
  const q = query.map(Number);
  const scores = seen.map(({ k }) => scale * k[head].reduce((sum, x, d) => sum + x * q[d], 0));
  const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const weights = scores.map((x) => Math.exp(x - largest));
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

const verbs = { open, append: (body) => append(sessions.get(body.session), body),
  hello: () => ({ protocol: 1, name: 'node-example', features }),
  reset: (body) => (reset(sessions.get(body.session)), {}), close: (body) => (sessions.delete(body.session), {}),
  numbers: (body) => ({ rows: sessions.get(body.session).rows.map((row) => ({ length: row.length })) }) };
createInterface({ input: process.stdin }).on('line', (line) => {
  const [[verb, body]] = Object.entries(JSON.parse(line));
  let answer;
  try { answer = { done: verbs[verb](body) }; } catch (error) { answer = error.refused ? error : { refused: String(error) }; }
  process.stdout.write(JSON.stringify(answer) + '\n');
});
