// SPDX-License-Identifier: Apache-2.0
// The reader of ONNX files against bytes that are not what they should be: it refuses, and it does
// not read what it was not given (the sanitizers watch the latter).
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "model/case_file.hpp"
#include "model/types/error.hpp"
#include "tests/vectors/onnx_messages.hpp"
#include "tests/vectors/vectors_folder.hpp"

namespace kvcheck::vectors {
namespace {

/// Fields of a message, each under 128 bytes.
std::string integer_field(int number, int value) { return {char(number << 3), char(value)}; }
std::string run_field(int number, const std::string& bytes) {
    return std::string{char(number << 3 | 2), char(bytes.size())} + bytes;
}

// 1 and -2 as floats; three hundred as varint.
const std::string one = {0, 0, char(0x80), char(0x3f)};
const std::string minus_two = {0, 0, 0, char(0xc0)};
const std::string dims = integer_field(1, 1) + integer_field(1, 2);
const std::string tensor =
    dims + integer_field(2, 1) + run_field(8, "Q") + run_field(9, one + minus_two);

std::string model_bytes() {
    const std::string integer =
        run_field(1, "is_causal") + integer_field(3, 1) + std::string{char(0xa0), 1, 2};
    const std::string real =
        run_field(1, "scale") + std::string{2 << 3 | 5} + minus_two + std::string{char(0xa0), 1, 1};
    const std::string node = run_field(1, "Q") + run_field(1, "") + run_field(2, "Y") +
                             run_field(4, "Attention") + run_field(5, integer) + run_field(5, real);
    return integer_field(1, 11) + run_field(7, run_field(1, node));
}

TEST(Tensor, IsReadFromRawBytesAndFromFields) {
    const std::string packed = dims + integer_field(2, 1) + run_field(4, one + minus_two);
    const std::string loose = dims + integer_field(2, 1) + std::string{4 << 3 | 5} + one +
                              std::string{4 << 3 | 5} + minus_two;
    const std::string packed_dims = run_field(1, "\x01\x02") + tensor.substr(dims.size());
    for (const std::string& bytes : {tensor, packed, loose, packed_dims}) {
        const Tensor read = tensor_from_bytes(bytes, "bytes");
        EXPECT_EQ(read.extents, (std::vector<Index>{1, 2}));
        EXPECT_EQ(read.values, (std::vector<double>{1, -2}));
    }
}

TEST(Tensor, OfIntegersBooleansAndHalves) {
    const std::string three_hundred = {char(0xac), 2};
    const std::string integers = dims + integer_field(2, 7) + run_field(7, three_hundred + "\x03");
    EXPECT_EQ(tensor_from_bytes(integers, "bytes").values, (std::vector<double>{300, 3}));
    const std::string booleans = dims + integer_field(2, 9) + run_field(9, {1, 0});
    EXPECT_EQ(tensor_from_bytes(booleans, "bytes").values, (std::vector<double>{1, 0}));
    // -2 and the largest subnormal half.
    const std::string halves =
        dims + integer_field(2, 10) + run_field(9, {0, char(0xc0), char(0xff), 3});
    EXPECT_EQ(tensor_from_bytes(halves, "bytes").values,
              (std::vector<double>{-2, 1023.0 / (1 << 24)}));
}

TEST(Model, IsReadToItsOnlyNode) {
    const Node node = node_of_model(model_bytes(), "bytes");
    EXPECT_EQ(node.op_type, "Attention");
    EXPECT_EQ(node.inputs, (std::vector<std::string>{"Q", ""}));
    EXPECT_EQ(node.outputs, std::vector<std::string>{"Y"});
    EXPECT_EQ(node.integers.at("is_causal"), 1);
    EXPECT_EQ(node.floats.at("scale"), -2);
}

TEST(Tensor, ThatIsWrongIsRefused) {
    const std::string endless(11, char(0x80));
    const std::string extent_of_minus_one = std::string(9, char(0xff)) + "\x01";
    const std::vector<std::string> wrong = {
        "",
        integer_field(2, 1),                                         // no element
        dims + integer_field(2, 1) + run_field(9, one),              // too few
        dims + integer_field(2, 1) + run_field(9, one + one + one),  // too many
        dims + integer_field(2, 1) + run_field(9, one + "abc"),      // no whole number of floats
        dims + integer_field(2, 99) + run_field(9, one + one),       // an unknown type
        integer_field(1, 0) + tensor,                                // no room at all
        std::string{1 << 3} + extent_of_minus_one + tensor,
        std::string{1 << 3} + endless + tensor,
        std::string{0} + tensor,           // field number 0
        std::string{1 << 3 | 3} + tensor,  // a group
        integer_field(9, 1) + tensor,      // raw data that is an integer
        tensor + std::string{9 << 3 | 2, 127, 0},
    };
    for (const std::string& bytes : wrong) {
        EXPECT_THROW(tensor_from_bytes(bytes, "bytes"), InputError)
            << testing::PrintToString(bytes);
    }
}

TEST(Tensor, CutAnywhereIsRefused) {
    for (std::size_t size = 0; size < tensor.size(); ++size) {
        EXPECT_THROW(tensor_from_bytes(tensor.substr(0, size), "bytes"), InputError) << size;
    }
}

/// Thousands of damaged copies of `whole`: read or refused, nothing else. The stream of the engine
/// is the same everywhere.
void damage(const std::string& whole, const std::function<void(std::string_view)>& read) {
    constexpr int copies = 4000;
    std::mt19937_64 engine(1);
    const auto below = [&](std::size_t bound) { return std::size_t(engine() % bound); };
    int refused = 0;
    for (int n = 0; n < copies; ++n) {
        std::string bytes = whole;
        for (std::size_t hits = 1 + below(3); hits > 0 && !bytes.empty(); --hits) {
            // Structure lies at the ends more than among the numbers, so half the hits go there.
            const std::size_t reach =
                below(2) == 0 ? std::min<std::size_t>(24, bytes.size()) : bytes.size();
            const std::size_t at = below(2) == 0 ? below(reach) : bytes.size() - 1 - below(reach);
            switch (below(5)) {
                case 0:
                    bytes[at] = char(below(256));
                    break;
                case 1:
                    bytes[at] = char(bytes[at] ^ (1 << below(8)));
                    break;
                case 2:
                    bytes.resize(at);
                    break;
                case 3:
                    bytes.erase(at, 1 + below(4));
                    break;
                default:
                    bytes.insert(at, 1, char(below(256)));
            }
        }
        // Exactly as much memory as bytes, so that a sanitizer sees one read too many.
        const std::vector<char> exact(bytes.begin(), bytes.end());
        try {
            read({exact.data(), exact.size()});
        } catch (const InputError&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, copies / 10);
    EXPECT_LT(refused, copies);
}

TEST(DamagedFiles, AreReadOrRefused) {
    damage(tensor, [](std::string_view bytes) { tensor_from_bytes(bytes, "bytes"); });
    damage(model_bytes(), [](std::string_view bytes) { node_of_model(bytes, "bytes"); });
}

TEST(DamagedFiles, OfOthersAreReadOrRefused) {
    const std::vector<std::string> names = onnx_case_names();
    if (names.empty()) {
        GTEST_SKIP() << "no ONNX attention cases in " << onnx_folder().lexically_normal().string();
    }
    const std::filesystem::path folder = onnx_folder() / names.front();
    const std::string model = read_text_file((folder / "model.onnx").string());
    const std::string data = read_text_file((folder / "test_data_set_0" / "input_0.pb").string());
    damage(model, [](std::string_view bytes) { node_of_model(bytes, "bytes"); });
    damage(data, [](std::string_view bytes) { tensor_from_bytes(bytes, "bytes"); });
}

}  // namespace
}  // namespace kvcheck::vectors
