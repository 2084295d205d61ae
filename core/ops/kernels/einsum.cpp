// einsum, outer and bilinear-like products named by letters.
//
// Source: aten/src/ATen/native/Linear.cpp (einsum): the operands are brought to one order of letters, letters that are
// summed over come last, and two operands at a time are multiplied as stacks of matrices.
#include "ops/kernels/elementwise.h"
#include "ops/kernels/families.h"
#include "ops/kernels/product.h"
#include "ops/kernels/rows.h"
#include "ops/kernels/views.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace gb::ops {
namespace {

using base::Result;
using ir::Shape;
using ir::Tensor;

/// A tensor and a letter for each of its dimensions, each letter once.
struct Lettered {
    Tensor tensor;
    std::string letters;
};

struct Equation {
    std::vector<std::string> operands;
    std::string result;
};

constexpr char kEllipsis = '.';

/// "ij,jk->ik" without spaces; an ellipsis is refused, as it is rare and its letters have no names.
Result<Equation> parse(std::string_view text)
{
    std::string plain;
    std::copy_if(text.begin(), text.end(), std::back_inserter(plain), [](char c) { return c != ' '; });
    if (plain.find(kEllipsis) != std::string::npos)
        return base::Error{
            base::ErrorCode::NoKernel, base::say("einsum '{0}' with an ellipsis, letters expected", plain), {}};
    Equation out;
    const std::size_t arrow = plain.find("->");
    const std::string left = plain.substr(0, arrow);
    for (std::size_t start = 0; start <= left.size();) {
        const std::size_t comma = std::min(left.find(',', start), left.size());
        out.operands.push_back(left.substr(start, comma - start));
        start = comma + 1;
    }
    for (const char c : left)
        if (c != ',' && !std::isalpha(static_cast<unsigned char>(c)))
            return runtimeError("einsum '{0}', letters and commas expected", plain);
    if (arrow != std::string::npos) {
        out.result = plain.substr(arrow + 2);
        return out;
    }
    // without an arrow: the letters that occur once, sorted
    for (char c = 'A'; c <= 'z'; ++c)
        if (std::isalpha(static_cast<unsigned char>(c)) && std::count(left.begin(), left.end(), c) == 1)
            out.result += c;
    return out;
}

/// Letters given twice become one dimension: the diagonal.
Result<Lettered> letter(const Tensor& x, const std::string& letters)
{
    if (static_cast<std::int64_t>(letters.size()) != x.dim())
        return runtimeError("einsum letters '{0}' for {1}, one a dimension expected", letters, ir::describe(x));
    Lettered out;
    Shape shape;
    Shape strides;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const std::size_t at = out.letters.find(letters[i]);
        if (at == std::string::npos) {
            out.letters += letters[i];
            shape.push_back(x.shape()[i]);
            strides.push_back(x.strides()[i]);
            continue;
        }
        if (shape[at] != x.shape()[i])
            return runtimeError("einsum letter '{0}' is {1} and {2}, one size expected", std::string(1, letters[i]),
                                shape[at], x.shape()[i]);
        strides[at] += x.strides()[i];
    }
    out.tensor = x.asStrided(shape, strides);
    return out;
}

/// Dimensions in the order of `letters`, size 1 where the operand has no such letter.
Tensor arranged(const Lettered& x, const std::string& letters)
{
    Shape shape;
    Shape strides;
    for (const char c : letters) {
        const std::size_t at = x.letters.find(c);
        shape.push_back(at == std::string::npos ? 1 : x.tensor.shape()[at]);
        strides.push_back(at == std::string::npos ? 0 : x.tensor.strides()[at]);
    }
    return x.tensor.asStrided(shape, strides);
}

/// Sums over the letters that nothing after this needs.
Result<Lettered> sumAway(const Context& context, const Lettered& x, const std::string& needed)
{
    Shape dims;
    Lettered out;
    for (std::size_t i = 0; i < x.letters.size(); ++i)
        if (needed.find(x.letters[i]) == std::string::npos)
            dims.push_back(static_cast<std::int64_t>(i));
        else
            out.letters += x.letters[i];
    if (dims.empty())
        return x;
    const Rows rows = rowsAlong(x.tensor, dims);
    // a product with ones adds the rows up
    Tensor ones = Tensor::empty(ir::DType::Float64, {rows.width});
    std::fill_n(ones.mutableData<double>(), rows.width, 1.0);
    GB_ASSIGN(const Tensor sums,
              matmulTensors(context, rows.values.reshaped({rows.count, rows.width}), ones.to(x.tensor.dtype())));
    out.tensor = sums.reshaped(rows.kept);
    return out;
}

std::int64_t sizeOf(const Lettered& a, const Lettered& b, char c)
{
    const std::size_t at = a.letters.find(c);
    return at != std::string::npos ? a.tensor.shape()[at] : b.tensor.shape()[b.letters.find(c)];
}

Result<Lettered> multiplyPair(const Context& context, const Lettered& a, const Lettered& b, const std::string& needed)
{
    std::string batch;
    std::string rows;
    std::string cols;
    std::string summed;
    for (const char c : a.letters) {
        const bool inB = b.letters.find(c) != std::string::npos;
        if (inB && sizeOf(a, b, c) != sizeOf(b, a, c) && sizeOf(a, b, c) != 1 && sizeOf(b, a, c) != 1)
            return runtimeError("einsum letter '{0}' is {1} and {2}, one size expected", std::string(1, c),
                                sizeOf(a, b, c), sizeOf(b, a, c));
        (!inB ? rows : needed.find(c) != std::string::npos ? batch : summed) += c;
    }
    for (const char c : b.letters)
        if (a.letters.find(c) == std::string::npos)
            cols += c;
    const auto flattened = [](const Tensor& t, std::size_t lead, std::size_t middle) -> Result<Tensor> {
        Shape shape(3, 1);
        for (std::size_t i = 0; i < t.shape().size(); ++i)
            shape[i < lead ? 0 : i < lead + middle ? 1 : 2] *= t.shape()[i];
        return reshapeTensor(t, shape);
    };
    GB_ASSIGN(const Tensor left, flattened(arranged(a, batch + rows + summed), batch.size(), rows.size()));
    GB_ASSIGN(const Tensor right, flattened(arranged(b, batch + summed + cols), batch.size(), summed.size()));
    GB_ASSIGN(const Tensor product, matmulTensors(context, left, right));
    Lettered out;
    out.letters = batch + rows + cols;
    Shape shape;
    for (const char c : out.letters)
        shape.push_back(sizeOf(a, b, c));
    out.tensor = product.reshaped(shape);
    return out;
}

Result<std::vector<Lettered>> readOperands(const Call& call, const Equation& equation)
{
    GB_ASSIGN(const std::vector<Tensor> tensors, call.tensors(1));
    if (tensors.size() != equation.operands.size())
        return runtimeError("einsum of {0} operands, {1} expected", tensors.size(), equation.operands.size());
    std::vector<Lettered> out;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        GB_TRY(expectReal(tensors[i]));
        GB_ASSIGN(Lettered operand, letter(tensors[i], equation.operands[i]));
        out.push_back(std::move(operand));
    }
    return out;
}

std::string lettersAfter(const std::vector<Lettered>& operands, std::size_t from, const std::string& result)
{
    std::string out = result;
    for (std::size_t i = from; i < operands.size(); ++i)
        out += operands[i].letters;
    return out;
}

Result<Value> einsum(const Call& call)
{
    GB_ASSIGN(const std::string_view text, call.text(0, ""));
    GB_ASSIGN(const Equation equation, parse(text));
    GB_ASSIGN(const std::vector<Lettered> operands, readOperands(call, equation));
    for (std::size_t i = 0; i < equation.result.size(); ++i)
        if (lettersAfter(operands, 0, {}).find(equation.result[i]) == std::string::npos
            || equation.result.find(equation.result[i], i + 1) != std::string::npos)
            return runtimeError("einsum result '{0}', letters of the operands, each once, expected", equation.result);
    GB_ASSIGN(Lettered out, sumAway(call.context(), operands[0], lettersAfter(operands, 1, equation.result)));
    for (std::size_t i = 1; i < operands.size(); ++i) {
        const std::string needed = lettersAfter(operands, i + 1, equation.result);
        GB_ASSIGN(const Lettered next, sumAway(call.context(), operands[i], needed + out.letters));
        GB_ASSIGN(const Lettered product, multiplyPair(call.context(), out, next, needed));
        GB_ASSIGN(out, sumAway(call.context(), product, needed));
    }
    return Value(arranged(out, equation.result).clone());
}

Result<Value> outer(const Call& call)
{
    GB_ASSIGN(const Tensor a, call.tensor(0));
    GB_ASSIGN(const Tensor b, call.tensor(1));
    if (a.dim() != 1 || b.dim() != 1)
        return runtimeError("outer product of {0} and {1}, one dimension each expected", ir::describe(a),
                            ir::describe(b));
    GB_ASSIGN(const Call inner,
              Call::bind(call.context(), call.target(), "self other", {unsqueezeTensor(a, 1), b}, {}));
    return binarySame(inner, []<class T>(T x, T y) { return static_cast<T>(x * y); });
}

const KernelRow kRows[] = {
    {"aten.einsum.default", einsum, "equation tensors path"},
    {"aten.outer.default", outer, "self vec2"},
};

} // namespace

std::span<const KernelRow> einsumKernels()
{
    return kRows;
}

} // namespace gb::ops
