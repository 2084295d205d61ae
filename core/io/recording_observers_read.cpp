// Reads observers, their states and tensors of a recording.
#include "io/recording_values.h"

#include "base/message.h"

#include <limits>

namespace gb::io {
namespace {

using base::Result;
using base::say;
using base::Status;

template <class T>
Status fill(const std::vector<JsonCursor>& items, T* to)
{
    for (const JsonCursor& item : items) {
        if constexpr (std::is_floating_point_v<T>) {
            GB_ASSIGN(const double value, item.number());
            *to++ = static_cast<T>(value);
        } else if constexpr (std::is_same_v<T, bool>) {
            GB_ASSIGN(*to++, item.boolean());
        } else {
            constexpr auto kLow = static_cast<std::int64_t>(std::numeric_limits<T>::min());
            constexpr auto kHigh = sizeof(T) < 8 ? static_cast<std::int64_t>(std::numeric_limits<T>::max())
                                                 : std::numeric_limits<std::int64_t>::max();
            GB_ASSIGN(const std::int64_t value, item.integer(kLow, kHigh));
            *to++ = static_cast<T>(value);
        }
    }
    return {};
}

Result<std::optional<ir::Tensor>> readTensor(const JsonCursor& object, const char* key)
{
    const auto at = object.find(key);
    if (!at)
        return std::optional<ir::Tensor>();
    GB_ASSIGN(const ir::DType dtype, ValueReader::dtype(*at));
    GB_ASSIGN(const ir::Shape shape, ValueReader::shape(*at));
    GB_ASSIGN(const JsonCursor values, at->get("values"));
    GB_ASSIGN(const auto items, values.items());
    const auto count = ir::checkedElementCount(shape);
    if (!count)
        return at->error(count.error().sentence);
    if (static_cast<std::int64_t>(items.size()) != *count)
        return values.error(say("{0} values, {1} expected for shape {2}", items.size(), *count, ir::toText(shape)));
    ir::Tensor out = ir::Tensor::empty(dtype, shape);
    Status filled;
    if (!ir::dispatch(dtype, [&]<class T>() { filled = fill(items, out.mutableData<T>()); })) {
        // float16 and the like: by way of float64, which holds each of them
        ir::Tensor wide = ir::Tensor::empty(ir::DType::Float64, shape);
        filled = fill(items, wide.mutableData<double>());
        out = wide.to(dtype);
    }
    GB_TRY(filled);
    return std::optional(std::move(out));
}

Result<std::optional<quant::QParams>> readQParams(const JsonCursor& state, const char* scaleKey, const char* zeroKey)
{
    GB_ASSIGN(auto scale, readTensor(state, scaleKey));
    GB_ASSIGN(auto zeroPoint, readTensor(state, zeroKey));
    if (scale.has_value() != zeroPoint.has_value())
        return state.error(say("only one of {0} and {1}, both or none expected", scaleKey, zeroKey));
    if (!scale)
        return std::optional<quant::QParams>();
    return std::optional(quant::QParams{std::move(*scale), std::move(*zeroPoint)});
}

Result<quant::ObserverSettings> readSettings(const JsonCursor& at)
{
    quant::ObserverSettings out;
    const Json& json = at.json();
    if (json.contains("dtype")) {
        GB_ASSIGN(out.dtypeName, at.text("dtype"));
        out.dtype = ir::dtypeFromName(out.dtypeName);
    }
    out.hasQScheme = json.contains("qscheme");
    GB_ASSIGN(out.qscheme, ValueReader::qscheme(at));
    out.hasQuantRange = json.contains("quant_min");
    GB_ASSIGN(out.quantMin, ValueReader::integerOrNull(at, "quant_min"));
    GB_ASSIGN(out.quantMax, ValueReader::integerOrNull(at, "quant_max"));
    out.hasChAxis = json.contains("ch_axis");
    GB_ASSIGN(out.chAxis, ValueReader::integerOrNull(at, "ch_axis"));
    if (json.contains("is_dynamic")) {
        GB_ASSIGN(out.isDynamic, at.boolean("is_dynamic"));
    }
    if (const auto constant = at.find("averaging_constant")) {
        GB_ASSIGN(out.averagingConstant, constant->number());
    }
    GB_ASSIGN(out.bins, ValueReader::integerOrNull(at, "bins"));
    if (const auto eps = at.find("eps")) {
        GB_ASSIGN(out.eps, eps->number());
    }
    return out;
}

} // namespace

Result<std::shared_ptr<const trace::ObserverInfo>> ValueReader::observer(const JsonCursor& at) const
{
    auto out = std::make_shared<trace::ObserverInfo>();
    GB_ASSIGN(out->instance, at.integer("instance"));
    GB_ASSIGN(out->type, at.text("type"));
    if (const auto inner = at.find("inner")) {
        GB_ASSIGN(out->inner, inner->text());
    }
    GB_ASSIGN(out->observerEnabled, at.boolean("observer_enabled"));
    GB_ASSIGN(out->fakeQuantEnabled, at.boolean("fake_quant_enabled"));
    GB_ASSIGN(out->settings, readSettings(at));
    return std::shared_ptr<const trace::ObserverInfo>(std::move(out));
}

Result<std::shared_ptr<const trace::ObserverRecord>> ValueReader::record(const JsonCursor& at) const
{
    auto out = std::make_shared<trace::ObserverRecord>();
    if (const auto graph = at.find("graph")) {
        GB_ASSIGN(out->graph, graph->text());
    }
    GB_ASSIGN(out->target, at.text("target"));
    GB_ASSIGN(const JsonCursor state, at.get("state"));
    GB_ASSIGN(out->state.minVal, readTensor(state, "min_val"));
    GB_ASSIGN(out->state.maxVal, readTensor(state, "max_val"));
    GB_ASSIGN(out->state.histogram, readTensor(state, "histogram"));
    GB_ASSIGN(out->state.qparams, readQParams(state, "scale", "zero_point"));
    GB_ASSIGN(out->state.used, readQParams(state, "used_scale", "used_zero_point"));
    if (const auto none = state.find("no_qparams")) {
        GB_ASSIGN(out->state.noQParams, none->text());
    }
    GB_ASSIGN(out->state.batches, state.integer("batches"));
    return std::shared_ptr<const trace::ObserverRecord>(std::move(out));
}

} // namespace gb::io
