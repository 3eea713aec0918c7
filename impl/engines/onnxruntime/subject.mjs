// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's CPU kernels as a subject of kvcheck (docs/protocol.md), attention level:
//   kvcheck run --subject 'exec:node subject.mjs attention'    or gqa
// For experiments: threads=N; +feature, -feature or {"field": x} of the profile to change what is
// declared; ignore=FIELD to keep a field of the spec from the engine. Left out: layers, float16, other
// execution providers.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import ort from 'onnxruntime-node';
import * as attention from './attention.mjs';
import * as gqa from './gqa.mjs';
import { Refused, checkAppend, nest, refuse } from './wire.mjs';

const [kind, ...options] = process.argv.slice(2);
const kernel = { attention, gqa }[kind];
if (!kernel) {
  throw new Error('usage: subject.mjs attention|gqa [threads=N] [+feature] [-feature] [ignore=FIELD]');
}
const features = new Set(kernel.features);
const ignored = new Set();
const profile = {}; // of the operators nothing is documented; the default holds with a wide margin
let threads = 1; // one: the order of sums must not depend on the machine
for (const option of options) {
  if (option.startsWith('threads=')) threads = Number(option.slice(8));
  else if (option.startsWith('ignore=')) ignored.add(option.slice(7));
  else if (option[0] === '{') Object.assign(profile, JSON.parse(option));
  else if (option[0] === '+') features.add(option.slice(1));
  else features.delete(option.slice(1));
}
const packageFile = new URL('./node_modules/onnxruntime-node/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile));

const typed = { float32: Float32Array, int32: Int32Array, bool: Uint8Array };
const models = new Map();
const runtime = {
  tensor: (type, data, shape) => new ort.Tensor(type, typed[type].from(data), shape),
  async run(key, build, feeds) {
    if (!models.has(key)) {
      models.set(key, await ort.InferenceSession.create(build(), { intraOpNumThreads: threads,
        interOpNumThreads: 1, executionMode: 'sequential', logSeverityLevel: 4 }));
    }
    return models.get(key).run(feeds);
  },
};

const sessions = new Map();
let opened = 0;
const fresh = (spec) => Array.from({ length: spec.rows }, () => kernel.freshRow(spec));

function open({ spec: given, parameters }) {
  const spec = Object.fromEntries(Object.entries(given).filter(([field]) => !ignored.has(field)));
  if (spec.level !== 'attention') refuse('attention level only');
  for (const field of ['softcap', 'window', 'anchors', 'slopes', 'sinks']) {
    if (spec[field] && !kernel.features.includes(field)) refuse(`the operator has no ${field}`);
  }
  kernel.checkSpec(spec);
  sessions.set(++opened, { spec, parameters, rows: fresh(spec), runtime });
  return { session: opened };
}

async function append({ session: id, ...call }) {
  const session = sessions.get(id);
  const { spec, rows } = session;
  const tokens = checkAppend(spec, rows, call);
  const results = await kernel.append(session, call);
  // All runs have succeeded: only now does the state change.
  const output = rows.map(() => Array(tokens).fill(null));
  for (const { r, count, output: numbers, row } of results) {
    rows[r] = row;
    nest(numbers, [count, spec.query_heads, spec.value_width])
      .forEach((token, t) => { output[r][t] = token; });
  }
  if (!call.want_weights) return { output };
  const slots = Math.max(...rows.map((row) => row.length));
  const weights = rows.map(() => Array.from({ length: spec.query_heads }, () =>
    Array.from({ length: tokens }, () => Array(slots).fill(null))));
  for (const { r, count, weights: numbers, row } of results) {
    nest(numbers, [spec.query_heads, count, row.length]).forEach((head, h) =>
      head.forEach((query, t) => query.forEach((x, s) => { weights[r][h][t][s] = x; })));
  }
  return { output, weights };
}

function exportKv({ session: id, row: r }) {
  const { spec, rows } = sessions.get(id);
  const { key, value } = kernel.storedKv(rows[r], spec);
  return { key: nest(key, [spec.kv_heads, rows[r].length, spec.key_width]),
    value: nest(value, [spec.kv_heads, rows[r].length, spec.value_width]) };
}

const verbs = {
  open, append, export_kv: exportKv,
  hello: () => ({ protocol: 1, name: `onnxruntime-${kind}`, version, features: [...features],
    profile }),
  reset: ({ session }) => {
    const open = sessions.get(session);
    open.rows = fresh(open.spec);
    return {};
  },
  numbers: ({ session }) =>
    ({ rows: sessions.get(session).rows.map(({ length }) => ({ length })) }),
  poison_unused: ({ session, pattern }) => {
    kernel.poison(sessions.get(session), Number(pattern));
    return {};
  },
  close: ({ session }) => (sessions.delete(session), {}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [[verb, body]] = Object.entries(JSON.parse(line));
  let answer;
  try {
    answer = { done: await verbs[verb](body) };
  } catch (error) {
    // An error of the engine is a refusal, too; on an admissible call kvcheck reports its words.
    const words = error.message ?? String(error);
    answer = { refused: error instanceof Refused ? words : `engine: ${words}` };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
