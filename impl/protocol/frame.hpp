// SPDX-License-Identifier: Apache-2.0
// A frame: a message of the child protocol whose numbers travel as bytes (docs/protocol.md,
// "Frames"). Here are its head and the parts it is made of; which parts a message has stands in
// frame_messages.hpp. Every part fills whole words of eight bytes, in the machine's byte order,
// since both ends run on one machine.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "impl/protocol/wire.hpp"
#include "model/types/spec.hpp"
#include "model/types/view.hpp"

namespace kvcheck {

/// What a frame asks for; its answer has the same kind.
enum class FrameKind : std::uint8_t { open = 1, append, numbers, export_kv, close };
/// The name that the same request has as a line; empty where there is no such kind.
std::string_view name_of(FrameKind kind);

constexpr char frame_mark = '\x01';           // the first byte; no JSON text begins with it
constexpr std::size_t frame_head_bytes = 16;  // mark, kind, six zeros, bytes that follow as a word
constexpr Index frame_version = 1;            // what a child that takes frames says in its hello

inline bool begins_frame(std::string_view message) {
    return !message.empty() && message.front() == frame_mark;
}
/// The bytes that follow the head. Needs: a whole head.
std::uint64_t frame_rest(std::string_view head);

/// Reads one message, a line without its end or a frame with its head. False where there is none:
/// the input ended, also in the middle. Never takes more memory than has come.
bool read_message(std::istream& in, std::string& message);

class FrameWriter {
public:
    explicit FrameWriter(FrameKind kind);
    void word(Index value);
    void bytes(const void* data, std::size_t size);
    /// Its size and its bytes.
    void text(std::string_view text);
    /// Its elements, packed.
    void elements(const InputView& view);
    /// What a view says of itself: element, rank, offset, four extents, four strides.
    void claim(const ViewClaim& claim);
    /// The frame. It is complete; nothing follows.
    std::string take();

private:
    std::string frame_;
};

/// Takes a frame apart. Every function throws InputError, with the place and the word in question,
/// where the frame is not what it should be; nothing is read beyond it.
class FrameReader {
public:
    /// `place` is the message in words, for errors. Checks the head, not that it is a kind that
    /// exists.
    FrameReader(std::string_view frame, std::string place);

    FrameKind kind() const { return FrameKind(frame_[1]); }
    Index word(std::string_view what, Index least, Index most);
    Index word(std::string_view what);
    /// A number of things of `bytes_each` that are still to come: no more than there is room for.
    Index count(std::string_view what, std::size_t bytes_each);
    std::string_view bytes(std::string_view what, std::size_t size);
    std::string_view text(std::string_view what);
    void elements(std::string_view what, const OutputView& view);
    /// Throws also where it would take more memory than any call does.
    ViewClaim claim(std::string_view what);
    bool at_end() const { return at_ == frame_.size(); }
    /// Throws where something is left.
    void end() const;

    [[noreturn]] void fail(std::string_view what, const std::string& found,
                           const std::string& expected) const;

private:
    std::string_view frame_;
    std::string place_;
    std::size_t at_ = frame_head_bytes;
};

}  // namespace kvcheck
