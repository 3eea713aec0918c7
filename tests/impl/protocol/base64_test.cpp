// SPDX-License-Identifier: Apache-2.0
// Bytes as text: the examples of RFC 4648, section 10, there and back, and what is no such text.
#include "impl/protocol/base64.hpp"

#include <gtest/gtest.h>

namespace kvcheck {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
    std::vector<std::byte> bytes;
    for (const char c : text) bytes.push_back(std::byte(c));
    return bytes;
}

TEST(Base64, HasTheExamplesOfItsStandard) {
    for (const auto& [plain, text] :
         std::vector<std::pair<const char*, const char*>>{{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}}) {
        EXPECT_EQ(base64_of(bytes_of(plain)), text);
        EXPECT_EQ(bytes_of_base64(text), bytes_of(plain)) << text;
    }
}

TEST(Base64, EveryByteComesBack) {
    std::vector<std::byte> bytes;
    for (int byte = 0; byte < 256; ++byte) {
        bytes.push_back(std::byte(byte));
        EXPECT_EQ(bytes_of_base64(base64_of(bytes)), bytes);
    }
    EXPECT_NE(base64_of(bytes).find('+'), std::string::npos);
    EXPECT_NE(base64_of(bytes).find('/'), std::string::npos);
}

TEST(Base64, AnythingElseIsNone) {
    for (const char* const text : {"Z", "Zg", "Zg=", "Zg==Zg==", "Z===", "====", "Zm9\n", "Zm9-",
                                   "Zh==", "Zm9=", "Z=9v", " Zm9"}) {
        EXPECT_EQ(bytes_of_base64(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace kvcheck
