// SPDX-License-Identifier: Apache-2.0
// The bytes of an ONNX model with a single node: just the fields of ModelProto that this needs, by
// their numbers in onnx.proto. Left out: shapes (all are dynamic), initialisers, negative integers.

const varint = (n) => (n < 128 ? [n] : [(n % 128) | 128, ...varint(Math.floor(n / 128))]);
const integer = (field, n) => [...varint(field << 3), ...varint(n)];
const bytes = (field, payload) =>
  [...varint((field << 3) | 2), ...varint(payload.length), ...payload];
const text = (field, string) => bytes(field, [...Buffer.from(string)]);

function float(field, x) {
  const payload = Buffer.alloc(4);
  payload.writeFloatLE(x);
  return [...varint((field << 3) | 5), ...payload];
}

// `{ float: x }` becomes a FLOAT attribute, a plain number an INT.
function attribute(name, value) {
  const isFloat = typeof value === 'object';
  return [...text(1, name), ...(isFloat ? float(2, value.float) : integer(3, value)),
    ...integer(20, isFloat ? 1 : 2)];
}

const elementNumbers = { float32: 1, int32: 6, bool: 9 };
const valueInfo = ({ name, type }) =>
  [...text(1, name), ...bytes(2, bytes(1, integer(1, elementNumbers[type])))];

// inputs and outputs: [{ name, type }]; null stands for an optional one that is not there.
export function oneNodeModel({ domain, op, opset, attributes, inputs, outputs }) {
  const node = [
    ...inputs.flatMap((x) => text(1, x ? x.name : '')),
    ...outputs.flatMap((x) => text(2, x ? x.name : '')),
    ...text(4, op),
    ...Object.entries(attributes).flatMap(([name, value]) => bytes(5, attribute(name, value))),
    ...text(7, domain),
  ];
  const present = (list) => list.filter((x) => x);
  const graph = [
    ...bytes(1, node), ...text(2, 'kvcheck'),
    ...present(inputs).flatMap((x) => bytes(11, valueInfo(x))),
    ...present(outputs).flatMap((x) => bytes(12, valueInfo(x))),
  ];
  const imports = [['', 23], [domain, opset]].filter(([d], i) => i === 1 || d !== domain);
  return Uint8Array.from([
    ...integer(1, 10), // the IR version
    ...bytes(7, graph),
    ...imports.flatMap(([d, version]) => bytes(8, [...text(1, d), ...integer(2, version)])),
  ]);
}
