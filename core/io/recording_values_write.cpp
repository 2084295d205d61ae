#include "io/recording_values.h"

#include "io/spec_json.h"

#include <cmath>

namespace gb::io {
namespace {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};

Json one(const char* key, Json value)
{
    Json out = Json::object();
    out[key] = std::move(value);
    return out;
}

Json tensorJson(const ir::Tensor& tensor)
{
    Json out = Json::object();
    out["dtype"] = ir::name(tensor.dtype());
    out["shape"] = tensor.shape();
    out["values"] = elementsJson(tensor);
    return out;
}

Json dimsJson(const std::vector<ir::Dim>& dims)
{
    Json out = Json::array();
    for (const ir::Dim& dim : dims)
        out.push_back(dim.symbol.empty() ? Json(dim.size) : Json(dim.symbol));
    return out;
}

Json valJson(const ir::ValueMeta& val)
{
    switch (val.kind) {
    case ir::ValueMeta::Kind::Missing: return {};
    case ir::ValueMeta::Kind::Scalar: return one("scalar", val.scalar);
    case ir::ValueMeta::Kind::Several: {
        Json parts = Json::array();
        for (const ir::ValueMeta& part : val.parts)
            parts.push_back(valJson(part));
        return one("several", std::move(parts));
    }
    case ir::ValueMeta::Kind::Tensor: break;
    }
    Json type = Json::object();
    type["dtype"] = ir::name(val.tensor.dtype);
    type["shape"] = dimsJson(val.tensor.shape);
    if (!val.tensor.strides.empty())
        type["strides"] = dimsJson(val.tensor.strides);
    if (val.tensor.requiresGrad)
        type["requires_grad"] = true;
    return one("tensor", std::move(type));
}

Json metaJson(const ir::NodeMeta& meta)
{
    Json out = Json::object();
    if (meta.val.kind != ir::ValueMeta::Kind::Missing)
        out["val"] = valJson(meta.val);
    for (const ir::ModuleFrame& f : meta.nnModuleStack)
        out["nn_module_stack"].push_back(Json::array({f.key, f.path, f.type}));
    for (const ir::SourceFunction& f : meta.sourceFnStack)
        out["source_fn_stack"].push_back(Json::array({f.name, f.what}));
    if (meta.torchFn)
        out["torch_fn"] = Json::array({meta.torchFn->name, meta.torchFn->what});
    if (!meta.stackTrace.empty())
        out["stack_trace"] = meta.stackTrace;
    if (!meta.fromNodes.empty())
        out["from_node"] = meta.fromNodes;
    for (const auto& [key, text] : meta.other)
        out["other"].push_back(Json::array({key, text}));
    return out;
}

} // namespace

Json ValueWriter::argument(const ir::Argument& argument) const
{
    return std::visit(
        Overloaded{
            [](ir::None) { return Json(); },
            [](bool v) { return Json(v); },
            [](std::int64_t v) { return Json(v); },
            [](double v) { return std::isfinite(v) ? Json(v) : one("float", jsonNumber(v)); },
            [](const std::string& v) { return Json(v); },
            [](ir::DType v) { return one("dtype", ir::name(v)); },
            [](const ir::Opaque& v) { return one("opaque", v.text); },
            [](ir::NodeRef v) { return one("node", v.id); },
            [&](const ir::Sequence& v) { return v.tuple ? one("tuple", arguments(v.items)) : arguments(v.items); },
            [&](const ir::SliceArgument& v) { return one("slice", arguments(v.parts)); },
            [&](const ir::Mapping& v) { return one("dict", named(v.items)); },
        },
        argument.value);
}

Json ValueWriter::arguments(const std::vector<ir::Argument>& items) const
{
    Json out = Json::array();
    for (const ir::Argument& item : items)
        out.push_back(argument(item));
    return out;
}

Json ValueWriter::named(const std::vector<std::pair<std::string, ir::Argument>>& items) const
{
    Json out = Json::object();
    for (const auto& [key, value] : items)
        if (!out.contains(key))
            out[key] = argument(value);
    return out;
}

Json ValueWriter::meta(const ir::NodeMetaPtr& meta)
{
    const auto [known, isNew] = m_metas.try_emplace(meta.get(), m_metas.size());
    return isNew ? metaJson(*meta) : one("same", known->second);
}

Json ValueWriter::spec(const ir::Spec& spec)
{
    if (!spec)
        return {};
    const auto [known, isNew] = m_specs.try_emplace(spec.get(), m_specs.size());
    if (!isNew)
        return one("same", known->second);
    return specJson(
        spec, {[](ir::NodeId id) { return Json(id); }, [this](const ir::Argument& a) { return argument(a); }, true});
}

Json ValueWriter::annotation(const ir::Annotation& annotation)
{
    Json out = Json::object();
    out["inputs"] = Json::array();
    for (const auto& [from, edge] : annotation.inputs) {
        Json row = one("from", from);
        row["spec"] = spec(edge);
        out["inputs"].push_back(std::move(row));
    }
    out["output"] = spec(annotation.output);
    out["annotated"] = annotation.annotated;
    out["allow_implicit_sharing"] = annotation.allowImplicitSharing;
    if (!annotation.extra.empty())
        out["extra"] = named(annotation.extra);
    return out;
}

Json ValueWriter::observer(const trace::ObserverInfo& info) const
{
    Json out = Json::object();
    out["instance"] = info.instance;
    out["type"] = info.type;
    if (!info.inner.empty())
        out["inner"] = info.inner;
    out["observer_enabled"] = info.observerEnabled;
    out["fake_quant_enabled"] = info.fakeQuantEnabled;
    out.update(settingsJson(info.settings));
    return out;
}

Json ValueWriter::record(const trace::ObserverRecord& record) const
{
    const quant::ObserverState& s = record.state;
    Json state = Json::object();
    const auto put = [&state](const char* key, const ir::Tensor& tensor) { state[key] = tensorJson(tensor); };
    if (s.minVal)
        put("min_val", *s.minVal);
    if (s.maxVal)
        put("max_val", *s.maxVal);
    if (s.histogram)
        put("histogram", *s.histogram);
    if (s.qparams) {
        put("scale", s.qparams->scale);
        put("zero_point", s.qparams->zeroPoint);
    }
    if (s.used) {
        put("used_scale", s.used->scale);
        put("used_zero_point", s.used->zeroPoint);
    }
    if (!s.noQParams.empty())
        state["no_qparams"] = s.noQParams;
    state["batches"] = s.batches;
    Json out = Json::object();
    if (!record.graph.empty())
        out["graph"] = record.graph;
    out["target"] = record.target;
    out["state"] = std::move(state);
    return out;
}

} // namespace gb::io
