// SPDX-License-Identifier: Apache-2.0
// Guarded arrays in every layout, for both element types and at every offset: which writes are
// noticed, which are not, and which reads end the process. Bits are changed through the view that a
// subject gets.
#include "tests/impl/memory/every_array.hpp"
#include "tests/impl/memory/touch.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace kvcheck {
namespace {

class GuardedArrayOf : public EveryArray {};

TEST_P(GuardedArrayOf, NoticesAWriteUpToSixteenElementsBeforeItOrAfterIt) {
    for (const bool guard_pages : {false, true}) {
        for (Index offset = 0; offset < offset_end; ++offset) {
            GuardedArray memory = array(offset, guard_pages);
            const Index end = span_of(shape, placed(shape, layout()), 0);
            for (Index i = 0; i < margin; ++i) {
                // On the side of a page there is nothing that could be written.
                if (!guard_pages || offset != 0) expect_noticed(memory, -1 - i, true);
                if (!guard_pages || offset == 0) expect_noticed(memory, end + i, true);
                ASSERT_FALSE(HasFatalFailure()) << "offset " << offset;
            }
        }
    }
}

TEST_P(GuardedArrayOf, NoticesAWriteIntoEveryGap) {
    const std::vector<Index> gap_elements = {0, 0, 40, 51, 10};  // worked by hand
    for (Index offset = 0; offset < offset_end; ++offset) {
        GuardedArray memory = array(offset);
        const std::set<Index> places = places_of(memory.input());
        Index gaps = 0;
        for (Index place = 0; place < *places.rbegin(); ++place) {
            if (places.contains(place)) continue;
            ++gaps;
            expect_noticed(memory, place, true);
            ASSERT_FALSE(HasFatalFailure()) << "offset " << offset;
        }
        EXPECT_EQ(gaps, gap_elements[std::size_t(layout())]);
    }
}

TEST_P(GuardedArrayOf, AllowsAWriteToEveryElementOfAnOutputAndNoticesItInAnInput) {
    for (Index offset = 0; offset < offset_end; ++offset) {
        GuardedArray memory = array(offset);
        for (const Index place : places_of(memory.input())) {
            expect_noticed(memory, place, false);
            ASSERT_FALSE(HasFatalFailure()) << "offset " << offset;
        }
    }
}

TEST_P(GuardedArrayOf, LiesAsFarFromABoundaryAsItWasAskedTo) {
    for (Index offset = 0; offset < offset_end; ++offset) {
        const GuardedArray memory = array(offset);
        const auto address = std::bit_cast<std::uintptr_t>(memory.input().data);
        EXPECT_EQ(address % 64, std::size_t(offset) * size() % 64);
        EXPECT_EQ(memory.input().stride, placed(shape, layout()).stride);
    }
}

TEST_P(GuardedArrayOf, OnABoundaryEndsTheProcessAtAReadDirectlyBeforeIt) {
    const GuardedArray memory = array(0, true);
    const std::byte* const first = memory.input().data;
    EXPECT_EXIT(touch_and_report(first - 1), segmentation_fault, "past the beginning of the key");
    touch(first);
}

TEST_P(GuardedArrayOf, OffABoundaryEndsTheProcessAtAReadDirectlyAfterIt) {
    const GuardedArray memory = array(1, true);
    const Index span = span_of(shape, placed(shape, layout()), 0);
    const std::byte* const end = memory.input().data + span * Index(size());
    EXPECT_EXIT(touch_and_report(end), segmentation_fault, "past the end of the key");
    touch(end - 1);
}

TEST_P(GuardedArrayOf, WithRoomHoldsEverythingThatALargerWiderViewClaims) {
    // A write that is noticed was inside the memory.
    for (const bool guard_pages : {false, true}) {
        for (Index offset = 0; offset < offset_end; ++offset) {
            const Placement placement = placed(shape, layout(), offset, 1);
            GuardedArray memory(type(), shape,
                                GuardedArray::Options{
                                    .placement = placement, .room = 1, .guard_pages = guard_pages});
            OutputView claimed = memory.output();
            claimed.shape = {3, 4, 3, 3};
            claimed.type = ElementType::f64;
            for (const Index place :
                 places_of({claimed.data, claimed.type, claimed.shape, claimed.stride})) {
                for (Index i = 0; i < 8; ++i) {
                    flip(claimed.data[place * 8 + i]);
                    ASSERT_FALSE(memory.unchanged()) << "offset " << offset << ", place " << place;
                    flip(claimed.data[place * 8 + i]);
                }
            }
            const Index span = span_of(shape, placement, 0);
            for (Index place = 0; place <= span + 1; ++place) {
                const bool element = places_of(memory.input()).contains(place);
                expect_noticed(memory, place, !element);
                ASSERT_FALSE(HasFatalFailure()) << "offset " << offset;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Memory, GuardedArrayOf, every_array, name_of_array);

TEST(GuardedArray, AnInputOfEqualNumbersAndOtherBitsHasChanged) {
    GuardedArray array(ElementType::f64, {2});
    array.set({0}, 0.0);
    array.set({1}, 1.0);
    array.seal();
    array.set({1}, 1.0);
    EXPECT_TRUE(array.unchanged());
    array.set({0}, -0.0);
    EXPECT_FALSE(array.unchanged());
}

TEST(GuardedArray, ASealIsAboutWhatComesAfterIt) {
    GuardedArray array(ElementType::f32, {2, 2});
    EXPECT_TRUE(array.unchanged()) << "a new array is sealed";
    array.set({1, 0}, 3);
    EXPECT_FALSE(array.unchanged());
    array.seal();
    EXPECT_TRUE(array.unchanged());
    (&array.output().at<float>(1, 1))[1] = 1;
    EXPECT_FALSE(array.only_elements_changed());
    array.seal();
    EXPECT_TRUE(array.only_elements_changed());
    EXPECT_TRUE(array.unchanged());
}

TEST(GuardedArray, WithoutElementsNoticesEveryWrite) {
    for (const Shape& shape : {Shape{2, 0, 3}, Shape{2, 0}, Shape{0}}) {
        GuardedArray array(ElementType::f32, shape);
        EXPECT_FALSE(array.has_untouched({}));
        array.write({}, {});
        array.read({}, {});
        for (Index place = -margin; place < margin; ++place) {
            flip(array.output().data[place * 4]);
            EXPECT_FALSE(array.only_elements_changed()) << place;
            flip(array.output().data[place * 4]);
        }
        EXPECT_TRUE(array.unchanged());
    }
}

}  // namespace
}  // namespace kvcheck
