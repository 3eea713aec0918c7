// SPDX-License-Identifier: Apache-2.0
// Speaks docs/protocol.md for a subject in JavaScript, and admits calls: an adapter is its cache and its kernel.
// attention_kernel.mjs beside this file shows one.
//
//   serve({ name, features, open })   answers until the input ends
//   open(spec, parameters)            returns a session { append, reset }; refuse('why') what it cannot honour
//   session.append(call)              returns output, or { output, weights } where call.want_weights
//   session.reset(row)                forgets a row; undefined: all of them
//
// A call that gets through has call.q, k, v [rows][tokens][heads][width] or call.x [rows][tokens][D] as numbers,
// call.real [rows][tokens], and for each row call.counts and call.lengths, the length before the call.
import { createInterface } from 'node:readline';

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
    Object.assign(this, { spec, refuses, positions, own: open(spec, parameters) });
    this.reset();
  }

  reset(row) {
    if (row === undefined) [this.lengths, this.reals] = [0, 0].map((zero) => Array(this.spec.rows).fill(zero));
    else this.lengths[row] = this.reals[row] = 0;
  }

  admit({ counts, real, element, query_offset, want_weights, q, k, v, x }) {
    const { spec } = this, tokens = real[0]?.length ?? 0, batch = [spec.rows, tokens];
    if (element !== 'f32') refuse('wrong element type');
    if (counts.length !== spec.rows || real.length !== spec.rows) refuse('wrong number of rows');
    const call = { counts, real, want_weights, lengths: [...this.lengths] };
    if (spec.level === 'layer') call.x = shaped(x, [...batch, spec.model_width], 'x');
    else {
      call.q = shaped(q, [...batch, spec.query_heads, spec.key_width], 'q');
      call.k = shaped(k, [...batch, spec.kv_heads, spec.key_width], 'k');
      call.v = shaped(v, [...batch, spec.kv_heads, spec.value_width], 'v');
    }
    counts.forEach((count, r) => {
      const full = this.refuses && this.lengths[r] + count > spec.capacity;
      if (count < 0 || count > tokens || full) refuse('wrong count, or beyond the capacity');
      if (query_offset && (query_offset.length !== spec.rows || query_offset[r] !== this.lengths[r])) refuse('wrong query_offset');
      const earlier = real[r].slice(0, Math.max(count - 1, 0)).filter(Boolean).length;
      const id = spec.position_ids === 'visible_count' ? this.reals[r] + earlier : this.lengths[r] + count - 1;
      if (count > 0 && id >= this.positions) refuse('position id beyond the table');
    });
    return call;
  }

  append(body) {
    const call = this.admit(body);
    const answer = this.own.append(call);
    call.counts.forEach((count, r) => {
      this.lengths[r] += count;
      this.reals[r] += call.real[r].slice(0, count).filter(Boolean).length;
    });
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
    append: (body) => sessions.get(body.session).append(body),
    reset: ({ session, row }) => { sessions.get(session).own.reset(row); sessions.get(session).reset(row); return {}; },
    numbers: ({ session }) => ({ rows: sessions.get(session).lengths.map((length) => ({ length })) }),
    close: ({ session }) => { sessions.delete(session); return {}; } };
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
