// SPDX-License-Identifier: Apache-2.0
// How every matrix that stands on the right of a product is stored: in panels of up to 64 columns,
// each panel row after row, so that a kernel walks through it from front to back.
//
//      columns   0 ... 63   64 ... 127   128 ... 149 (padded to 160)
//      row 0     |------>|  |------>|    |---->|
//      row 1     |------>|  |------>|    |---->|       memory: panel 0, then panel 1, then panel 2
//      ...
//
// Keys are stored transposed (rows are the elements of a key, columns are the 64 slots of a block),
// values as they are (rows are slots), projections transposed (rows are inputs, columns outputs).
#pragma once

#include <algorithm>

#include "impl/fast/memory.hpp"

namespace kvcheck::fast {

constexpr Index panel_columns = 64;

/// Columns as they are stored; the padding at the end holds anything.
constexpr Index padded(Index columns) { return rounded_up(columns, cache_line_floats); }

/// One panel of a matrix with `rows` rows and `columns` columns that begins at `data`.
template <class Float>
struct Panel {
    Float* data;
    Index stride;   // entries from row to row
    Index columns;  // that mean something
};

constexpr Index panel_count(Index columns) { return (columns + panel_columns - 1) / panel_columns; }

template <class Float>
Panel<Float> panel_of(Float* data, Index rows, Index columns, Index panel) {
    const Index first = panel * panel_columns;
    return {data + rows * first, std::min(panel_columns, padded(columns) - first),
            std::min(panel_columns, columns - first)};
}

}  // namespace kvcheck::fast
