/* SPDX-License-Identifier: Apache-2.0
 * The example with log-sum-exps, which it forms from the keys that it has stored. With BASE_2 they
 * are logarithms of base 2. */
#define kvcheck_plugin_entry honest_entry
#include "examples/c/attention.c"
#undef kvcheck_plugin_entry

static double log_sum_exp(const Session* s, const kvcheck_append* call, int64_t r, int64_t t,
                          int64_t h, int64_t keys) {
    const int64_t dk = s->spec.key_width, step = s->spec.kv_heads;
    const int64_t first = r * s->spec.capacity * step + h * step / s->spec.query_heads;
    const double scale = s->spec.has_scale ? s->spec.scale : 1 / sqrt((double)dk);
    double sum = 0, largest = -INFINITY;
    for (int64_t k = 0; k < keys; ++k) {
        if (!s->seen[r * s->spec.capacity + k]) continue;
        double score = 0;
        for (int64_t d = 0; d < dk; ++d)
            score += scale * *kvcheck_f32(&call->query, r, t, h, d) *
                     s->key[(first + k * step) * dk + d];
        const double next = score > largest ? score : largest;
        sum = (largest == -INFINITY ? 0 : sum * exp(largest - next)) + exp(score - next);
        largest = next;
    }
    return largest + log(sum);
}

static int append_and_sum(Session* s, const kvcheck_append* call, char* message, size_t size) {
    const int code = append(s, call, message, size);
    if (code != KVCHECK_DONE || call->size < sizeof *call || call->log_sum_exp.rank == 0)
        return code;
    for (int64_t r = 0; r < call->rows; ++r)
        for (int64_t t = 0; t < call->counts[r]; ++t)
            for (int64_t h = 0; h < s->spec.query_heads; ++h) {
                const int64_t keys = s->length[r] - call->counts[r] + t + 1;
                double shown = log_sum_exp(s, call, r, t, h, keys);
#ifdef BASE_2
                shown /= log(2);
#endif
                *kvcheck_f32(&call->log_sum_exp, r, t, h, 0) = (float)shown;
            }
    return code;
}

static const void* extension_and_sum(const char* name) {
    if (strcmp(name, "log_sum_exp/1") == 0) return "";
    return extension(name);
}
KVCHECK_PLUGIN_WITH("sums", "1",
                    KVCHECK_PLAIN_ATTENTION
                    " truncate truncate_row reorder varying_rows fork evict log_sum_exp",
                    KVCHECK_F32, open_session, append_and_sum, reset, lengths, close_session,
                    extension_and_sum)
