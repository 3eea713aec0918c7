// SPDX-License-Identifier: Apache-2.0
// A session of a served subject with what the serving end knows of it. It counts the slots of every
// row itself, so that no request makes a subject fill an array of another length.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "impl/memory/guarded_array.hpp"
#include "impl/protocol/served_call.hpp"
#include "impl/subject.hpp"

namespace kvcheck {

class ServedSession {
public:
    /// `features`: of its subject, whose rows may be longer than the capacity.
    ServedSession(const Spec& spec, std::unique_ptr<Session> session, const FeatureSet& features);

    /// One that was loaded: of its rows no length is known.
    static ServedSession loaded(const Spec& spec, std::unique_ptr<Session> session,
                                const FeatureSet& features) {
        ServedSession served(spec, std::move(session), features);
        served.lengths_.assign(served.lengths_.size(), std::nullopt);
        return served;
    }

    /// Its capacity is the most slots that a row can have, its rows how many there are now.
    const Spec& spec() const { return spec_; }
    Session& session() { return *session_; }

    /// `fault`: what was written that must not, also by a call that was refused.
    Status append(ServedCall& call, std::string& fault);
    Status apply(const Lifecycle& command);
    Status reuse(Index row, const PrefixKey& key, Index& slots);

    /// The slots that row `row` must have; empty where there is no such row, and after a call that
    /// should have been refused, and after a load.
    std::optional<Index> length(Index row) const {
        if (row < 0 || row >= Index(lengths_.size())) return std::nullopt;
        return lengths_[std::size_t(row)];
    }

    struct Export {
        GuardedArray key, value;
        std::string fault;
    };
    /// Needs: a row, and `length` from 0 to the capacity.
    Export export_kv(Index row, Index length, ElementType element, Status& status);

private:
    Spec spec_;
    std::unique_ptr<Session> session_;
    void follow(const Lifecycle& command);

    std::vector<std::optional<Index>> lengths_;  // [rows]
};

}  // namespace kvcheck
