// SPDX-License-Identifier: Apache-2.0
// The outputs of a run beside their truths: which pass which filter, in which order, staged or not,
// and where they say they stand.
#include "properties/drive/judged.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "impl/catalogue.hpp"
#include "tests/model/build.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;

/// A row's tokens that pass a filter, by their slots.
std::vector<Index> slots_of(const std::string& row, PaddedQuery padded_query, DeadRow dead_row,
                            const OutputFilter& filter) {
    Case test_case = tiny_case(1, {tiny_append({row})});
    test_case.spec.padded_query = padded_query;
    test_case.spec.dead_row = dead_row;
    const auto subject = built_in_subjects()[0].make("plain");
    const kvcheck::Run run = drive(*subject, test_case);
    Oracle oracle(test_case.spec, test_case.parameters, subject->capabilities().profile);
    std::vector<Index> slots;
    for (const Output& output : Judged(run, oracle, filter)) slots.push_back(output.seen().slot());
    return slots;
}

bool is_compared(const Output& output) { return output.standing().compared; }
bool is_dead(const Output& output) { return output.standing().dead; }
bool is_any(const Output&) { return true; }

constexpr auto computed = PaddedQuery::computed;
constexpr auto unspecified = PaddedQuery::unspecified;

TEST(Judged, APaddedQueryIsComparedWhereItsOutputIsComputed) {
    EXPECT_THAT(slots_of("RPR", computed, DeadRow::zeros, is_compared), ElementsAre(0, 1, 2));
    EXPECT_THAT(slots_of("RPR", unspecified, DeadRow::zeros, is_compared), ElementsAre(0, 2));
    EXPECT_THAT(slots_of("RPR", computed, DeadRow::zeros, is_living), ElementsAre(0, 1, 2));
    EXPECT_THAT(slots_of("RPR", unspecified, DeadRow::zeros, is_living), ElementsAre(0, 2));
}

TEST(Judged, AQueryThatSeesNoKeyIsDeadComparedOrNot) {
    for (const PaddedQuery padded_query : {computed, unspecified}) {
        EXPECT_THAT(slots_of("PPRP", padded_query, DeadRow::zeros, is_dead), ElementsAre(0, 1));
    }
    EXPECT_THAT(slots_of("PPRP", computed, DeadRow::zeros, is_living), ElementsAre(2, 3));
    EXPECT_THAT(slots_of("PPRP", computed, DeadRow::nan, is_living), ElementsAre(2, 3));
}

TEST(Judged, ADeadRowIsComparedWhereItsValueIsSpecified) {
    EXPECT_THAT(slots_of("PR", computed, DeadRow::zeros, is_compared), ElementsAre(0, 1));
    EXPECT_THAT(slots_of("PR", computed, DeadRow::nan, is_compared), ElementsAre(0, 1));
    EXPECT_THAT(slots_of("PR", computed, DeadRow::unspecified, is_compared), ElementsAre(1));
    EXPECT_THAT(slots_of("PR", unspecified, DeadRow::zeros, is_compared), ElementsAre(1));
}

TEST(Judged, RealIsWhatTheTokenIsWhateverItSees) {
    EXPECT_THAT(slots_of("PRPR", computed, DeadRow::zeros, is_real), ElementsAre(1, 3));
    EXPECT_THAT(slots_of("PP", computed, DeadRow::zeros, is_real), ElementsAre());
    EXPECT_THAT(slots_of("PRPR", unspecified, DeadRow::zeros, is_any), ElementsAre(0, 1, 2, 3));
}

TEST(Judged, OutputsComeInTheOrderOfCommandsRowsAndSlots) {
    const Case test_case = tiny_case(
        2, {tiny_append({"R", "RP"}), Reset{1}, tiny_append({"R", "R"}), tiny_append({"", "R"})});
    const auto subject = built_in_subjects()[0].make("plain");
    const kvcheck::Run run = drive(*subject, test_case);
    Oracle oracle(test_case.spec, test_case.parameters, subject->capabilities().profile);
    std::vector<std::vector<Index>> places;
    const Judged all(run, oracle, is_any);
    for (const Output& output : all) {
        const Place place = place_of(output, test_case.spec);
        places.push_back({place.command, place.row, place.slot});
        EXPECT_EQ(place.position_id, Place::absent) << "this level has no positions";
        EXPECT_EQ(place.head, Place::absent);
    }
    EXPECT_THAT(places,
                ElementsAre(ElementsAre(0, 0, 0), ElementsAre(0, 1, 0), ElementsAre(0, 1, 1),
                            ElementsAre(2, 0, 1), ElementsAre(2, 1, 0), ElementsAre(3, 1, 1)));
    ASSERT_EQ(all.size(), places.size());
    EXPECT_EQ(all[3].seen().slot(), 1);
}

/// A layer of width one in which a projection rounds, so that a bound is left to stage away.
Case layer_case() {
    Case test_case;
    test_case.spec.level = Level::layer;
    test_case.spec.model_width = 2;
    test_case.spec.capacity = 4;
    test_case.spec.position_signal = PositionSignal::learned;
    test_case.spec.position_ids = PositionIds::visible_count;
    test_case.parameters = zero_parameters(test_case.spec, 4);
    for (Projection* projection :
         {&test_case.parameters.query, &test_case.parameters.key, &test_case.parameters.value}) {
        projection->weight = {0.1F, 0.7F};
    }
    test_case.parameters.output.weight = {1, 0};
    Append append;
    append.rows.push_back({{true, {0.3F, 1.1F}}, {false, {1, 1}}, {true, {0.9F, -0.2F}}});
    test_case.program.emplace_back(append);
    return test_case;
}

TEST(Judged, PositionIdsAreToldWhereTheLevelHasPositions) {
    const Case test_case = layer_case();
    const auto subject = built_in_subjects()[0].make("plain");
    const kvcheck::Run run = drive(*subject, test_case);
    Oracle oracle(test_case.spec, test_case.parameters, subject->capabilities().profile);
    std::vector<Index> ids;
    for (const Output& output : Judged(run, oracle, is_any)) {
        ids.push_back(place_of(output, test_case.spec).position_id);
    }
    EXPECT_THAT(ids, ElementsAre(0, 1, 1));
}

/// The bound of the last output's first element.
double last_bound(const kvcheck::Run& run, const Case& test_case, const NumericProfile& profile,
                  Judged::Staging staging) {
    Oracle oracle(test_case.spec, test_case.parameters, profile);
    const Judged judged(run, oracle, is_living, staging);
    return judged[judged.size() - 1].truth().output[0].bound;
}

TEST(Judged, ExportsSharpenTheBoundWhereTheyAreStaged) {
    const Case test_case = layer_case();
    const auto subject = built_in_subjects()[0].make("plain");
    kvcheck::Run run = drive(*subject, test_case);
    const NumericProfile profile = subject->capabilities().profile;
    const double staged = last_bound(run, test_case, profile, Judged::Staging::exports);
    const double apart = last_bound(run, test_case, profile, Judged::Staging::none);
    EXPECT_LT(staged, apart);
    run.exports.clear();
    EXPECT_EQ(last_bound(run, test_case, profile, Judged::Staging::exports), apart);
}

}  // namespace
}  // namespace kvcheck
