// SPDX-License-Identifier: Apache-2.0
// Speaks docs/protocol.md for a subject in JavaScript, and admits calls: an adapter is its cache and its kernel.
// attention_kernel.mjs beside this file shows one.
//
//   serve({ name, features, open })   answers until the input ends
//   open(spec, parameters)            returns a session { append, reset }; refuse('why') what it cannot honour
//   session.append(call)              returns output, or { output, weights } where call.want_weights
//   session.reset(row)                forgets a row; undefined: all of them
//   session.truncate(row, length)     optional: takes a row back to its first slots; undefined: all of them
//   session.reorder(sources)          optional: row r goes on as sources[r]; a fork is asked as 0, 1, ..., rows - 1, row
//   session.evict(row, begin, end)    optional: hides slots
//   session.save(), .load(state)      optional: all that the cache holds, as one value, and back into a new session
//
// A call that gets through has call.q, k, v [rows][tokens][heads][width] or call.x [rows][tokens][D] as numbers,
// call.real [rows][tokens], and for each row call.counts and call.lengths, the length before the call. Rows and slots
// of a command are checked before it gets through. Finished rows are remembered here: it is enough to declare finish.
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { deserialize, serialize } from 'node:v8';

export const refuse = (why) => { throw { refused: why }; };

const number = (x) => (typeof x === 'string' ? Number(x.replace('inf', 'Infinity')) : x); // "nan", "inf", "-inf", "-0"
const numbers = (x) => (Array.isArray(x) ? x.map(numbers) : number(x));
const spelled = (_, x) => (typeof x !== 'number' || Number.isFinite(x) ? x : Number.isNaN(x) ? 'nan' : x > 0 ? 'inf' : '-inf');

function shaped(array, shape, name) {
  const fits = (part, [extent, ...rest]) => extent === undefined ? !Array.isArray(part)
    : Array.isArray(part) && part.length === extent && part.every((one) => fits(one, rest));
  return fits(array, shape) ? numbers(array) : refuse(`${name} has a wrong shape`);
}

class Session {
  constructor(open, spec, parameters, refuses) { // refuses: what is beyond the capacity
    const positions = (parameters.position_table ?? parameters.rotary_table)?.length ?? Infinity;
    const rows = Array.from({ length: spec.rows }, () => ({ real: [], finished: false })); // real: of every slot
    Object.assign(this, { spec, parameters, refuses, positions, rows, own: open(spec, parameters) });
  }

  // A digest of a state and of what it belongs to: a change of either is another digest.
  seal(body) {
    const belongs = JSON.stringify([{ ...this.spec, rows: this.rows.length }, this.parameters]);
    return createHash('sha256').update(belongs).update(body).digest();
  }

  save() {
    const body = serialize({ rows: this.rows, own: this.own.save() });
    return { state: Buffer.concat([this.seal(body), body]).toString('base64') };
  }

  load(text) {
    const state = Buffer.from(text, 'base64'), size = 32, body = state.subarray(size);
    if (!this.seal(body).equals(state.subarray(0, size))) refuse('a damaged state, or one of another spec or parameters');
    const { rows, own } = deserialize(body);
    this.rows = rows;
    this.own.load(own);
  }

  command(verb, { row, length, sources, begin, end }) {
    const { rows, own } = this;
    const named = sources ?? (row === undefined ? [...rows.keys()] : [row]);
    if (named.length === 0 || named.some((r) => !rows[r])) refuse('no such row');
    if (verb !== 'fork' && verb !== 'finish' && !own[verb]) refuse(`this subject has no ${verb}`);
    const has = (r, slots) => slots >= 0 && slots <= rows[r].real.length;
    if (verb === 'reset') {
      own.reset(row);
      named.forEach((r) => { rows[r] = { real: [], finished: false }; });
    } else if (verb === 'truncate') {
      if (!named.every((r) => has(r, length))) refuse('no such length');
      own.truncate(row, length);
      named.forEach((r) => { rows[r].real.length = length; });
    } else if (verb === 'evict') {
      if (!has(row, begin) || !has(row, end) || begin >= end) refuse('no such slots');
      own.evict(row, begin, end);
    } else if (verb === 'finish') rows[row].finished = true;
    else {
      const from = verb === 'fork' ? [...rows.keys(), row] : sources;
      own.reorder(from);
      this.rows = from.map((r) => ({ real: [...rows[r].real], finished: rows[r].finished }));
    }
    return {};
  }

  admit({ counts, real, element, query_offset, want_weights, q, k, v, x }) {
    const { spec, rows } = this, tokens = real[0]?.length ?? 0, batch = [rows.length, tokens];
    if (element !== 'f32') refuse('wrong element type');
    if (counts.length !== rows.length || real.length !== rows.length) refuse('wrong number of rows');
    const lengths = rows.map((row) => row.real.length), call = { counts, real, want_weights, lengths };
    if (spec.level === 'layer') call.x = shaped(x, [...batch, spec.model_width], 'x');
    else {
      call.q = shaped(q, [...batch, spec.query_heads, spec.key_width], 'q');
      call.k = shaped(k, [...batch, spec.kv_heads, spec.key_width], 'k');
      call.v = shaped(v, [...batch, spec.kv_heads, spec.value_width], 'v');
    }
    counts.forEach((count, r) => {
      const full = this.refuses && lengths[r] + count > spec.capacity;
      if (count < 0 || count > tokens || full) refuse('wrong count, or beyond the capacity');
      if (count > 0 && rows[r].finished) refuse('the row is finished');
      if (query_offset && (query_offset.length !== rows.length || query_offset[r] !== lengths[r])) refuse('wrong query_offset');
      const earlier = [...rows[r].real, ...real[r].slice(0, Math.max(count - 1, 0))].filter(Boolean).length;
      const id = spec.position_ids === 'visible_count' ? earlier : lengths[r] + count - 1;
      if (count > 0 && id >= this.positions) refuse('position id beyond the table');
    });
    return call;
  }

  append(body) {
    const call = this.admit(body);
    const answer = this.own.append(call);
    call.counts.forEach((count, r) => this.rows[r].real.push(...call.real[r].slice(0, count)));
    return call.want_weights ? answer : { output: answer };
  }
}

export function serve({ name, features, open, ...hello }) {
  const sessions = new Map();
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr); // what others print is none of the answers
  const refuses = !/\bcapacity_(unbounded|evicted)\b/.test(features);
  let count = 0;
  const verbs = {
    hello: () => ({ protocol: 1, name, features: features.trim().split(/\s+/), ...hello }),
    open: ({ spec, parameters }) => { sessions.set(++count, new Session(open, spec, parameters, refuses)); return { session: count }; },
    save: ({ session }) => sessions.get(session).save(),
    load: ({ spec, parameters, state }) => {
      const loaded = new Session(open, spec, parameters, refuses);
      loaded.load(state);
      sessions.set(++count, loaded);
      return { session: count };
    },
    append: (body) => sessions.get(body.session).append(body),
    numbers: ({ session }) => ({ rows: sessions.get(session).rows.map(({ real }) => ({ length: real.length })) }),
    close: ({ session }) => { sessions.delete(session); return {}; } };
  for (const verb of ['reset', 'truncate', 'reorder', 'fork', 'finish', 'evict']) {
    verbs[verb] = (body) => sessions.get(body.session).command(verb, body);
  }
  createInterface({ input: process.stdin }).on('line', (line) => {
    const [[verb, body]] = Object.entries(JSON.parse(line));
    let answer;
    try { answer = { done: (verbs[verb] ?? (() => refuse(`this subject has no ${verb}`)))(body) }; } catch (error) {
      if (!error.refused) throw error;
      answer = error;
    }
    write(JSON.stringify(answer, spelled) + '\n');
  });
}
