#include "inspector/python_spec.h"

#include "inspector/argument_text.h"

#include <QStringList>

#include <limits>

namespace gb::views {
namespace {

constexpr int kAll = std::numeric_limits<int>::max();

QString from(const std::string& text)
{
    return QString::fromStdString(text);
}

class Writer {
public:
    explicit Writer(const ir::Graph& graph)
        : m_graph(graph)
    {
    }

    QString operator()(const ir::QuantizationSpec& s) const
    {
        QStringList parts{dtype(s.dtype), QStringLiteral("observer_or_fake_quant_ctr=") + constructor(s.observer)};
        addRange(parts, s);
        addNumber(parts, "ch_axis", s.chAxis);
        addDynamic(parts, s.isDynamic);
        return call("QuantizationSpec", parts);
    }
    QString operator()(const ir::SharedQuantizationSpec& s) const
    {
        return call("SharedQuantizationSpec", {position(s.with)});
    }
    QString operator()(const ir::DerivedQuantizationSpec& s) const
    {
        QStringList positions;
        for (const ir::Position& p : s.from)
            positions << position(p);
        QStringList parts{
            QStringLiteral("derived_from=[%1]").arg(positions.join(QStringLiteral(", "))),
            QStringLiteral("derive_qparams_fn=derive_%1").arg(from(s.derive)),
            dtype(s.dtype),
        };
        addRange(parts, s);
        addNumber(parts, "ch_axis", s.chAxis);
        addDynamic(parts, s.isDynamic);
        return call("DerivedQuantizationSpec", parts);
    }
    QString operator()(const ir::FixedQParamsQuantizationSpec& s) const
    {
        QStringList parts{dtype(s.dtype), QStringLiteral("scale=") + argumentText(ir::Argument(s.scale), {}, kAll),
                          QStringLiteral("zero_point=%1").arg(s.zeroPoint)};
        addRange(parts, s);
        addDynamic(parts, s.isDynamic);
        return call("FixedQParamsQuantizationSpec", parts);
    }

private:
    static QString call(const char* name, const QStringList& parts)
    {
        return QString::fromLatin1(name) + QLatin1Char('(') + parts.join(QStringLiteral(", ")) + QLatin1Char(')');
    }
    static QString dtype(ir::DType dtype) { return QStringLiteral("dtype=torch.") + QLatin1String(ir::name(dtype)); }
    static void addNumber(QStringList& parts, const char* name, const std::optional<std::int64_t>& value)
    {
        if (value)
            parts << QStringLiteral("%1=%2").arg(QLatin1String(name)).arg(*value);
    }
    template <class S>
    static void addRange(QStringList& parts, const S& spec)
    {
        addNumber(parts, "quant_min", spec.quantMin);
        addNumber(parts, "quant_max", spec.quantMax);
        if (spec.qscheme)
            parts << QStringLiteral("qscheme=torch.") + QLatin1String(ir::name(*spec.qscheme));
    }
    static void addDynamic(QStringList& parts, bool isDynamic)
    {
        if (isDynamic)
            parts << QStringLiteral("is_dynamic=True");
    }

    [[nodiscard]] QString position(const ir::Position& p) const
    {
        const QString node = from(m_graph.nameOf(p.node));
        return p.isEdge() ? QStringLiteral("(%1, %2)").arg(node, from(m_graph.nameOf(p.consumer))) : node;
    }

    static QString constructor(const ir::ObserverConstructor& observer)
    {
        QStringList parts;
        for (const auto& [key, value] : observer.arguments)
            parts << from(key) + QLatin1Char('=') + argument(key, value);
        return from(observer.name) + QStringLiteral(".with_args(") + parts.join(QStringLiteral(", "))
               + QLatin1Char(')');
    }

    /// A nested constructor is {"observer": name, "args": {...}}; a qscheme is a name of torch's.
    static QString argument(const std::string& key, const ir::Argument& value)
    {
        const auto* map = value.as<ir::Mapping>();
        if (map && map->items.size() == 2 && map->items[0].first == "observer") {
            ir::ObserverConstructor inner;
            if (const auto* name = map->items[0].second.as<std::string>())
                inner.name = *name;
            if (const auto* arguments = map->items[1].second.as<ir::Mapping>())
                inner.arguments = arguments->items;
            return inner.arguments.empty() ? from(inner.name) : constructor(inner);
        }
        const auto* text = value.as<std::string>();
        return text && key == "qscheme" ? QStringLiteral("torch.") + from(*text) : argumentText(value, {}, kAll);
    }

    const ir::Graph& m_graph;
};

} // namespace

QString pythonSpec(const ir::Spec& spec, const ir::Graph& graph)
{
    return spec ? std::visit(Writer(graph), *spec) : QStringLiteral("None");
}

QString pythonAnnotation(const ir::Annotation& label, const ir::Graph& graph, const QString& node)
{
    QStringList lines{QStringLiteral("%1.meta[\"quantization_annotation\"] = QuantizationAnnotation(").arg(node),
                      QStringLiteral("    input_qspec_map={")};
    for (const auto& [upstream, spec] : label.inputs)
        lines << QStringLiteral("        %1: %2,").arg(from(graph.nameOf(upstream)), pythonSpec(spec, graph));
    lines << QStringLiteral("    },") << QStringLiteral("    output_qspec=%1,").arg(pythonSpec(label.output, graph));
    if (!label.allowImplicitSharing)
        lines << QStringLiteral("    allow_implicit_sharing=False,");
    lines
        << QStringLiteral("    _annotated=%1,").arg(label.annotated ? QStringLiteral("True") : QStringLiteral("False"))
        << QStringLiteral(")");
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace gb::views
