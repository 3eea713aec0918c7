// SPDX-License-Identifier: Apache-2.0
// Packing and unpacking by one walk over the fields of each record (declared in packed.hpp).
#include "properties/rounds/packed.hpp"

#include <cstring>
#include <set>
#include <type_traits>

#include "model/case_file.hpp"
#include "model/types/assert.hpp"
#include "model/types/fields.hpp"
#include "oracles/row_table.hpp"

namespace kvcheck {
namespace {

/// Both ends walk over the same fields; `Bytes` is filled by one and emptied by the other.
class Packer {
public:
    template <class T>
    void plain(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void text(const std::string& value) {
        plain(value.size());
        bytes += value;
    }
    std::string bytes;
};

class Unpacker {
public:
    explicit Unpacker(const std::string& bytes) : bytes_(bytes) {}

    template <class T>
    void plain(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        KVCHECK_ASSERT(bytes_.size() - read_ >= sizeof value);
        std::memcpy(&value, bytes_.data() + read_, sizeof value);
        read_ += sizeof value;
    }
    void text(std::string& value) {
        std::size_t size = 0;
        plain(size);
        KVCHECK_ASSERT(bytes_.size() - read_ >= size);
        value = bytes_.substr(read_, size);
        read_ += size;
    }

private:
    const std::string& bytes_;
    std::size_t read_ = 0;
};

/// What is copied as it lies in memory: it holds no address.
template <class T>
concept Plain =
    std::is_trivially_copyable_v<T> && !RecordOf<T, std::string_view> && !RecordOf<T, Evidence>;

template <class Pack, Plain T>
void put(Pack& pack, T& value) {
    pack.plain(value);
}

template <class Pack, RecordOf<std::string> T>
void put(Pack& pack, T& value) {
    pack.text(value);
}

/// The names of what was seen are constants of the program; those that were read are kept for good.
void put(Packer& packer, const std::string_view& value) { packer.text(std::string(value)); }
void put(Unpacker& unpacker, std::string_view& value) {
    static std::set<std::string> names;
    std::string text;
    unpacker.text(text);
    value = *names.insert(text).first;
}

void put(Packer& packer, const Case& value) { packer.text(to_text({value, {}})); }
void put(Unpacker& unpacker, Case& value) {
    std::string text;
    unpacker.text(text);
    value = case_file_from_text(text, "case of a worker").test_case;
}

template <class T>
void put(Packer& packer, const std::optional<T>& value) {
    packer.plain(value.has_value());
    if (value) put(packer, *value);
}
template <class T>
void put(Unpacker& unpacker, std::optional<T>& value) {
    bool there = false;
    unpacker.plain(there);
    if (there) put(unpacker, value.emplace());
}

template <class T>
void put(Packer& packer, const std::vector<T>& values) {
    packer.plain(values.size());
    for (const T& value : values) put(packer, value);
}
template <class T>
void put(Unpacker& unpacker, std::vector<T>& values) {
    std::size_t size = 0;
    unpacker.plain(size);
    values.resize(size);
    for (T& value : values) put(unpacker, value);
}

template <class Pack, class... Fields>
void each(Pack& pack, Fields&... fields) {
    (put(pack, fields), ...);
}

// The records, each by all its fields: a structured binding does not compile where one is missing.

template <class Pack, RecordOf<RowTable::Head> R>
void put(Pack& pack, R& record) {
    auto& [head, right, seen] = record;
    each(pack, head, right, seen);
}

template <class Pack, RecordOf<RowTable> R>
void put(Pack& pack, R& record) {
    auto& [row, slot, keys, heads, output, heads_of_output, declares_weights, has_sink] = record;
    each(pack, row, slot, keys, heads, output, heads_of_output, declares_weights, has_sink);
}

/// Null is a value, too.
template <class T>
void put(Packer& packer, const std::shared_ptr<const T>& value) {
    packer.plain(value != nullptr);
    if (value != nullptr) put(packer, *value);
}
template <class T>
void put(Unpacker& unpacker, std::shared_ptr<const T>& value) {
    bool there = false;
    unpacker.plain(there);
    if (!there) return;
    const auto read = std::make_shared<T>();
    put(unpacker, *read);
    value = read;
}

template <class Pack, RecordOf<Evidence> R>
void put(Pack& pack, R& record) {
    auto& [kind, what, seen, right, deviation, score_size, digits] = record;
    each(pack, kind, what, seen, right, deviation, score_size, digits);
}

template <class Pack, RecordOf<Verdict> R>
void put(Pack& pack, R& record) {
    auto& [kind, diagnosis, variant, place, evidence, words, hint, row, driven, worst_ratio,
           evaluation] = record;
    each(pack, kind, diagnosis, variant, place, evidence, words, hint, row, driven, worst_ratio,
         evaluation);
}

template <class Pack, RecordOf<Counterexample> R>
void put(Pack& pack, R& record) {
    auto& [test_case, verdict, found_at, steps, tried, work, seconds, stopped] = record;
    each(pack, test_case, verdict, found_at, steps, tried, work, seconds, stopped);
}

template <class Pack, RecordOf<SearchResult> R>
void put(Pack& pack, R& record) {
    auto& [coverage, passed, powerless, lacking, disturbed, worst_ratio, evaluation, stream_hash,
           out_of_time, counterexample] = record;
    each(pack, coverage, passed, powerless, lacking, disturbed, worst_ratio, evaluation,
         stream_hash, out_of_time, counterexample);
}

template <class Pack, RecordOf<Unshrunk> R>
void put(Pack& pack, R& record) {
    auto& [property, counterexample] = record;
    each(pack, property, counterexample);
}

template <class Pack, RecordOf<Job> R>
void put(Pack& pack, R& record) {
    auto& [kind, number, round, part, begin, end, found] = record;
    each(pack, kind, number, round, part, begin, end, found);
}

template <class Pack, RecordOf<JobResult> R>
void put(Pack& pack, R& record) {
    auto& [number, place, search, replayed, worlds, large, places, property, from_file, trouble,
           disk_trouble, seconds] = record;
    each(pack, number, place, search, replayed, worlds, large, places, property, from_file, trouble,
         disk_trouble, seconds);
}

}  // namespace

std::string packed(const Job& job) {
    Packer packer;
    put(packer, job);
    return packer.bytes;
}

std::string packed(const JobResult& result) {
    Packer packer;
    put(packer, result);
    return packer.bytes;
}

Job unpacked_job(const std::string& bytes) {
    Unpacker unpacker(bytes);
    Job job;
    put(unpacker, job);
    return job;
}

JobResult unpacked_result(const std::string& bytes) {
    Unpacker unpacker(bytes);
    JobResult result;
    put(unpacker, result);
    return result;
}

}  // namespace kvcheck
