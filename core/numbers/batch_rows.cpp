#include "numbers/batch_rows.h"

#include "engine/outputs.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gb::numbers {
namespace {

using base::Error;
using base::ErrorCode;
using base::message;
using base::say;
using ir::Tensor;

struct Summary {
    std::optional<double> min; ///< of the finite values
    double max = 0;
    double sum = 0;
    std::int64_t finite = 0;
    std::int64_t others = 0; ///< NaN and infinities
};

Summary summaryOf(const Tensor& tensor)
{
    Summary out;
    for (const double x : tensor.toDoubles()) {
        if (!std::isfinite(x)) {
            ++out.others;
            continue;
        }
        out.max = out.min ? std::max(out.max, x) : x;
        out.min = out.min ? std::min(*out.min, x) : x;
        out.sum += x;
        ++out.finite;
    }
    return out;
}

std::string shapeText(const ir::Shape& shape)
{
    std::string out = "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        out += (i ? ", " : "") + std::to_string(shape[i]);
    return out + "]";
}

bool same(const engine::Batch& a, const engine::Batch& b)
{
    return engine::difference(engine::namedOutputs("input", a), engine::namedOutputs("input", b)).equal;
}

void addNotes(Sheet& sheet, const BatchList& list, std::int64_t unused)
{
    for (std::size_t i = 0; i < list.batches.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (same(list.batches[i], list.batches[j])) {
                sheet.notes.push_back(message("batches {0} and {1} are the same", j, i));
                break;
            }
    if (unused > 0)
        sheet.notes.push_back(message("{0} of {1} batches are not used", unused, list.batches.size()));
}

void addValueNotes(Sheet& sheet, std::size_t batch, const std::string& input, const Summary& summary)
{
    if (summary.others > 0)
        sheet.notes.push_back(message("batch {0}, {1}: {2} values are NaN or infinite", batch, input, summary.others));
    if (summary.finite > 1 && summary.min && *summary.min == summary.max)
        sheet.notes.push_back(message("batch {0}, {1}: every value is {2}", batch, input, summary.max));
}

} // namespace

Sheet batchSheet(const BatchList& list)
{
    Sheet sheet;
    sheet.what = "data";
    sheet.columns = {{"batch", message("batch")}, {"input", message("input")},    {"shape", message("shape")},
                     {"dtype", message("dtype")}, {"min", message("min")},        {"max", message("max")},
                     {"mean", message("mean")},   {"used", message("times used")}};
    std::int64_t unused = 0;
    for (std::size_t b = 0; b < list.batches.size(); ++b) {
        const auto position = static_cast<std::int64_t>(b);
        const std::int64_t used = list.chosen ? std::ranges::count(*list.chosen, position) : 1;
        unused += used == 0 ? 1 : 0;
        for (std::size_t i = 0; i < list.batches[b].size(); ++i) {
            const Tensor* tensor = list.batches[b][i].tensor();
            if (!tensor)
                continue;
            const std::string name = i < list.inputs.size() ? list.inputs[i] : std::to_string(i);
            const Summary summary = summaryOf(*tensor);
            sheet.rows.push_back(
                {{position, name, shapeText(tensor->shape()), std::string(ir::name(tensor->dtype())),
                  summary.min ? Cell(*summary.min) : Cell(), summary.min ? Cell(summary.max) : Cell(),
                  summary.finite ? Cell(summary.sum / static_cast<double>(summary.finite)) : Cell(), used}});
            addValueNotes(sheet, b, name, summary);
        }
    }
    addNotes(sheet, list, unused);
    return sheet;
}

base::Result<std::optional<std::vector<std::int64_t>>> positionsFrom(const std::string& text, std::int64_t count)
{
    using Positions = std::optional<std::vector<std::int64_t>>;
    if (text.empty())
        return Positions();
    std::vector<std::int64_t> out;
    if (text == "none")
        return Positions(std::move(out));
    std::string_view rest = text;
    while (true) {
        std::string_view piece = rest.substr(0, rest.find(','));
        const bool last = piece.size() == rest.size();
        rest.remove_prefix(last ? rest.size() : piece.size() + 1);
        while (piece.starts_with(' '))
            piece.remove_prefix(1);
        while (piece.ends_with(' '))
            piece.remove_suffix(1);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), value);
        if (error != std::errc() || end != piece.data() + piece.size() || value < 0)
            return Error{
                ErrorCode::Usage, say("found \"{0}\", positions of batches (0,2,...) or none expected", text), {}};
        if (value >= count)
            return Error{
                ErrorCode::Usage, say("batch {0} to calibrate on found, less than {1} expected", value, count), {}};
        out.push_back(value);
        if (last)
            return Positions(std::move(out));
    }
}

} // namespace gb::numbers
