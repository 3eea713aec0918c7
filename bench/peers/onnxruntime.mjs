// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime on one thread of the CPU, as a peer of the bench (bench/engine.hpp):
//   node onnxruntime.mjs attention    ai.onnx Attention, opset 23: all heads first; nothing is stored
//   node onnxruntime.mjs gqa          com.microsoft GroupQueryAttention: tokens first; it returns keys
//                                     and values as well, and takes a prompt only, since a past would
//                                     be copied on its way in and out
// The time is that of the whole process. The package is the one of impl/engines/onnxruntime.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { oneNodeModel } from '../../impl/engines/onnxruntime/model.mjs';

const require = createRequire(new URL('../../impl/engines/onnxruntime/', import.meta.url));
const ort = require('onnxruntime-node');
const { version } = require('onnxruntime-node/package.json');

class Refused extends Error {}

const read = (path) => {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4).slice();
};

// [rows][a][b][width] -> [rows][b][a][width]
function exchanged(numbers, rows, a, b, width) {
  const result = new Float32Array(numbers.length);
  for (let row = 0, to = 0; row < rows; ++row) {
    for (let j = 0; j < b; ++j) {
      for (let i = 0; i < a; ++i, to += width) {
        const from = ((row * a + i) * b + j) * width;
        result.set(numbers.subarray(from, from + width), to);
      }
    }
  }
  return result;
}

const float = (name) => ({ name, type: 'float32' });
const int = (name) => ({ name, type: 'int32' });
const tensor = (data, dims) => new ort.Tensor('float32', data, dims);

function attention(p, { query, key, value }) {
  const put = (numbers, tokens, heads) =>
    tensor(exchanged(numbers, p.rows, tokens, heads, p.width), [p.rows, heads, tokens, p.width]);
  return {
    model: oneNodeModel({ domain: '', op: 'Attention', opset: 23,
      attributes: { is_causal: p.past === 0 ? 1 : 0 }, // one token onto a past sees all of it
      inputs: ['q', 'k', 'v'].map(float), outputs: [float('output')] }),
    feeds: { q: put(query, p.tokens, p.query_heads), k: put(key, p.slots, p.kv_heads),
      v: put(value, p.slots, p.kv_heads) },
    output: (numbers) => exchanged(numbers, p.rows, p.query_heads, p.tokens, p.width),
  };
}

function gqa(p, { query, key, value }) {
  if (p.past > 0) throw new Refused('timed for a prompt only');
  const put = (numbers, heads) => tensor(numbers, [p.rows, p.tokens, heads * p.width]);
  const ints = (numbers, dims) => new ort.Tensor('int32', Int32Array.from(numbers), dims);
  return {
    model: oneNodeModel({ domain: 'com.microsoft', op: 'GroupQueryAttention', opset: 1,
      attributes: { num_heads: p.query_heads, kv_num_heads: p.kv_heads },
      inputs: [...['q', 'k', 'v'].map(float), null, null, int('seqlens_k'),
        int('total_sequence_length')],
      outputs: ['output', 'present_key', 'present_value'].map(float) }),
    feeds: { q: put(query, p.query_heads), k: put(key, p.kv_heads), v: put(value, p.kv_heads),
      seqlens_k: ints(new Array(p.rows).fill(p.tokens - 1), [p.rows]),
      total_sequence_length: ints([p.tokens], [1]) },
    output: (numbers) => numbers,
  };
}

const kind = { attention, gqa }[process.argv[2]];
let session, feeds;

async function prepare(p) {
  if (p.past > 0 && p.tokens > 1) throw new Refused('one token onto a past only');
  p.slots = p.past + p.tokens;
  const arrays = Object.fromEntries(['query', 'key', 'value'].map((name) =>
    [name, read(`${p.folder}/${name}`)]));
  const made = kind(p, arrays);
  session = await ort.InferenceSession.create(made.model, { intraOpNumThreads: 1,
    interOpNumThreads: 1, executionMode: 'sequential', logSeverityLevel: 3 });
  feeds = made.feeds;
  const { output } = await session.run(feeds);
  writeFileSync(`${p.folder}/output`, made.output(output.data));
  return `ONNX Runtime ${version}, ${process.argv[2]}`;
}

async function run() {
  const begin = process.cpuUsage();
  await session.run(feeds);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1e6;
}

for await (const line of createInterface({ input: process.stdin })) {
  const [[verb, body]] = Object.entries(JSON.parse(line));
  try {
    console.log(JSON.stringify({ done: verb === 'prepare' ? await prepare(body) : await run() }));
  } catch (why) {
    if (!(why instanceof Refused)) throw why;
    console.log(JSON.stringify({ refused: why.message }));
  }
}
