#include "io/batches.h"

#include "base/message.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <optional>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;

std::optional<std::size_t> digits(std::string_view text)
{
    std::size_t out = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (text.empty() || problem != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return out;
}

std::string shapeText(const ir::TensorMeta& meta)
{
    std::string out = std::string(ir::name(meta.dtype)) + " [";
    for (std::size_t i = 0; i < meta.shape.size(); ++i)
        out += (i ? ", " : "")
               + (meta.shape[i].symbol.empty() ? std::to_string(meta.shape[i].size) : meta.shape[i].symbol);
    return out + "]";
}

std::string arrayName(std::size_t batch, std::size_t input)
{
    char text[48];
    std::snprintf(text, sizeof text, "%03zu.%zu", batch, input);
    return text;
}

class Sorter {
public:
    Sorter(const Program& program, std::string place)
        : m_program(program)
        , m_place(std::move(place))
    {
    }

    Status add(const std::string& name, const ir::Tensor& tensor)
    {
        const std::size_t dot = name.find('.');
        const auto batch = digits(std::string_view(name).substr(0, dot));
        if (dot == std::string::npos || !batch)
            return problem(name, ErrorCode::Format, "found a name without a batch, BATCH.INPUT expected (000.0)");
        const auto input = positionOf(name.substr(dot + 1));
        if (!input)
            return problem(name, ErrorCode::NotFound,
                           say("found no input of this name or position among {0}, one of {1} expected",
                               m_program.inputs.size(), inputNames()));
        const auto [place, isNew] = m_batches[*batch].emplace(*input, Given{name, tensor});
        if (!isNew)
            return problem(name, ErrorCode::Format,
                           say("found the input twice, also as {0}; once expected", place->second.name));
        return {};
    }

    Result<std::vector<Batch>> finish()
    {
        std::vector<Batch> out;
        if (m_batches.empty())
            return Error{ErrorCode::NotFound, "found no arrays, at least batch 000 expected", m_place};
        for (const auto& [number, given] : m_batches) {
            if (number != out.size())
                return problem(given.begin()->second.name, ErrorCode::Format,
                               say("found batch {0} after {1} batches, batch {1} expected", number, out.size()));
            GB_ASSIGN(Batch batch, complete(number, given));
            out.push_back(std::move(batch));
        }
        return out;
    }

private:
    struct Given {
        std::string name;
        ir::Tensor tensor;
    };

    [[nodiscard]] Error problem(const std::string& array, ErrorCode code, const std::string& sentence) const
    {
        return {code, sentence, (m_place.empty() ? "" : m_place + ": ") + array};
    }

    [[nodiscard]] std::string inputNames() const
    {
        std::string out;
        for (const ModelInput& input : m_program.inputs)
            out += (out.empty() ? "" : ", ") + input.name;
        return out;
    }

    [[nodiscard]] std::optional<std::size_t> positionOf(const std::string& input) const
    {
        const auto& inputs = m_program.inputs;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (inputs[i].name == input || inputs[i].target == input)
                return i;
        const auto position = digits(input);
        return position && *position < inputs.size() ? position : std::nullopt;
    }

    Result<Batch> complete(std::size_t number, const std::map<std::size_t, Given>& given) const
    {
        Batch out;
        std::map<std::string, std::int64_t> symbols;
        for (std::size_t i = 0; i < m_program.inputs.size(); ++i) {
            const ModelInput& input = m_program.inputs[i];
            const auto found = given.find(i);
            const ir::TensorMeta* meta = input.meta.asTensor();
            if (found != given.end()) {
                GB_ASSIGN(Leaf value, checked(found->second, input, symbols));
                out.push_back(std::move(value));
            } else if (!meta && i < m_program.samples.size()) {
                out.push_back(m_program.samples[i]); // a number or None that the program was exported with
            } else if (!meta) {
                out.emplace_back();
            } else {
                return problem(arrayName(number, i), ErrorCode::NotFound,
                               say("found no array for input {0}, {1} expected", input.name, shapeText(*meta)));
            }
        }
        return out;
    }

    Result<Leaf> checked(const Given& given, const ModelInput& input,
                         std::map<std::string, std::int64_t>& symbols) const
    {
        const ir::TensorMeta* meta = input.meta.asTensor();
        if (!meta)
            return number(given, input);
        const std::string found = ir::describe(given.tensor);
        const std::string expected = shapeText(*meta);
        const auto wrong = [&] {
            return problem(given.name, ErrorCode::Shape,
                           say("found {0}, {1} expected for input {2}", found, expected, input.name));
        };
        // numpy has no bfloat16: such an input comes as float32, which holds it exactly
        const bool widened = meta->dtype == ir::DType::BFloat16 && given.tensor.dtype() == ir::DType::Float32;
        if ((given.tensor.dtype() != meta->dtype && !widened) || given.tensor.shape().size() != meta->shape.size())
            return wrong();
        for (std::size_t i = 0; i < meta->shape.size(); ++i) {
            const ir::Dim& dim = meta->shape[i];
            const std::int64_t size = given.tensor.shape()[i];
            const bool plainSymbol = !dim.symbol.empty() && dim.symbol.find_first_of(" +-*/(") == std::string::npos;
            if (dim.symbol.empty() ? size != dim.size
                                   : plainSymbol && symbols.emplace(dim.symbol, size).first->second != size)
                return wrong();
        }
        return Leaf(widened ? given.tensor.to(meta->dtype) : given.tensor);
    }

    /// An input that is a number (a symbolic int, or one that the program fixes): an array of one element.
    Result<Leaf> number(const Given& given, const ModelInput& input) const
    {
        if (given.tensor.elementCount() != 1)
            return problem(given.name, ErrorCode::Shape,
                           say("found {0}, one number expected for input {1}", ir::describe(given.tensor), input.name));
        if (given.tensor.dtype() == ir::DType::Bool)
            return Leaf(given.tensor.at(0) != 0);
        if (ir::isInteger(given.tensor.dtype()))
            return Leaf(*given.tensor.to(ir::DType::Int64).data<std::int64_t>());
        return Leaf(given.tensor.at(0));
    }

    const Program& m_program;
    std::string m_place;
    std::map<std::size_t, std::map<std::size_t, Given>> m_batches;
};

} // namespace

Result<std::vector<Batch>> batchesFrom(const NamedTensors& arrays, const Program& program, const std::string& place)
{
    Sorter sorter(program, place);
    for (const auto& [name, tensor] : arrays)
        GB_TRY(sorter.add(name, tensor));
    return sorter.finish();
}

Result<std::vector<Batch>> readBatches(const std::string& path, const Program& program)
{
    GB_ASSIGN(const NamedTensors arrays, readNpz(path));
    return batchesFrom(arrays, program, path);
}

Result<std::vector<Batch>> sampleBatches(const Program& program)
{
    if (program.samplesProblem)
        return *program.samplesProblem;
    if (program.samples.empty() && !program.inputs.empty())
        return Error{ErrorCode::NotFound, "no sample inputs in the file, some expected (or an .npz)", program.path};
    return std::vector<Batch>{program.samples};
}

} // namespace gb::io
