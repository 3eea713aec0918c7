// SPDX-License-Identifier: Apache-2.0
// Other implementations of the same calls (declared in peers.hpp).
#include "bench/peers.hpp"

#include <Eigen/Core>
#include <cmath>
#include <limits>

#ifdef KVCHECK_HAVE_ONEDNN
#include <dnnl.h>
#endif

namespace kvcheck::bench {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Input = Eigen::Map<const Matrix>;
using Output = Eigen::Map<Matrix>;

constexpr Index query_block = 64;
constexpr Index key_block = 512;

struct EigenProducts {
    static void scores(const Input& q, const Input& k, Matrix& s) {
        s.noalias() = q * k.transpose();
    }
    static void add_values(const Matrix& p, const Input& v, Matrix& o) { o.noalias() += p * v; }
};

#ifdef KVCHECK_HAVE_ONEDNN
struct OneDnnProducts {
    static void scores(const Input& q, const Input& k, Matrix& s) {
        dnnl_sgemm('N', 'T', q.rows(), k.rows(), q.cols(), 1, q.data(), q.cols(), k.data(),
                   k.cols(), 0, s.data(), s.cols());
    }
    static void add_values(const Matrix& p, const Input& v, Matrix& o) {
        dnnl_sgemm('N', 'N', p.rows(), v.cols(), p.cols(), 1, p.data(), p.cols(), v.data(),
                   v.cols(), 1, o.data(), o.cols());
    }
};
#endif

/// exp(s - largest so far) of a block, and the sums and outputs brought to the new largest.
void online_softmax(Matrix& s, Matrix& o, Eigen::ArrayXf& largest, Eigen::ArrayXf& sum) {
    const Eigen::ArrayXf raised = largest.max(s.rowwise().maxCoeff().array());
    const Eigen::ArrayXf factor = (largest - raised).exp();
    s.array() = (s.array().colwise() - raised).exp();
    sum = sum * factor + s.rowwise().sum().array();
    o.array().colwise() *= factor;
    largest = raised;
}

template <class Products>
void blocked(const HeadProblem& in) {
    const float scale = 1 / std::sqrt(float(in.width));
    const Index past = in.keys - in.tokens;
    Matrix s;
    for (Index first = 0; first < in.tokens; first += query_block) {
        const Index rows = std::min(query_block, in.tokens - first);
        const Matrix q = Input(in.query + first * in.width, rows, in.width) * scale;
        Matrix o = Matrix::Zero(rows, in.width);
        Eigen::ArrayXf largest =
            Eigen::ArrayXf::Constant(rows, -std::numeric_limits<float>::infinity());
        Eigen::ArrayXf sum = Eigen::ArrayXf::Zero(rows);
        const Index keys = in.causal ? past + first + rows : in.keys;
        for (Index key = 0; key < keys; key += key_block) {
            const Index columns = std::min(key_block, keys - key);
            const Input k(in.key + key * in.width, columns, in.width);
            const Input v(in.value + key * in.width, columns, in.width);
            s.resize(rows, columns);
            Products::scores(Input(q.data(), rows, in.width), k, s);
            for (Index i = 0; in.causal && i < rows; ++i) {
                const Index seen = past + first + i + 1 - key;
                if (seen < columns) {
                    s.row(i)
                        .tail(columns - std::max<Index>(seen, 0))
                        .setConstant(-std::numeric_limits<float>::infinity());
                }
            }
            online_softmax(s, o, largest, sum);
            Products::add_values(s, v, o);
        }
        Output(in.output + first * in.width, rows, in.width) = (o.array().colwise() / sum).matrix();
    }
}

}  // namespace

void eigen_naive(const HeadProblem& in) {
    const float scale = 1 / std::sqrt(float(in.width));
    Matrix s = (Input(in.query, in.tokens, in.width) * scale) *
               Input(in.key, in.keys, in.width).transpose();
    for (Index i = 0; in.causal && i < in.tokens; ++i) {
        s.row(i).tail(in.tokens - 1 - i).setConstant(-std::numeric_limits<float>::infinity());
    }
    const Eigen::ArrayXf largest = s.rowwise().maxCoeff();
    s.array() = (s.array().colwise() - largest).exp();
    const Eigen::ArrayXf sum = s.rowwise().sum();
    Output out(in.output, in.tokens, in.width);
    out.noalias() = s * Input(in.value, in.keys, in.width);
    out.array().colwise() /= sum;
}

void eigen_blocked(const HeadProblem& problem) { blocked<EigenProducts>(problem); }

#ifdef KVCHECK_HAVE_ONEDNN
void onednn_blocked(const HeadProblem& problem) { blocked<OneDnnProducts>(problem); }
#endif

std::vector<Peer> peers() {
    std::vector<Peer> list = {{"eigen-naive", eigen_naive}, {"eigen-blocked", eigen_blocked}};
#ifdef KVCHECK_HAVE_ONEDNN
    list.push_back({"onednn-blocked", onednn_blocked});
#endif
    return list;
}

}  // namespace kvcheck::bench
