// SPDX-License-Identifier: Apache-2.0
// Keys of rotary positions are judged as they are declared to be shown: a subject that shows them
// raw holds where it says so, and is caught where it says that they are rotated, and the reverse.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/generators/life.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"
#include "properties/search/search.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

/// Keys as the calls of a session brought them, [slots][heads][Dk] for each row.
struct Brought {
    std::vector<std::vector<std::vector<float>>> rows;

    void take(const AppendCall& call) {
        const Index heads = call.key.shape.extent[2];
        const Index width = call.key.shape.extent[3];
        for (std::size_t r = 0; r < rows.size(); ++r) {
            for (Index t = 0; t < call.counts[r]; ++t) {
                auto& key = rows[r].emplace_back();
                for (Index i = 0; i < heads * width; ++i)
                    key.push_back(call.key.at<float>(Index(r), t, i / width, i % width));
            }
        }
    }
};

FeatureSet narrow_storage() {
    return {Feature::bf16_storage, Feature::fp16_storage, Feature::int8_storage};
}

/// The textbook at attention level, which shows its keys as they were brought.
std::unique_ptr<Subject> raw_keys(bool says_so) {
    const auto brought = std::make_shared<std::map<Session*, Brought>>();
    Tamper tamper;
    tamper.append = [brought](Session& inner, const AppendCall& call) {
        // Rows that hold nothing begin again, those of a new session in the place of another, too.
        std::vector<RowNumbers> numbers(call.counts.size());
        inner.numbers(numbers);
        auto& rows = (*brought)[&inner].rows;
        rows.resize(numbers.size());
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (numbers[r].length == 0) rows[r].clear();
        }
        const Status status = inner.append(call);
        if (status.ok()) (*brought)[&inner].take(call);
        return status;
    };
    tamper.export_kv = [brought](Session& inner, Index row, const OutputView& key,
                                 const OutputView& value) {
        const Status status = inner.export_kv(row, key, value);
        const Index width = key.shape.extent[2];
        for (Index slot = 0; slot < key.shape.extent[1]; ++slot) {
            const auto& own = (*brought)[&inner].rows[std::size_t(row)][std::size_t(slot)];
            for (Index i = 0; i < Index(own.size()); ++i)
                key.at<float>(i / width, slot, i % width) = own[std::size_t(i)];
        }
        return status;
    };
    tamper.capabilities = [says_so](Capabilities& capabilities) {
        // It does not follow rows that change places, and shows nothing rounded.
        capabilities.features = capabilities.features.without(life_features() | narrow_storage());
        if (says_so) capabilities.features.remove(Feature::rotated_keys);
    };
    return tampered(tamper);
}

/// The textbook, which shows rotated keys and does not say so.
std::unique_ptr<Subject> undeclared() {
    Tamper tamper;
    tamper.capabilities = [](Capabilities& capabilities) {
        capabilities.features = capabilities.features.without(narrow_storage());
        capabilities.features.remove(Feature::rotated_keys);
    };
    return tampered(tamper);
}

struct Counts {
    int cases = 0;
    int failed = 0;
    std::set<std::string> hints;  // of those that failed
};

Counts judged(const char* property, Subject& subject, Level level) {
    Counts counts;
    for (std::uint64_t seed = 0; counts.cases < 25; ++seed) {
        Draw draw(SplitMix{seed});
        Case test_case = draw_structure(draw, level, subject.capabilities().features, {});
        if (test_case.spec.rotary == Rotary::none) continue;
        fill_values(test_case, {Family::bell, draw.bits()}, true);
        const Verdict verdict = check(*property_named(property), subject, test_case);
        ++counts.cases;
        counts.failed += verdict.is_failure() ? 1 : 0;
        if (verdict.is_failure()) counts.hints.insert(verdict.hint);
    }
    return counts;
}

TEST(RotaryKeys, MayBeShownRawByASubjectThatSaysSo) {
    const auto subject = raw_keys(true);
    for (const char* const property :
         {"stored_kv_matches_the_oracle", "outputs_match_the_oracle", "reset_is_fresh"}) {
        EXPECT_EQ(judged(property, *subject, Level::attention).failed, 0) << property;
    }
}

TEST(RotaryKeys, AreCaughtWhereTheyAreNotAsDeclared) {
    const char* const property = "stored_kv_matches_the_oracle";
    EXPECT_GT(judged(property, *raw_keys(false), Level::attention).failed, 20);
    EXPECT_GT(judged(property, *undeclared(), Level::attention).failed, 20);
    EXPECT_GT(judged(property, *undeclared(), Level::layer).failed, 20);
}

TEST(RotaryKeys, AreSaidToFitTheOtherDeclarationWhereTheyDo) {
    const char* const property = "stored_kv_matches_the_oracle";
    EXPECT_EQ(judged(property, *raw_keys(false), Level::attention).hints,
              std::set<std::string>{"all keys are right as they were before their rotation, so "
                                    "rotated_keys is declared wrongly"});
    for (const Level level : {Level::attention, Level::layer}) {
        EXPECT_EQ(judged(property, *undeclared(), level).hints,
                  std::set<std::string>{"all keys are right as they are after their rotation, "
                                        "which the feature rotated_keys declares"});
    }
}

TEST(RotaryKeys, AreSaidToFitNothingWhereTheyAreWrongEitherWay) {
    for (const bool declared : {false, true}) {
        Tamper tamper;
        tamper.export_kv = [](Session& inner, Index row, const OutputView& key,
                              const OutputView& value) {
            const Status status = inner.export_kv(row, key, value);
            if (key.shape.size() > 0) key.at<float>(0, 0, 0) += 1;
            return status;
        };
        if (!declared) {
            tamper.capabilities = [](Capabilities& capabilities) {
                capabilities.features.remove(Feature::rotated_keys);
            };
        }
        const auto subject = tampered(tamper);
        const Counts counts = judged("stored_kv_matches_the_oracle", *subject, Level::attention);
        EXPECT_GT(counts.failed, 5);
        EXPECT_EQ(counts.hints, std::set<std::string>{""});
    }
}

/// A real key whose rotation overflows, and a padded one.
TEST(RotaryKeys, ThatOverflowLeaveNoWeightOfPaddingToJudge) {
    Case test_case;
    Spec& spec = test_case.spec;
    spec.key_width = 2;
    spec.capacity = 2;
    spec.rotary = Rotary::halves;
    test_case.parameters.rotary_table = {1, 0, 1, 1};
    Append append;
    append.rows = {{{false, {0, 0, 0, 0, 0}}, {true, {0, 0, -2e38F, -3e38F, 0}}}};
    test_case.program.emplace_back(append);
    Tamper tamper;
    tamper.append = [](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        if (!call.weights) return status;
        for (Index key = 0; key < 2; ++key)
            call.weights->at<float>(0, 0, 1, key) = std::numeric_limits<float>::quiet_NaN();
        return status;
    };
    const Property& property = *property_named("padding_is_invisible");
    EXPECT_FALSE(check(property, *tampered(tamper), test_case).is_failure());
    // The same weights where nothing overflows.
    std::get<Append>(test_case.program.front()).rows[0][1].input = {0, 0, -2, -3, 0};
    EXPECT_TRUE(check(property, *tampered(tamper), test_case).is_failure());
}

}  // namespace
}  // namespace kvcheck
