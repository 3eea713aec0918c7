// SPDX-License-Identifier: Apache-2.0
// One session of the fast subject, and the way of a call through it:
//
//      admit      nothing is touched before it is known that the call fits
//      cut        into waves: all tokens, or, in a layer, as many as the work arrays hold
//      project    (layer) x + position -> q, k, v
//      store      k and v into the blocks of the cache (cache.hpp)
//      attend     a task for each head, chunk of tokens and piece of a long row (plan.hpp); it
//                 takes its query rows through the blocks (attend-inl.hpp)
//      merge      the pieces of long rows
//      project    (layer) o -> y
//
// Commands that bring no token are in session_commands.cpp, saving and loading is in
// session_state.cpp. All memory is taken when the session is
// opened, and when a command leaves more rows than there ever were; never by an append.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "impl/fast/arrays.hpp"
#include "impl/fast/cache.hpp"
#include "impl/fast/layer.hpp"
#include "impl/fast/plan.hpp"
#include "impl/fast/pool.hpp"
#include "impl/fast/rotary.hpp"
#include "impl/fast/tree_masks.hpp"
#include "impl/saved_state.hpp"
#include "impl/subject.hpp"

namespace kvcheck::fast {

/// When work is cut: see FastOptions.
struct Cuts {
    Index parallel_from;
    Index split_slots;
};

class FastSession final : public Session {
public:
    /// Throws std::bad_alloc.
    FastSession(const Spec& spec, const Parameters& parameters, const Kernels& kernels,
                std::shared_ptr<Pool> pool, const Cuts& cuts);

    Status append(const AppendCall& call) override;
    Status apply(const Lifecycle& command) override;
    Status ask(const AppendCall& call) override;
    Status numbers(std::span<RowNumbers> rows) override;
    Status export_kv(Index row, const OutputView& key, const OutputView& value) override;
    Status poison_unused(double pattern) override;
    Status save(std::vector<std::byte>& bytes) override;
    Status publish(Index row, const PrefixKey& key) override;
    Status reuse(Index row, const PrefixKey& key, Index& slots) override;
    Status weaken_prefix_hash() override;
    Status admits(std::span<const Index> counts, bool& fits) override;

    /// Reads what save() wrote. Needs: newly opened; where it refuses, the session is of no use.
    Status load(std::span<const std::byte> bytes);

    MemoryUse memory_use() const;

private:
    /// Where a thread keeps the query rows of its task.
    struct Scratch {
        float* query;    // [rows][Dk]
        Softmax state;   // [rows]
        float* scale;    // [rows] 1 / sum
        float* weights;  // [rows][64]
    };

    /// Queries of an append see what the contract says, those without keys all of their row.
    enum class Sight { causal, all };

    /// Arrays of one wave.
    struct Wave {
        const AppendCall& call;
        Sight sight;
        Array<const float> query, key, value;
        Array<float> output;
    };

    std::string truncate(const Truncate& truncate);
    std::string evict(const Evict& evict);
    std::string shift(const Shift& shift);
    /// Row r continues row sources[r]. Throws std::bad_alloc; nothing is changed then.
    std::string continue_rows(std::span<const Index> sources);

    StateLabel state_label() const;

    bool ids_fit(const AppendCall& call) const;
    void grow(const AppendCall& call, Index row, Index first, Index count);
    void append_attention(const AppendCall& call);
    void append_layer(const AppendCall& call, Sight sight);
    void load(const AppendCall& call, Sight sight, const Segment& segment);
    void run_layer(const AppendCall& call, Sight sight, Index tokens);
    void store_and_attend(const Wave& wave);
    void attend_all(const Wave& wave);

    void store(const Wave& wave, const Task& task, int thread) const;
    void attend(const Wave& wave, Index number, const Scratch& scratch) const;
    void merge(const Wave& wave, const Task& task, const Scratch& scratch) const;
    void complete(const Wave& wave, const Task& task, const QueryRows& rows,
                  const Scratch& scratch) const;
    void write_log_sum_exp(const OutputView& out, const Task& task, const QueryRows& rows,
                           const Softmax& state) const;
    void write_weights(const OutputView& out, const Task& task, const QueryRows& rows,
                       const Scratch& scratch) const;

    Upcoming upcoming_rows(const Array<const float>& array, const Task& task, Index width) const;
    QueryRows queries(const Wave& wave, const Task& task, const Scratch& scratch) const;
    Softmax piece_states(const Task& task, Index piece) const;
    void clear(const Softmax& state, Index rows) const;
    void add_sinks(const Task& task, const Softmax& state) const;
    void gather(const Wave& wave, const Task& task, float* query) const;
    Strided<const float> turned_keys(Index row, Index slot, Index count,
                                     const Strided<const float>& key, int thread) const;
    void turn_queries(const Task& task, float* query) const;
    void attend_window(const Task& task, const QueryRows& rows, const Softmax& state,
                       const Upcoming (&upcoming)[2]) const;
    Scratch scratch_in(float* query) const;
    Scratch scratch(int thread) const;

    /// task(number, thread) for every number below `count`, on all threads where `work`
    /// multiply-adds are worth it.
    template <class Task>
    void run(Index count, Index work, const Task& task) {
        if (pool_->threads() > 1 && count > 1 && work >= parallel_from_) {
            pool_->run(count, task);
        } else {
            for (Index number = 0; number < count; ++number) task(number, 0);
        }
    }

    Spec spec_;
    std::uint64_t fingerprint_;  // of the parameters
    const Kernels& kernels_;
    std::shared_ptr<Pool> pool_;
    Index parallel_from_;
    Index group_;
    float query_factor_;  // scale * log2(e)
    float cap_;           // c * log2(e), or 0
    Rotation rotation_;
    Index positions_;            // ids from here on have no row in a table
    std::vector<float> slopes_;  // [H] -slope * log2(e), or empty
    std::vector<float> sinks_;   // [H] score * log2(e), or empty
    Cache cache_;
    Plan plan_;
    TreeMasks tree_masks_;                // of this wave
    Memory scratch_;                      // of all threads
    Index scratch_floats_;                // of one
    Scratch scratch_0_;                   // of the first
    Memory turned_;                       // keys, of all threads
    Memory states_;                       // of pieces
    std::vector<Index> lengths_;          // [rows], for admission
    std::unique_ptr<LayerArrays> layer_;  // null at attention level
};

}  // namespace kvcheck::fast
