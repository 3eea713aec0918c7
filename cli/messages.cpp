// SPDX-License-Identifier: Apache-2.0
// Bytes over a socket (declared in messages.hpp).
#include "cli/messages.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace kvcheck {
namespace {

constexpr std::size_t head_bytes = 1 + sizeof(std::uint64_t);

}  // namespace

bool send_message(int socket, const Message& message) {
    const std::uint64_t size = message.bytes.size();
    std::string bytes(head_bytes, char(message.kind));
    std::memcpy(bytes.data() + 1, &size, sizeof size);
    bytes += message.bytes;
    for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t n = send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        sent += std::size_t(n);
    }
    return true;
}

bool receive_some(int socket, std::string& unread) {
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t n = recv(socket, buffer.data(), buffer.size(), 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        unread.append(buffer.data(), std::size_t(n));
        return true;
    }
}

std::optional<Message> take_message(std::string& unread) {
    if (unread.size() < head_bytes) return std::nullopt;
    std::uint64_t size = 0;
    std::memcpy(&size, unread.data() + 1, sizeof size);
    if (unread.size() - head_bytes < size) return std::nullopt;
    Message message{Message::Kind(unread[0]), unread.substr(head_bytes, size)};
    unread.erase(0, head_bytes + size);
    return message;
}

std::optional<Message> wait_for_message(int socket, std::string& unread) {
    for (;;) {
        if (std::optional<Message> message = take_message(unread)) return message;
        if (!receive_some(socket, unread)) return std::nullopt;
    }
}

}  // namespace kvcheck
