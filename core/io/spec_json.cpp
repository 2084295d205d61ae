#include "io/spec_json.h"

namespace gb::io {
namespace {

template <class T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

Json schemeJson(const std::optional<ir::QScheme>& scheme)
{
    return scheme ? Json(ir::name(*scheme)) : Json();
}

/// Writes one kind of spec after another into an object.
class Writer {
public:
    explicit Writer(const SpecWords& words)
        : m_words(words)
    {
    }

    Json operator()(const ir::QuantizationSpec& s) const
    {
        Json out = {{"kind", "quantization"}};
        out["dtype"] = ir::name(s.dtype);
        out["quant_min"] = orNull(s.quantMin);
        out["quant_max"] = orNull(s.quantMax);
        out["qscheme"] = schemeJson(s.qscheme);
        out["ch_axis"] = orNull(s.chAxis);
        out["is_dynamic"] = s.isDynamic;
        out["observer"] = s.observer.name;
        Json arguments = Json::object();
        for (const auto& [key, value] : s.observer.arguments)
            arguments[key] = m_words.argument(value);
        out["observer_args"] = std::move(arguments);
        return out;
    }
    Json operator()(const ir::SharedQuantizationSpec& s) const
    {
        Json out = {{"kind", "shared"}};
        out["with"] = positionJson(s.with, m_words);
        return out;
    }
    Json operator()(const ir::DerivedQuantizationSpec& s) const
    {
        Json out = {{"kind", "derived"}};
        Json from = Json::array();
        for (const ir::Position& p : s.from)
            from.push_back(positionJson(p, m_words));
        out["from"] = std::move(from);
        if (m_words.complete)
            out["derive"] = s.derive;
        out["dtype"] = ir::name(s.dtype);
        out["quant_min"] = orNull(s.quantMin);
        out["quant_max"] = orNull(s.quantMax);
        out["qscheme"] = schemeJson(s.qscheme);
        out["ch_axis"] = orNull(s.chAxis);
        if (m_words.complete)
            out["is_dynamic"] = s.isDynamic;
        return out;
    }
    Json operator()(const ir::FixedQParamsQuantizationSpec& s) const
    {
        Json out = {{"kind", "fixed"}};
        out["dtype"] = ir::name(s.dtype);
        out["scale"] = jsonNumber(s.scale);
        out["zero_point"] = s.zeroPoint;
        out["quant_min"] = orNull(s.quantMin);
        out["quant_max"] = orNull(s.quantMax);
        out["qscheme"] = schemeJson(s.qscheme);
        if (m_words.complete)
            out["is_dynamic"] = s.isDynamic;
        return out;
    }

private:
    const SpecWords& m_words;
};

} // namespace

Json positionJson(const ir::Position& position, const SpecWords& words)
{
    Json out = Json::object();
    if (position.isEdge())
        out["edge"] = Json::array({words.node(position.node), words.node(position.consumer)});
    else
        out["node"] = words.node(position.node);
    return out;
}

Json specJson(const ir::Spec& spec, const SpecWords& words)
{
    return spec ? std::visit(Writer(words), *spec) : Json();
}

Json settingsJson(const quant::ObserverSettings& s)
{
    Json out = Json::object();
    if (!s.dtypeName.empty() || s.dtype)
        out["dtype"] = s.dtypeName.empty() ? ir::name(*s.dtype) : s.dtypeName;
    if (s.hasQScheme)
        out["qscheme"] = schemeJson(s.qscheme);
    if (s.hasQuantRange) {
        out["quant_min"] = orNull(s.quantMin);
        out["quant_max"] = orNull(s.quantMax);
    }
    if (s.hasChAxis)
        out["ch_axis"] = orNull(s.chAxis);
    if (s.isDynamic)
        out["is_dynamic"] = *s.isDynamic;
    if (s.averagingConstant)
        out["averaging_constant"] = jsonNumber(*s.averagingConstant);
    if (s.bins)
        out["bins"] = *s.bins;
    if (s.eps)
        out["eps"] = jsonNumber(*s.eps);
    return out;
}

Json elementsJson(const ir::Tensor& tensor)
{
    const ir::Tensor rows = tensor.contiguous();
    Json out = Json::array();
    const bool plain = ir::dispatch(rows.dtype(), [&]<class T>() {
        const T* values = rows.data<T>();
        for (std::int64_t i = 0; i < rows.elementCount(); ++i) {
            if constexpr (std::is_floating_point_v<T>)
                out.push_back(jsonNumber(static_cast<double>(values[i])));
            else
                out.push_back(values[i]);
        }
    });
    if (!plain)
        for (const double value : rows.toDoubles())
            out.push_back(jsonNumber(value));
    return out;
}

} // namespace gb::io
