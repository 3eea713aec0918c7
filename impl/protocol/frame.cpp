// SPDX-License-Identifier: Apache-2.0
// Heads, words and elements (declared in frame.hpp).
#include "impl/protocol/frame.hpp"

#include <algorithm>
#include <cstring>
#include <istream>
#include <limits>

#include "impl/memory/packed.hpp"
#include "model/types/error.hpp"

namespace kvcheck {
namespace {

constexpr std::size_t word_bytes = 8;
constexpr std::size_t kind_at = 1;
constexpr std::size_t size_at = 8;

std::size_t padded(std::size_t size) { return (size + word_bytes - 1) / word_bytes * word_bytes; }

}  // namespace

std::string_view name_of(FrameKind kind) {
    switch (kind) {
        case FrameKind::open:
            return "open";
        case FrameKind::append:
            return "append";
        case FrameKind::export_kv:
            return "export_kv";
        case FrameKind::numbers:
            return "numbers";
        case FrameKind::close:
            return "close";
    }
    return "";
}

std::uint64_t frame_rest(std::string_view head) {
    std::uint64_t size = 0;
    std::memcpy(&size, head.data() + size_at, sizeof size);
    return size;
}

bool read_message(std::istream& in, std::string& message) {
    if (in.peek() != frame_mark) return bool(std::getline(in, message));
    message.resize(frame_head_bytes);
    if (!in.read(message.data(), std::streamsize(frame_head_bytes))) return false;
    constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;
    for (std::uint64_t left = frame_rest(message); left > 0;) {
        const std::uint64_t size = std::min(left, piece_bytes);
        const std::size_t before = message.size();
        message.resize(before + std::size_t(size));
        if (!in.read(message.data() + before, std::streamsize(size))) return false;
        left -= size;
    }
    return true;
}

FrameWriter::FrameWriter(FrameKind kind) : frame_(frame_head_bytes, '\0') {
    frame_[0] = frame_mark;
    frame_[kind_at] = char(kind);
}

void FrameWriter::word(Index value) { bytes(&value, sizeof value); }

void FrameWriter::bytes(const void* data, std::size_t size) {
    if (size > 0) frame_.append(static_cast<const char*>(data), size);
    frame_.resize(padded(frame_.size()), '\0');
}

void FrameWriter::text(std::string_view text) {
    word(Index(text.size()));
    bytes(text.data(), text.size());
}

void FrameWriter::elements(const InputView& view) {
    const std::size_t begin = frame_.size();
    frame_.resize(padded(begin + packed_bytes(view)), '\0');
    pack(view, reinterpret_cast<std::byte*>(frame_.data()) + begin);
}

void FrameWriter::claim(const ViewClaim& claim) {
    word(Index(claim.type));
    word(claim.shape.rank);
    word(claim.placement.offset);
    for (const Index extent : claim.shape.extent) word(extent);
    for (const Index stride : claim.placement.stride) word(stride);
}

std::string FrameWriter::take() {
    const std::uint64_t rest = frame_.size() - frame_head_bytes;
    std::memcpy(frame_.data() + size_at, &rest, sizeof rest);
    return std::move(frame_);
}

FrameReader::FrameReader(std::string_view frame, std::string place)
    : frame_(frame), place_(std::move(place)) {
    if (frame.size() < frame_head_bytes || !begins_frame(frame))
        fail("head", std::to_string(frame.size()) + " bytes", "a head of 16 that begins with 1");
    const std::string_view zeros = frame.substr(kind_at + 1, size_at - kind_at - 1);
    if (std::any_of(zeros.begin(), zeros.end(), [](char c) { return c != 0; }))
        fail("head", "other bytes", "zeros from byte 2 to byte 7");
    if (frame_rest(frame) != frame.size() - frame_head_bytes) {
        fail("size", std::to_string(frame_rest(frame)),
             std::to_string(frame.size() - frame_head_bytes));
    }
}

void FrameReader::fail(std::string_view what, const std::string& found,
                       const std::string& expected) const {
    throw InputError(place_ + "." + std::string(what), found, expected);
}

Index FrameReader::word(std::string_view what) {
    Index value = 0;
    std::memcpy(&value, bytes(what, sizeof value).data(), sizeof value);
    return value;
}

Index FrameReader::word(std::string_view what, Index least, Index most) {
    const Index value = word(what);
    if (value < least || value > most) {
        fail(what, std::to_string(value),
             "an integer from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return value;
}

Index FrameReader::count(std::string_view what, std::size_t bytes_each) {
    const Index value = word(what);
    const std::size_t left = frame_.size() - at_;
    if (value < 0 || std::uint64_t(value) > left / bytes_each)
        fail(what, std::to_string(value),
             "what fits into the " + std::to_string(left) + " bytes that follow");
    return value;
}

std::string_view FrameReader::bytes(std::string_view what, std::size_t size) {
    const std::size_t left = frame_.size() - at_;
    if (size > left || padded(size) > left) {
        fail(what, std::to_string(left) + " bytes at the end of the frame",
             std::to_string(size) + " and zeros up to a multiple of 8");
    }
    const std::string_view part = frame_.substr(at_, size);
    at_ += padded(size);
    return part;
}

std::string_view FrameReader::text(std::string_view what) {
    const Index size = count(what, 1);
    return bytes(what, std::size_t(size));
}

void FrameReader::elements(std::string_view what, const OutputView& view) {
    const std::string_view part = bytes(what, packed_bytes(view));
    unpack(reinterpret_cast<const std::byte*>(part.data()), view);
}

ViewClaim FrameReader::claim(std::string_view what) {
    const std::string name(what);
    ViewClaim claim;
    claim.type = ElementType(word(name + ".element", 0, 1));
    claim.shape.rank = int(word(name + ".rank", 0, Index(claim.shape.extent.size())));
    claim.placement.offset = word(name + ".offset", 0, ViewClaim::offset_max);
    for (Index& extent : claim.shape.extent) extent = word(name + ".shape", 0, ViewClaim::span_max);
    for (Index& stride : claim.placement.stride)
        stride = word(name + ".stride", 0, ViewClaim::span_max);
    for (std::size_t i = std::size_t(claim.shape.rank); i < claim.shape.extent.size(); ++i)
        claim.shape.extent[i] = claim.placement.stride[i] = 0;
    if (const char* const less = claim.too_much()) fail(what, "a larger view", less);
    return claim;
}

void FrameReader::end() const {
    if (at_ == frame_.size()) return;
    fail("size", std::to_string(frame_.size() - frame_head_bytes),
         std::to_string(at_ - frame_head_bytes));
}

}  // namespace kvcheck
