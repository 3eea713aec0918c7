// SPDX-License-Identifier: Apache-2.0
// Numbers and nested arrays of docs/protocol.md, and what an append must be refused for. Everything
// is checked here, before an engine sees it: engines answer a wrong shape in ways of their own.

export class Refused extends Error {}
export const refuse = (why) => { throw new Refused(why); };

const spelled = { nan: NaN, inf: Infinity, '-inf': -Infinity, '-0': -0 };
const readNumber = (x) => (typeof x === 'string' ? spelled[x] : x);

// JSON has no NaN, no infinity, and JSON.stringify drops the sign of -0.
export function writeNumber(x) {
  if (Number.isNaN(x)) return 'nan';
  if (!Number.isFinite(x)) return x > 0 ? 'inf' : '-inf';
  return Object.is(x, -0) ? '-0' : x;
}

export function flat(nested) {
  return nested.flat(Infinity).map(readNumber);
}

// flat numbers -> nested arrays, outermost dimension first
export function nest(numbers, shape) {
  const build = (dimension, offset, size) => {
    if (dimension === shape.length) return writeNumber(numbers[offset]);
    const step = size / shape[dimension];
    return Array.from({ length: shape[dimension] }, (_, i) =>
      build(dimension + 1, offset + i * step, step));
  };
  return build(0, 0, shape.reduce((a, b) => a * b, 1));
}

export function checkAppend(spec, rows, call) {
  if (call.element !== 'f32') refuse('float32 only');
  const tokens = call.real.length ? call.real[0].length : 0;
  const shaped = (array, shape) => shape.length === 0 ? !Array.isArray(array) :
    Array.isArray(array) && array.length === shape[0] &&
    array.every((x) => shaped(x, shape.slice(1)));
  const wanted = {
    counts: [spec.rows], real: [spec.rows, tokens],
    q: [spec.rows, tokens, spec.query_heads, spec.key_width],
    k: [spec.rows, tokens, spec.kv_heads, spec.key_width],
    v: [spec.rows, tokens, spec.kv_heads, spec.value_width],
    ...(call.query_offset ? { query_offset: [spec.rows] } : {}),
  };
  for (const [name, shape] of Object.entries(wanted)) {
    if (!shaped(call[name], shape)) refuse(`${name} should have the shape ${shape}`);
  }
  rows.forEach(({ length }, r) => {
    const count = call.counts[r];
    if (!(count >= 0 && count <= tokens)) refuse(`row ${r}: no such count`);
    if (length + count > spec.capacity) refuse(`row ${r}: beyond the capacity`);
    if (call.query_offset && call.query_offset[r] !== length) refuse(`row ${r}: wrong offset`);
  });
  return tokens;
}
