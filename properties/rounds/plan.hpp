// SPDX-License-Identifier: Apache-2.0
// In which order a run judges: rounds. The first takes two cases of every part, each one after it
// about twice as many as all before, so that a fault that any case shows ends a run in its first
// seconds whichever property it breaks. The cases of a part are the same in every order.
#pragma once

#include <vector>

#include "properties/rounds/job.hpp"

namespace kvcheck {

class Plan {
public:
    /// How many cases, or small worlds, each part has, and whether files are to be replayed first.
    struct Size {
        Job::Kind kind = Job::Kind::cases;
        Index count = 0;
        bool replays = false;
    };
    explicit Plan(const std::vector<Size>& sizes);

    /// The jobs of the next round in the order of the parts; empty where nothing is left.
    std::vector<Job> next_round();
    /// Nothing more is planned for a part.
    void close(std::size_t part);
    /// The parts' cases and worlds together, and how many rounds there are.
    Index total(Job::Kind kind) const;

private:
    bool is_anything_left() const;
    std::vector<Job> jobs_of_round();

    struct Planned {
        Size size;
        Index done = 0;
    };
    std::vector<Planned> parts_;
    Index round_ = 0;
    Index number_ = 0;
};

}  // namespace kvcheck
