// Reads specs and annotations of a recording.
#include "io/recording_values.h"

#include "base/message.h"

namespace gb::io {
namespace {

using base::Result;
using base::say;
using base::Status;

Result<ir::Position> readPosition(const JsonCursor& at)
{
    ir::Position out;
    GB_ASSIGN(const auto one, at.only());
    const auto& [key, value] = one;
    if (key == "node") {
        GB_ASSIGN(out.node, ValueReader::node(value));
        return out;
    }
    GB_ASSIGN(const auto ends, value.items());
    if (key != "edge" || ends.size() != 2)
        return at.unexpected("{\"node\": number} or {\"edge\": [number, number]}");
    GB_ASSIGN(out.node, ValueReader::node(ends[0]));
    GB_ASSIGN(out.consumer, ValueReader::node(ends[1]));
    return out;
}

/// What three kinds of spec have in common.
template <class S>
Status readRange(const JsonCursor& at, S& out)
{
    GB_ASSIGN(out.dtype, ValueReader::dtype(at));
    GB_ASSIGN(out.quantMin, ValueReader::integerOrNull(at, "quant_min"));
    GB_ASSIGN(out.quantMax, ValueReader::integerOrNull(at, "quant_max"));
    GB_ASSIGN(out.qscheme, ValueReader::qscheme(at));
    GB_ASSIGN(out.isDynamic, at.boolean("is_dynamic"));
    return {};
}

Result<ir::AnySpec> readSpec(const JsonCursor& at, const ValueReader& values)
{
    GB_ASSIGN(const JsonCursor kind, at.get("kind"));
    GB_ASSIGN(const std::string name, kind.text());
    if (name == "quantization") {
        ir::QuantizationSpec out;
        GB_TRY(readRange(at, out));
        GB_ASSIGN(out.chAxis, ValueReader::integerOrNull(at, "ch_axis"));
        GB_ASSIGN(out.observer.name, at.text("observer"));
        GB_ASSIGN(const JsonCursor arguments, at.get("observer_args"));
        GB_ASSIGN(out.observer.arguments, values.named(arguments));
        return ir::AnySpec(std::move(out));
    }
    if (name == "shared") {
        ir::SharedQuantizationSpec out;
        GB_ASSIGN(const JsonCursor with, at.get("with"));
        GB_ASSIGN(out.with, readPosition(with));
        return ir::AnySpec(out);
    }
    if (name == "derived") {
        ir::DerivedQuantizationSpec out;
        GB_TRY(readRange(at, out));
        GB_ASSIGN(out.chAxis, ValueReader::integerOrNull(at, "ch_axis"));
        GB_ASSIGN(out.derive, at.text("derive"));
        GB_ASSIGN(const JsonCursor from, at.get("from"));
        GB_ASSIGN(const auto positions, from.items());
        for (const JsonCursor& p : positions) {
            GB_ASSIGN(const ir::Position position, readPosition(p));
            out.from.push_back(position);
        }
        return ir::AnySpec(std::move(out));
    }
    if (name != "fixed")
        return kind.unexpected("quantization, shared, derived or fixed");
    ir::FixedQParamsQuantizationSpec out;
    GB_TRY(readRange(at, out));
    GB_ASSIGN(const JsonCursor scale, at.get("scale"));
    GB_ASSIGN(out.scale, scale.number());
    GB_ASSIGN(out.zeroPoint, at.integer("zero_point"));
    return ir::AnySpec(out);
}

} // namespace

Result<ir::Spec> ValueReader::spec(const JsonCursor& at)
{
    if (at.isNull())
        return ir::Spec();
    if (at.json().is_object() && at.json().contains("same")) {
        GB_ASSIGN(const JsonCursor same, at.get("same"));
        GB_ASSIGN(const std::int64_t n, same.integer());
        if (n < 0 || n >= static_cast<std::int64_t>(m_specs.size()))
            return same.error(say("refers to spec {0}, but there are {1} so far", n, m_specs.size()));
        return m_specs[static_cast<std::size_t>(n)];
    }
    GB_ASSIGN(ir::AnySpec made, readSpec(at, *this));
    m_specs.push_back(std::make_shared<const ir::AnySpec>(std::move(made)));
    return m_specs.back();
}

Result<ir::AnnotationPtr> ValueReader::annotation(const JsonCursor& at)
{
    auto out = std::make_shared<ir::Annotation>();
    GB_ASSIGN(const JsonCursor inputs, at.get("inputs"));
    GB_ASSIGN(const auto rows, inputs.items());
    for (const JsonCursor& row : rows) {
        GB_ASSIGN(const JsonCursor from, row.get("from"));
        GB_ASSIGN(const ir::NodeId id, node(from));
        GB_ASSIGN(const JsonCursor edge, row.get("spec"));
        GB_ASSIGN(ir::Spec value, spec(edge));
        out->inputs.emplace_back(id, std::move(value));
    }
    GB_ASSIGN(const JsonCursor output, at.get("output"));
    GB_ASSIGN(out->output, spec(output));
    GB_ASSIGN(out->annotated, at.boolean("annotated"));
    GB_ASSIGN(out->allowImplicitSharing, at.boolean("allow_implicit_sharing"));
    if (const auto extra = at.find("extra")) {
        GB_ASSIGN(out->extra, named(*extra));
    }
    return ir::AnnotationPtr(std::move(out));
}

} // namespace gb::io
