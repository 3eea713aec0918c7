// SPDX-License-Identifier: Apache-2.0
// The contrib operator GroupQueryAttention of com.microsoft with a past as large as the capacity.
// Rows that hold nothing share one run, a prompt padded on the right to its longest row; rows that
// hold something and get one token share another; the operator takes several tokens onto a past for
// one row at a time only. It knows lengths but no mask over keys: padding is not declared. It wants
// heads of a multiple of 8, so all heads are filled up with zeros, which changes no score and no
// output, and the scale is always given. Softcap, windows (local_window_size) and sinks (head_sink, or
// smooth_softmax where all are 0) are the operator's own; slopes are given as its attention_bias. It has
// no anchors: not declared. Left out: packed QKV, rotary, a past shared with the present.
import { biases } from './mask.mjs';
import { oneNodeModel } from './model.mjs';
import { flat, refuse } from './wire.mjs';

export const features = `attention batch grouped_heads custom_scale softcap window slopes sinks
  visible_count_ids unequal_counts empty_chunks warm_chunks reset query_offset kv_export poison_unused
  repeatable`.split(/\s+/);

export function checkSpec(spec) {
  if (spec.key_width !== spec.value_width) refuse('keys and values must be of one width');
  if (spec.scale === 0) refuse('the operator takes a scale of 0 for none');
}

const paddedWidth = (spec) => Math.ceil(spec.key_width / 8) * 8;
const rowSize = (spec) => spec.kv_heads * spec.capacity * paddedWidth(spec);

// Copies pieces of `from` numbers to pieces of `to` numbers: fills up with zeros, or cuts off.
function rewidth(numbers, from, to) {
  const result = new Float32Array(numbers.length / from * to);
  const kept = Math.min(from, to);
  for (let i = 0; i < numbers.length / from; ++i) {
    for (let d = 0; d < kept; ++d) result[i * to + d] = numbers[i * from + d];
  }
  return result;
}

export const freshRow = (spec) => ({ length: 0, real: [], key: new Float32Array(rowSize(spec)),
  value: new Float32Array(rowSize(spec)) });

// Everything of [Hkv][capacity][D] from a row's length on.
export function poison({ spec, rows }, pattern) {
  const D = paddedWidth(spec);
  for (const { length, key, value } of rows) {
    for (let h = 0; h < spec.kv_heads; ++h) {
      const [from, to] = [(h * spec.capacity + length) * D, (h + 1) * spec.capacity * D];
      key.fill(pattern, from, to);
      value.fill(pattern, from, to);
    }
  }
}

export function storedKv({ length, key, value }, spec) {
  const D = paddedWidth(spec);
  const held = (array) => rewidth(Array.from({ length: spec.kv_heads }, (_, h) =>
    [...array.subarray(h * spec.capacity * D, (h * spec.capacity + length) * D)]).flat(),
  D, spec.key_width);
  return { key: held(key), value: held(value) };
}

// smooth: sinks of 0, by the attribute
function model(spec, smooth) {
  const [f32, i32] = ['float32', 'int32'].map((type) => (name) => ({ name, type }));
  return oneNodeModel({
    domain: 'com.microsoft', op: 'GroupQueryAttention', opset: 1,
    attributes: { num_heads: spec.query_heads, kv_num_heads: spec.kv_heads,
      scale: { float: spec.scale ?? 1 / Math.sqrt(spec.key_width) },
      ...(spec.softcap == null ? {} : { softcap: { float: spec.softcap } }),
      ...(spec.window == null ? {} : { local_window_size: spec.window }),
      ...(smooth ? { smooth_softmax: 1 } : {}) },
    inputs: [f32('q'), f32('k'), f32('v'), f32('past_key'), f32('past_value'),
      i32('seqlens_k'), i32('total_sequence_length'), null, null, null, // no rotary tables, no ids
      spec.slopes ? f32('attention_bias') : null, spec.sinks && !smooth ? f32('head_sink') : null],
    outputs: [f32('output'), f32('present_key'), f32('present_value')],
  });
}

async function runGroup({ spec, parameters, rows, runtime }, call, group) {
  const batch = group.length;
  const D = paddedWidth(spec);
  const longest = Math.max(...group.map((r) => call.counts[r]));
  const ends = group.map((r) => rows[r].length + call.counts[r]);
  const slots = Math.max(...ends);
  // What lies beyond a row's count goes to the operator as it came: it has been told the length.
  const tokens = (name, heads) => runtime.tensor('float32',
    rewidth(group.flatMap((r) => flat(call[name][r].slice(0, longest))), spec.key_width, D),
    [batch, longest, heads * D]);
  const past = (name) => {
    const all = new Float32Array(batch * rowSize(spec));
    group.forEach((r, b) => all.set(rows[r][name], b * rowSize(spec)));
    return runtime.tensor('float32', all, [batch, spec.kv_heads, spec.capacity, D]);
  };
  const feeds = {
    q: tokens('q', spec.query_heads), k: tokens('k', spec.kv_heads), v: tokens('v', spec.kv_heads),
    past_key: past('key'), past_value: past('value'),
    seqlens_k: runtime.tensor('int32', ends.map((end) => end - 1), [batch]),
    total_sequence_length: runtime.tensor('int32', [slots], [1]),
  };
  if (spec.slopes) {
    // Without padding both rules give the slot as the id. The window is the operator's: not passed on.
    const bias = (r) => biases({}, parameters.slopes, Array(slots).fill(true), rows[r].length, longest);
    feeds.attention_bias = runtime.tensor('float32', group.flatMap(bias),
      [batch, spec.query_heads, longest, slots]);
  }
  const smooth = spec.sinks && parameters.sinks.every((sink) => sink === 0);
  if (spec.sinks && !smooth) {
    feeds.head_sink = runtime.tensor('float32', parameters.sinks, [spec.query_heads]);
  }
  const key = ['gqa', ...['query_heads', 'kv_heads', 'scale', 'key_width', 'softcap', 'window', 'slopes',
    'sinks'].map((field) => spec[field]), smooth].join(' ');
  const result = await runtime.run(key, () => model(spec, smooth), feeds);
  const part = (tensor, b) => {
    const size = tensor.data.length / batch;
    return tensor.data.slice(b * size, (b + 1) * size);
  };
  return group.map((r, b) => ({
    r, count: longest, output: rewidth(part(result.output, b), D, spec.key_width),
    row: { length: ends[b], real: [], key: part(result.present_key, b),
      value: part(result.present_value, b) },
  }));
}

export async function append(session, call) {
  const { rows } = session;
  const busy = rows.map((_, r) => r).filter((r) => call.counts[r] > 0);
  for (const r of busy) {
    if (call.real[r].slice(0, call.counts[r]).includes(false)) refuse('padding is not supported');
  }
  const warm = busy.filter((r) => rows[r].length > 0);
  const groups = [busy.filter((r) => rows[r].length === 0),
    warm.filter((r) => call.counts[r] === 1),
    ...warm.filter((r) => call.counts[r] > 1).map((r) => [r])];
  const results = [];
  for (const group of groups) {
    if (group.length > 0) results.push(...await runGroup(session, call, group));
  }
  return results;
}
