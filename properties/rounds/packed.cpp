// SPDX-License-Identifier: Apache-2.0
// Packing and unpacking by one walk over the fields of each record (declared in packed.hpp).
#include "properties/rounds/packed.hpp"

#include <cstring>
#include <set>
#include <type_traits>

#include "model/case_file.hpp"
#include "model/types/assert.hpp"
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

/// The names of what was seen are constants of the program; those that were read are kept for good.
void name(Packer& packer, const std::string_view& value) { packer.text(std::string(value)); }
void name(Unpacker& unpacker, std::string_view& value) {
    static std::set<std::string> names;
    std::string text;
    unpacker.text(text);
    value = *names.insert(text).first;
}

void test_case(Packer& packer, const Case& value) { packer.text(to_text({value, {}})); }
void test_case(Unpacker& unpacker, Case& value) {
    std::string text;
    unpacker.text(text);
    value = case_file_from_text(text, "case of a worker").test_case;
}

template <class T, class Walk>
void optional(Packer& packer, const std::optional<T>& value, const Walk& walk) {
    packer.plain(value.has_value());
    if (value) walk(*value);
}
template <class T, class Walk>
void optional(Unpacker& unpacker, std::optional<T>& value, const Walk& walk) {
    bool there = false;
    unpacker.plain(there);
    if (there) walk(value.emplace());
}

template <class T>
void plain_list(Packer& packer, const std::vector<T>& values) {
    packer.plain(values.size());
    for (const T& value : values) packer.plain(value);
}
template <class T>
void plain_list(Unpacker& unpacker, std::vector<T>& values) {
    std::size_t size = 0;
    unpacker.plain(size);
    values.resize(size);
    for (T& value : values) unpacker.plain(value);
}

void heads(Packer& packer, const std::vector<RowTable::Head>& values) {
    packer.plain(values.size());
    for (const RowTable::Head& value : values) {
        packer.plain(value.head);
        plain_list(packer, value.right);
        plain_list(packer, value.seen);
    }
}
void heads(Unpacker& unpacker, std::vector<RowTable::Head>& values) {
    std::size_t size = 0;
    unpacker.plain(size);
    values.resize(size);
    for (RowTable::Head& value : values) {
        unpacker.plain(value.head);
        plain_list(unpacker, value.right);
        plain_list(unpacker, value.seen);
    }
}

template <class Pack, class Table>
void walk_table(Pack& pack, Table& table) {
    pack.plain(table.row);
    pack.plain(table.slot);
    plain_list(pack, table.keys);
    heads(pack, table.heads);
    plain_list(pack, table.output);
    pack.plain(table.heads_of_output);
}
void row(Packer& packer, const std::shared_ptr<const RowTable>& value) {
    packer.plain(value != nullptr);
    if (value != nullptr) walk_table(packer, *value);
}
void row(Unpacker& unpacker, std::shared_ptr<const RowTable>& value) {
    bool there = false;
    unpacker.plain(there);
    if (!there) return;
    const auto table = std::make_shared<RowTable>();
    walk_table(unpacker, *table);
    value = table;
}

template <class Pack, class V>
void walk_verdict(Pack& pack, V& verdict) {
    pack.plain(verdict.kind);
    pack.text(verdict.diagnosis);
    pack.text(verdict.variant);
    pack.plain(verdict.place);
    optional(pack, verdict.evidence, [&](auto& evidence) {
        pack.plain(evidence.kind);
        name(pack, evidence.what);
        pack.plain(evidence.seen);
        pack.plain(evidence.right);
        pack.plain(evidence.deviation);
        pack.plain(evidence.score_size);
        pack.plain(evidence.digits);
    });
    pack.text(verdict.words);
    row(pack, verdict.row);
    pack.plain(verdict.worst_ratio);
    pack.plain(verdict.evaluation);
}

template <class Pack, class C>
void walk_counterexample(Pack& pack, C& found) {
    test_case(pack, found.test_case);
    walk_verdict(pack, found.verdict);
    pack.plain(found.found_at);
    pack.plain(found.shrink_steps);
    pack.plain(found.shrink_tried);
    pack.plain(found.shrink_seconds);
    pack.plain(found.shrink_stopped);
}

template <class Pack, class R>
void walk_search(Pack& pack, R& search) {
    pack.plain(search.coverage);
    pack.plain(search.passed);
    pack.plain(search.powerless);
    pack.text(search.lacking);
    pack.text(search.disturbed);
    pack.plain(search.worst_ratio);
    pack.plain(search.evaluation);
    pack.plain(search.stream_hash);
    pack.plain(search.out_of_time);
    optional(pack, search.counterexample, [&](auto& found) { walk_counterexample(pack, found); });
}

template <class Pack, class J>
void walk_job(Pack& pack, J& job) {
    pack.plain(job.kind);
    pack.plain(job.number);
    pack.plain(job.round);
    pack.plain(job.part);
    pack.plain(job.begin);
    pack.plain(job.end);
    optional(pack, job.found, [&](auto& found) {
        pack.text(found.property);
        walk_counterexample(pack, found.counterexample);
    });
}

template <class Pack, class R>
void walk_result(Pack& pack, R& result) {
    pack.plain(result.number);
    pack.plain(result.place);
    walk_search(pack, result.search);
    pack.plain(result.replayed);
    pack.plain(result.worlds);
    pack.plain(result.large);
    pack.plain(result.places);
    pack.text(result.property);
    pack.text(result.from_file);
    pack.text(result.trouble);
    pack.text(result.disk_trouble);
    pack.plain(result.seconds);
}

}  // namespace

std::string packed(const Job& job) {
    Packer packer;
    walk_job(packer, job);
    return packer.bytes;
}

std::string packed(const JobResult& result) {
    Packer packer;
    walk_result(packer, result);
    return packer.bytes;
}

Job unpacked_job(const std::string& bytes) {
    Unpacker unpacker(bytes);
    Job job;
    walk_job(unpacker, job);
    return job;
}

JobResult unpacked_result(const std::string& bytes) {
    Unpacker unpacker(bytes);
    JobResult result;
    walk_result(unpacker, result);
    return result;
}

}  // namespace kvcheck
