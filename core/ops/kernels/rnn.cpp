// gru, lstm and the plain recurrent networks over padded batches.
//
// Source: aten/src/ATen/native/RNN.cpp (GRUCell, LSTMCell, SimpleCell, _rnn_impl).
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/product.h"

#include <cmath>

namespace gb::ops {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::DType;
using ir::Tensor;

enum class Cell : std::uint8_t { Gru, Lstm, Tanh, Relu };

constexpr std::int64_t gatesOf(Cell cell)
{
    return cell == Cell::Lstm ? 4 : cell == Cell::Gru ? 3 : 1;
}

struct Weights {
    Tensor input;
    Tensor hidden;
    std::optional<Tensor> inputBias;
    std::optional<Tensor> hiddenBias;
    std::optional<Tensor> projection; ///< lstm with proj_size
};

struct State {
    Tensor hidden; ///< [batch, hidden or projected size]
    Tensor cell;   ///< lstm only
};

float sigmoid(float x)
{
    return 1.0F / (1.0F + std::exp(-x));
}

/// The new hidden state of one sequence from its gates' sums (of the input and of the hidden state).
void gruStep(const float* x, const float* h, std::int64_t size, const float* before, float* out)
{
    for (std::int64_t i = 0; i < size; ++i) {
        const float reset = sigmoid(h[i] + x[i]);
        const float update = sigmoid(h[size + i] + x[size + i]);
        const float fresh = std::tanh(x[2 * size + i] + reset * h[2 * size + i]);
        out[i] = (before[i] - fresh) * update + fresh;
    }
}

void lstmStep(const float* x, const float* h, std::int64_t size, float* cell, float* out)
{
    for (std::int64_t i = 0; i < size; ++i) {
        const float in = sigmoid(x[i] + h[i]);
        const float forget = sigmoid(x[size + i] + h[size + i]);
        const float fresh = std::tanh(x[2 * size + i] + h[2 * size + i]);
        const float exposed = sigmoid(x[3 * size + i] + h[3 * size + i]);
        cell[i] = forget * cell[i] + in * fresh;
        out[i] = exposed * std::tanh(cell[i]);
    }
}

/// One step of a whole batch; `gates` are the input's sums, contiguous [batch, gates * size].
Result<State> step(const Context& context, Cell kind, const Weights& w, const float* gates, const State& before)
{
    GB_ASSIGN(const Tensor hidden, linearTensors(context, before.hidden, w.hidden, w.hiddenBias));
    const std::int64_t batch = before.hidden.size(0);
    const std::int64_t size = hidden.size(1) / gatesOf(kind);
    State after{Tensor::empty(DType::Float32, {batch, size}), kind == Cell::Lstm ? before.cell.clone() : Tensor()};
    float* to = after.hidden.mutableData<float>();
    for (std::int64_t n = 0; n < batch; ++n) {
        const float* x = gates + n * hidden.size(1);
        const float* h = hidden.data<float>() + n * hidden.size(1);
        if (kind == Cell::Gru)
            gruStep(x, h, size, before.hidden.data<float>() + n * size, to + n * size);
        else if (kind == Cell::Lstm)
            lstmStep(x, h, size, after.cell.mutableData<float>() + n * size, to + n * size);
        else
            for (std::int64_t i = 0; i < size; ++i)
                to[n * size + i] = kind == Cell::Tanh ? std::tanh(x[i] + h[i]) : std::max(0.0F, x[i] + h[i]);
    }
    if (w.projection) {
        GB_ASSIGN(after.hidden, linearTensors(context, after.hidden, *w.projection, std::nullopt));
    }
    return after;
}

struct Sequence {
    Tensor output; ///< [time, batch, size]
    State last;
};

/// One direction of one layer over [time, batch, features].
Result<Sequence> runDirection(const Context& context, Cell kind, const Weights& w, const Tensor& x, State state,
                              bool backward)
{
    const std::int64_t time = x.size(0);
    const std::int64_t batch = x.size(1);
    GB_ASSIGN(const Tensor gates, linearTensors(context, x, w.input, w.inputBias));
    const std::int64_t out = state.hidden.size(1);
    GB_ASSIGN(Tensor output, makeTensor(DType::Float32, {time, batch, out}));
    for (std::int64_t i = 0; i < time && !context.work.cancelled(); ++i) {
        const std::int64_t at = backward ? time - 1 - i : i;
        GB_ASSIGN(state, step(context, kind, w, gates.data<float>() + at * batch * gates.size(2), state));
        std::copy_n(state.hidden.data<float>(), batch * out, output.mutableData<float>() + at * batch * out);
    }
    return Sequence{output, state};
}

struct Network {
    Cell kind = Cell::Gru;
    Tensor input; ///< [time, batch, features], float32, contiguous
    DType dtype = DType::Float32;
    std::vector<Weights> weights; ///< layer by layer, forward before backward
    std::vector<State> states;
    std::int64_t directions = 1;
    bool batchFirst = false;
};

Tensor swapFirst(const Tensor& x)
{
    return x.asStrided({x.size(1), x.size(0), x.size(2)}, {x.strides()[1], x.strides()[0], x.strides()[2]})
        .contiguous();
}

base::Status checkWeights(const Weights& w, std::int64_t features, const State& state, std::int64_t gates)
{
    const std::int64_t outputs = state.hidden.size(1);
    if (w.input.dim() != 2 || w.hidden.dim() != 2 || w.input.size(1) != features || w.hidden.size(1) != outputs
        || w.input.size(0) != w.hidden.size(0) || w.input.size(0) % gates != 0)
        return runtimeError(
            "recurrent weights {0} and {1} for {2} features and a hidden state of {3}, fitting sizes expected",
            ir::toText(w.input.shape()), ir::toText(w.hidden.shape()), features, outputs);
    const std::int64_t size = w.input.size(0) / gates;
    const bool fits =
        w.projection ? w.projection->dim() == 2 && w.projection->size(0) == outputs && w.projection->size(1) == size
                     : size == outputs;
    if (!fits || (gates == 4 && state.cell.size(1) != size))
        return runtimeError("hidden state of {0} values, {1} expected", outputs, size);
    for (const auto& bias : {w.inputBias, w.hiddenBias})
        if (bias && (bias->dim() != 1 || bias->size(0) != w.input.size(0)))
            return runtimeError("recurrent bias {0}, [{1}] expected", ir::toText(bias->shape()), w.input.size(0));
    return {};
}

Result<std::vector<Weights>> readWeights(const Call& call, std::size_t at, bool biases, std::int64_t runs, bool lstm)
{
    GB_ASSIGN(const std::vector<Tensor> flat, call.tensors(at));
    const std::size_t least = biases ? 4 : 2;
    const auto count = static_cast<std::size_t>(runs);
    const bool projected = lstm && flat.size() == count * (least + 1);
    const std::size_t each = projected ? least + 1 : least;
    if (flat.size() != count * each)
        return runtimeError("{0} weights, {1} expected", flat.size(), count * each);
    std::vector<Weights> out;
    for (std::size_t i = 0; i < flat.size(); i += each) {
        for (std::size_t j = 0; j < each; ++j)
            GB_TRY(expectFloat(flat[i + j], "recurrent weight"));
        Weights w;
        w.input = flat[i].to(DType::Float32);
        w.hidden = flat[i + 1].to(DType::Float32);
        if (biases) {
            w.inputBias = flat[i + 2].to(DType::Float32);
            w.hiddenBias = flat[i + 3].to(DType::Float32);
        }
        if (projected)
            w.projection = flat[i + each - 1].to(DType::Float32);
        out.push_back(std::move(w));
    }
    return out;
}

/// Slices the initial states [runs, batch, size] apart.
Result<std::vector<Tensor>> readStates(const Tensor& stacked, std::int64_t runs, std::int64_t batch)
{
    if (stacked.dim() != 3 || stacked.size(0) != runs || stacked.size(1) != batch)
        return runtimeError("hidden state {0}, [{1}, {2}, size] expected", ir::toText(stacked.shape()), runs, batch);
    GB_TRY(expectFloat(stacked, "hidden state"));
    const Tensor values = stacked.to(DType::Float32).contiguous();
    std::vector<Tensor> out;
    for (std::int64_t i = 0; i < runs; ++i)
        out.push_back(values.asStrided({batch, values.size(2)}, {values.size(2), 1},
                                       values.elementCount() == 0 ? 0 : i * batch * values.size(2)));
    return out;
}

Result<Network> read(const Call& call, Cell kind)
{
    Network net;
    net.kind = kind;
    GB_ASSIGN(const Tensor input, call.tensor(0));
    GB_TRY(expectFloat(input, "recurrent input"));
    GB_ASSIGN(const bool biases, call.boolean(3, true));
    GB_ASSIGN(const std::int64_t layers, call.integer(4, 1));
    GB_ASSIGN(const double dropout, call.real(5, 0.0));
    GB_ASSIGN(const bool train, call.boolean(6, false));
    GB_ASSIGN(const bool bidirectional, call.boolean(7, false));
    GB_ASSIGN(net.batchFirst, call.boolean(8, false));
    if (input.dim() != 3)
        return runtimeError("recurrent input {0}, three dimensions expected", ir::describe(input));
    if (layers < 1 || layers > 4096)
        return runtimeError("{0} layers, 1 or more expected", layers);
    if (train && dropout != 0.0 && layers > 1)
        return Error{
            ErrorCode::NoKernel, base::say("dropout {0} in training draws random numbers, 0 expected", dropout), {}};
    net.dtype = input.dtype();
    net.directions = bidirectional ? 2 : 1;
    const Tensor wide = input.to(DType::Float32);
    net.input = net.batchFirst ? swapFirst(wide) : wide.contiguous();
    const std::int64_t runs = layers * net.directions;
    const bool lstm = kind == Cell::Lstm;
    GB_ASSIGN(net.weights, readWeights(call, 2, biases, runs, lstm));
    std::vector<Tensor> stacked;
    if (lstm) {
        GB_ASSIGN(stacked, call.tensors(1));
        if (stacked.size() != 2)
            return runtimeError("{0} initial states, 2 expected", stacked.size());
    } else {
        GB_ASSIGN(const Tensor hidden, call.tensor(1));
        stacked.push_back(hidden);
    }
    GB_ASSIGN(const std::vector<Tensor> hidden, readStates(stacked[0], runs, net.input.size(1)));
    std::vector<Tensor> cells(hidden.size());
    if (lstm) {
        GB_ASSIGN(cells, readStates(stacked[1], runs, net.input.size(1)));
    }
    for (std::size_t i = 0; i < hidden.size(); ++i)
        net.states.push_back({hidden[i], cells[i]});
    return net;
}

/// The outputs of both directions side by side.
Tensor besides(const Tensor& a, const Tensor& b)
{
    const std::int64_t rows = a.size(0) * a.size(1);
    const std::int64_t left = a.size(2);
    const std::int64_t right = b.size(2);
    Tensor out = Tensor::empty(DType::Float32, {a.size(0), a.size(1), left + right});
    float* to = out.mutableData<float>();
    for (std::int64_t row = 0; row < rows; ++row) {
        std::copy_n(a.data<float>() + row * left, left, to + row * (left + right));
        std::copy_n(b.data<float>() + row * right, right, to + row * (left + right) + left);
    }
    return out;
}

Tensor stackStates(const std::vector<State>& states, Tensor State::*member)
{
    const Tensor& first = states[0].*member;
    Tensor out =
        Tensor::empty(DType::Float32, {static_cast<std::int64_t>(states.size()), first.size(0), first.size(1)});
    float* to = out.mutableData<float>();
    for (const State& state : states)
        to = std::copy_n((state.*member).data<float>(), first.elementCount(), to);
    return out;
}

template <Cell Kind>
Result<Value> recurrent(const Call& call)
{
    GB_ASSIGN(Network net, read(call, Kind));
    Tensor x = net.input;
    for (std::size_t run = 0; run < net.weights.size(); run += static_cast<std::size_t>(net.directions)) {
        std::vector<Tensor> outputs;
        for (std::size_t d = 0; d < static_cast<std::size_t>(net.directions); ++d) {
            const Weights& weights = net.weights[run + d];
            GB_TRY(checkWeights(weights, x.size(2), net.states[run + d], gatesOf(Kind)));
            GB_ASSIGN(const Sequence sequence,
                      runDirection(call.context(), Kind, weights, x, net.states[run + d], d == 1));
            net.states[run + d] = sequence.last;
            outputs.push_back(sequence.output);
        }
        x = outputs.size() == 2 ? besides(outputs[0], outputs[1]) : outputs[0];
    }
    const Tensor output = (net.batchFirst ? swapFirst(x) : x).to(net.dtype);
    ValueList out{output, stackStates(net.states, &State::hidden).to(net.dtype)};
    if (Kind == Cell::Lstm)
        out.push_back(stackStates(net.states, &State::cell).to(net.dtype));
    return Value(std::move(out));
}

constexpr const char* kNames = "input hx params has_biases num_layers dropout train bidirectional batch_first";

const KernelRow kRows[] = {
    {"aten.gru.input", recurrent<Cell::Gru>, kNames},
    {"aten.lstm.input", recurrent<Cell::Lstm>, kNames},
    {"aten.rnn_tanh.input", recurrent<Cell::Tanh>, kNames},
    {"aten.rnn_relu.input", recurrent<Cell::Relu>, kNames},
};

} // namespace

std::span<const KernelRow> rnnKernels()
{
    return kRows;
}

} // namespace gb::ops
