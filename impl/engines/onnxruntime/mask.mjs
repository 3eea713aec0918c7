// SPDX-License-Identifier: Apache-2.0
// Visibility and distances as the spec states them, for operators that take a mask or a bias in place
// of a convention: padding, windows with anchors, slopes (docs/contract.md, clauses 1, 3 and 5). What is
// made here is the adapter's work, not the engine's. Left out: causality, which both operators have.

// real: [slots] of one row. sees(p, k): whether the query in slot p sees the key in slot k <= p.
// distance(p, k): the id of the query less that of the key.
export function visibility({ window, anchors = 0, position_ids: rule }, real) {
  let count = 0;
  const realBefore = real.map((x) => (x ? count++ : count));
  const ids = rule === 'visible_count' ? realBefore : real.map((_, slot) => slot);
  return {
    sees: (p, k) => real[k] && (window == null || p - k < window || realBefore[k] < anchors),
    distance: (p, k) => ids[p] - ids[k],
  };
}

// The numbers [slopes][count][slots] that a row's `count` queries from slot `first` on add to their
// scores; -inf where a key is hidden. Rounded once, when they become floats.
export function biases(spec, slopes, real, first, count, slots = real.length) {
  const { sees, distance } = visibility(spec, real);
  const added = (slope, p, k) => {
    if (k > p) return 0; // hidden by the operator
    return sees(p, k) ? -slope * distance(p, k) : -Infinity;
  };
  const keys = [...Array(slots).keys()];
  return slopes.flatMap((slope) => Array.from({ length: count }, (_, t) =>
    keys.map((k) => added(slope, first + t, k))).flat());
}
