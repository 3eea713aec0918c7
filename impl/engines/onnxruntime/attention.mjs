// SPDX-License-Identifier: Apache-2.0
// The ai.onnx operator Attention (opset 23) with past and present. The cache of a row is what the
// kernel last returned as present. Rows of equal length and count share one run: beside a past the
// operator knows no lengths. Causality is always the operator's own is_causal, and so is the softcap.
// It has no windows and no slopes: padding and windows are a boolean mask over keys, and with slopes a
// float mask (mask.mjs). It has no sinks: not declared. Left out: nonpad_kv_seqlen (opset 24).
import { biases } from './mask.mjs';
import { oneNodeModel } from './model.mjs';
import { flat } from './wire.mjs';

export const features = `attention batch grouped_heads value_width custom_scale softcap window anchors
  slopes visible_count_ids padding_left padding_right padding_holes padding_all unequal_counts
  empty_chunks warm_chunks reset padded_query_computed dead_row_zeros query_offset weights kv_export
  repeatable`.split(/\s+/);

export const checkSpec = () => {};

export const freshRow = () =>
  ({ length: 0, real: [], key: new Float32Array(0), value: new Float32Array(0) });

export const storedKv = (row) => ({ key: row.key, value: row.value });

// mask: null, 'bool' or 'float32'
function model(spec, mask, weights) {
  const f32 = (name) => ({ name, type: 'float32' });
  const scale = spec.scale == null ? {} : { scale: { float: spec.scale } };
  const softcap = spec.softcap == null ? {} : { softcap: { float: spec.softcap } };
  return oneNodeModel({
    domain: '', op: 'Attention', opset: 23,
    attributes: { is_causal: 1, q_num_heads: spec.query_heads, kv_num_heads: spec.kv_heads,
      ...scale, ...softcap,
      ...(weights ? { qk_matmul_output_mode: 3 } : {}) }, // 3: what softmax returns
    inputs: [f32('q'), f32('k'), f32('v'), mask ? { name: 'mask', type: mask } : null,
      f32('past_key'), f32('past_value')],
    outputs: [f32('output'), f32('present_key'), f32('present_value'),
      weights ? f32('weights') : null],
  });
}

const concatenated = (arrays) => {
  const all = new Float32Array(arrays.reduce((n, a) => n + a.length, 0));
  arrays.reduce((at, a) => (all.set(a, at), at + a.length), 0);
  return all;
};

// One run for the rows `group`, all of them with one length and one count.
async function runGroup({ spec, parameters, rows, runtime }, call, group) {
  const { length } = rows[group[0]];
  const count = call.counts[group[0]];
  const batch = group.length;
  const slots = length + count;
  const real = group.map((r) => [...rows[r].real, ...call.real[r].slice(0, count)]);
  const hides = spec.window < slots || real.some((row) => row.includes(false));
  const mask = spec.slopes ? 'float32' : hides ? 'bool' : null;
  const weights = Boolean(call.want_weights);

  const tokens = (name, heads, width) => runtime.tensor('float32',
    group.flatMap((r) => flat(call[name][r].slice(0, count))), [batch, count, heads * width]);
  const past = (name, width) => runtime.tensor('float32',
    concatenated(group.map((r) => rows[r][name])), [batch, spec.kv_heads, length, width]);
  const feeds = {
    q: tokens('q', spec.query_heads, spec.key_width),
    k: tokens('k', spec.kv_heads, spec.key_width),
    v: tokens('v', spec.kv_heads, spec.value_width),
    past_key: past('key', spec.key_width),
    past_value: past('value', spec.value_width),
  };
  if (mask) {
    // Without slopes one matrix serves all heads, and only what is hidden in it counts.
    const slopes = spec.slopes ? parameters.slopes : [0];
    const numbers = real.flatMap((row) => biases(spec, slopes, row, length, count));
    feeds.mask = runtime.tensor(mask, mask === 'bool' ? numbers.map((x) => x > -Infinity) : numbers,
      [batch, slopes.length, count, slots]);
  }
  const { query_heads: H, kv_heads: Hkv, scale, softcap } = spec;
  const key = ['attention', H, Hkv, scale, softcap, mask, weights].join(' ');
  const result = await runtime.run(key, () => model(spec, mask, weights), feeds);
  const part = (tensor, b) => {
    const size = tensor.data.length / batch;
    return tensor.data.slice(b * size, (b + 1) * size);
  };
  return group.map((r, b) => ({
    r, count, output: part(result.output, b),
    weights: weights ? part(result.weights, b) : null, // [H][count][slots]
    row: { length: slots, real: real[b], key: part(result.present_key, b),
      value: part(result.present_value, b) },
  }));
}

// Returns, for every row with tokens, its new state, output and weights; changes nothing.
export async function append(session, call) {
  const groups = new Map();
  session.rows.forEach((row, r) => {
    if (call.counts[r] === 0) return; // nothing to run
    const key = `${row.length} ${call.counts[r]}`;
    groups.set(key, [...(groups.get(key) ?? []), r]);
  });
  const results = [];
  for (const group of groups.values()) results.push(...await runGroup(session, call, group));
  return results;
}
