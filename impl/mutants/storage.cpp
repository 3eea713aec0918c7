// SPDX-License-Identifier: Apache-2.0
// Faults of narrow storage and their table (declared in storage.hpp).
#include "impl/mutants/storage.hpp"

#include <cmath>

#include "impl/mutants/broken.hpp"
#include "impl/plain/storage.hpp"

namespace kvcheck {
namespace {

/// A fault in how numbers of a format are stored that leaves keys alone, which show themselves only
/// beside another.
class ValuesStoredWrong : public PlainRules {
    double stored(Storage storage, Stored what, double number) const final {
        return what == Stored::key ? narrowed(storage, number) : wrong(storage, number);
    }
    virtual double wrong(Storage storage, double number) const = 0;
};

/// Narrow storage of values is accepted and has no effect.
class ValueStorageIgnored final : public ValuesStoredWrong {
    double wrong(Storage, double number) const override { return number; }
};

/// Narrow storage of keys is accepted and has no effect.
class KeyStorageIgnored final : public PlainRules {
    double stored(Storage storage, Stored what, double number) const override {
        return what == Stored::key ? number : narrowed(storage, number);
    }
};

/// The digits that narrow storage has no room for are cut off.
class StorageTruncated final : public ValuesStoredWrong {
    double wrong(Storage storage, double number) const override {
        return narrowed(storage, number, std::trunc);
    }
};

/// Halfway between two stored numbers the larger one is taken.
class StorageTiesAway final : public ValuesStoredWrong {
    double wrong(Storage storage, double number) const override {
        return narrowed(storage, number, std::round);
    }
};

/// Numbers below the smallest normal half are stored as zero.
class HalfSubnormalsFlushed final : public ValuesStoredWrong {
    double wrong(Storage storage, double number) const override {
        const double smallest_normal = std::ldexp(1.0, -14);
        const double kept = narrowed(storage, number);
        const bool flushed = storage == Storage::fp16 && std::fabs(kept) < smallest_normal;
        return flushed ? 0 : kept;
    }
};

/// The tokens of a call see each other's values as they were brought; later ones as stored.
class CurrentChunkUnrounded final : public PlainRules {
    bool stores_before_it_attends() const override { return false; }
};

/// Weights, and weighted values, are added in the format of storage.
class SumsInStorage final : public PlainRules {
    Storage sums(const Spec& spec) const override { return spec.storage; }
};

/// All values of a token have the int8 scale of its first head.
class Int8ScaleOfFirstHead final : public PlainRules {
    double int8_size(Stored what, const Int8Sizes& sizes) const override {
        return what == Stored::value ? sizes.first_head : sizes.own;
    }
};

/// Keys and values of a head share the int8 scale of its key.
class Int8OneScale final : public PlainRules {
    double int8_size(Stored what, const Int8Sizes& sizes) const override {
        return what == Stored::value ? sizes.other : sizes.own;
    }
};

/// The int8 scale of values is that of the token before.
class Int8ScaleKept final : public PlainRules {
    double int8_size(Stored what, const Int8Sizes& sizes) const override {
        return what == Stored::value ? sizes.before : sizes.own;
    }
};

/// Integers of int8 are cut off where they should be rounded.
class Int8Truncated final : public PlainRules {
    double int8_code(Stored what, double quotient) const override {
        return what == Stored::value ? std::trunc(quotient) : std::nearbyint(quotient);
    }
};

}  // namespace

const std::vector<MutantEntry>& mutants_of_storage() {
    static const std::vector<MutantEntry> entries = {
        {{"value_storage_ignored", "narrow storage of values has no effect",
          broken<ValueStorageIgnored>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "the value of one token",
         default_cases},
        {{"key_storage_ignored", "narrow storage of keys has no effect", broken<KeyStorageIgnored>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "the weight of a single key is one whatever its score",
         default_cases,
         1},
        {{"storage_truncated", "digits of values are cut off where they should be rounded",
          broken<StorageTruncated>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "the value of one token",
         default_cases},
        {{"storage_ties_away", "ties are rounded away from zero, not to even",
          broken<StorageTiesAway>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "the value of one token",
         default_cases},
        {{"current_chunk_unrounded", "a call's own values are attended before they are rounded",
          broken<CurrentChunkUnrounded>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "the value of one token, which sees itself",
         default_cases},
        {{"sums_in_storage", "weights and values are added in the format of storage",
          broken<SumsInStorage>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "two terms of a sum; the value of one token is of the format already",
         default_cases,
         1},
        {{"half_subnormals_flushed", "subnormal halves are stored as zero",
          broken<HalfSubnormalsFlushed>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "the value of one token",
         2 * default_cases},
        {{"int8_scale_of_first_head", "values of all heads have the scale of the first",
          broken<Int8ScaleOfFirstHead>},
         "outputs_match_the_oracle",
         {1, 2, 1, 1},
         "the value of a second head of one token",
         default_cases},
        {{"int8_one_scale", "values have the scale of their keys", broken<Int8OneScale>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "key and value of one token",
         default_cases},
        {{"int8_scale_kept", "values have the scale of the token before", broken<Int8ScaleKept>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "a token before another",
         default_cases},
        {{"int8_truncated", "integers are cut off where they should be rounded",
          broken<Int8Truncated>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "two elements of the value of one token",
         default_cases},
    };
    return entries;
}

}  // namespace kvcheck
