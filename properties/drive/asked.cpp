// SPDX-License-Identifier: Apache-2.0
// Drawing it (declared in asked.hpp).
#include "properties/drive/asked.hpp"

#include <array>

#include "model/splits.hpp"
#include "model/types/hash.hpp"
#include "model/types/spec_fields.hpp"

namespace kvcheck {
namespace {

std::uint64_t hash_of_shapes(const Case& test_case) {
    std::uint64_t hash = fnv_basis;
    for_each_field(test_case.spec, [&](const SpecField&, const auto& value) {
        if constexpr (std::is_same_v<decltype(value), const Index&>) {
            hash = fnv1a(std::uint64_t(value), hash);
        }
    });
    for (const Command& command : test_case.program) {
        hash = fnv1a(name_of(command), hash);
        const auto* append = std::get_if<Append>(&command);
        if (append == nullptr) continue;
        for (const auto& row : append->rows) {
            hash = fnv1a(std::uint64_t(row.size()), hash);
            for (const Token& token : row) hash = fnv1a(token.real ? 1U : 0U, hash);
        }
    }
    return hash;
}

/// Choices that follow from a hash, one after the other.
class Choices {
public:
    explicit Choices(std::uint64_t hash) : hash_(hash) {}
    std::uint64_t below(std::uint64_t count) {
        hash_ = fnv1a(count, hash_);
        return (hash_ >> 32U) % count;  // the lower bits of a product are the weaker ones
    }
    bool one_of(std::uint64_t count) { return below(count) == 0; }

private:
    std::uint64_t hash_;
};

/// Exporting everything after every call takes the square of the calls.
bool is_short(const Case& test_case) {
    constexpr std::size_t calls_max = 16;
    return test_case.program.size() <= calls_max;
}

}  // namespace

DriveOptions asked_for(const Case& test_case) {
    static constexpr std::array layouts = {Layout::packed, Layout::packed, Layout::head_major,
                                           Layout::fused, Layout::gapped};
    Choices choices(hash_of_shapes(test_case));
    DriveOptions options;
    options.weights = choices.one_of(2);
    options.numbers_every_step = choices.one_of(2);
    const bool exports = choices.one_of(4);
    options.export_every_step = exports && is_short(test_case);
    const bool packed = choices.one_of(2);
    for (Layout& layout : options.arrangement.layout) {
        const Layout drawn = layouts[std::size_t(choices.below(layouts.size()))];
        layout = packed ? Layout::packed : drawn;
    }
    constexpr std::uint64_t offsets = 8;
    options.arrangement.offset = Index(choices.below(offsets));
    return options;
}

DriveOptions asked_with_weights(const Case& test_case) {
    DriveOptions options = asked_for(test_case);
    options.weights = true;
    return options;
}

DriveOptions everything(const Case& test_case) {
    DriveOptions options = asked_with_weights(test_case);
    options.numbers_every_step = true;
    options.export_every_step = is_short(test_case);
    return options;
}

DriveOptions outputs_only() {
    DriveOptions options;
    options.weights = false;
    return options;
}

Case with_offsets(const Case& test_case) {
    Case other = test_case;
    for (Command& command : other.program) {
        auto* append = std::get_if<Append>(&command);
        if (append != nullptr) append->query_offset.emplace(append->rows.size(), 0);
    }
    repair_offsets(other);
    return other;
}

Case without_offsets(const Case& test_case) {
    Case other = test_case;
    for (Command& command : other.program) {
        auto* append = std::get_if<Append>(&command);
        if (append != nullptr) append->query_offset.reset();
    }
    return other;
}

}  // namespace kvcheck
