#include "picture/label_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace gb::views {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::label", text);
}

/// What the four kinds have in common.
struct Facts {
    ir::DType dtype = ir::DType::Int8;
    std::optional<std::int64_t> quantMin;
    std::optional<std::int64_t> quantMax;
    std::optional<ir::QScheme> qscheme;
    std::optional<std::int64_t> chAxis;
    bool isDynamic = false;
};

template <class S>
Facts factsOf(const S& s)
{
    Facts f{s.dtype, s.quantMin, s.quantMax, s.qscheme, std::nullopt, s.isDynamic};
    if constexpr (requires { s.chAxis; })
        f.chAxis = s.chAxis;
    return f;
}

QString whole(std::int64_t value)
{
    return QString::number(value).replace(QLatin1Char('-'), QChar(0x2212));
}

bool narrowed(const Facts& f)
{
    if (!f.quantMin && !f.quantMax)
        return false;
    if (!ir::isInteger(f.dtype))
        return true;
    return (f.quantMin && *f.quantMin != ir::integerMin(f.dtype))
           || (f.quantMax && *f.quantMax != ir::integerMax(f.dtype));
}

QString rangeText(const Facts& f)
{
    const auto side = [](const std::optional<std::int64_t>& v) { return v ? whole(*v) : QStringLiteral("…"); };
    return QStringLiteral("[%1,%2]").arg(side(f.quantMin), side(f.quantMax));
}

QString schemeText(const Facts& f, bool withGranularity)
{
    if (!f.qscheme)
        return {};
    QString out = ir::isSymmetric(*f.qscheme) ? QStringLiteral("sym") : QStringLiteral("aff");
    if (withGranularity) {
        out += QChar(0x00B7);
        out += ir::isPerChannel(*f.qscheme) ? QStringLiteral("C") + (f.chAxis ? whole(*f.chAxis) : QStringLiteral("?"))
                                            : QStringLiteral("T");
    }
    return out;
}

QString join(QStringList parts, const QString& separator)
{
    parts.removeAll(QString());
    return parts.join(separator);
}

QString factsText(const Facts& f, bool full)
{
    return join({shortName(f.dtype), schemeText(f, full), f.isDynamic ? QStringLiteral("dyn") : QString(),
                 full && narrowed(f) ? rangeText(f) : QString()},
                QStringLiteral(" "));
}

QString factsWords(const Facts& f)
{
    QStringList parts{QString::fromLatin1(ir::name(f.dtype))};
    if (f.qscheme) {
        parts << (ir::isSymmetric(*f.qscheme) ? tr("symmetric") : tr("affine"));
        if (!ir::isPerChannel(*f.qscheme))
            parts << tr("per tensor");
        else
            parts << (f.chAxis ? tr("per channel on axis %1").arg(*f.chAxis) : tr("per channel"));
    }
    if (f.isDynamic)
        parts << tr("dynamic");
    if (narrowed(f))
        parts << tr("values %1 to %2")
                     .arg(f.quantMin ? whole(*f.quantMin) : QStringLiteral("…"),
                          f.quantMax ? whole(*f.quantMax) : QStringLiteral("…"));
    return parts.join(QStringLiteral(", "));
}

/// 1/256 where the scale is an exact power of two, else 4 digits.
QString scaleText(double scale)
{
    if (scale > 0 && scale < 1) {
        const double inverse = 1.0 / scale;
        int exponent = 0;
        if (std::frexp(scale, &exponent) == 0.5 && inverse <= 1048576)
            return QStringLiteral("1/%1").arg(static_cast<long long>(inverse));
    }
    return displayNumber(scale);
}

QString nodeName(const LabelContext& context, ir::NodeId id)
{
    QString name = context.nameOf ? context.nameOf(id) : QString();
    return name.isEmpty() ? QStringLiteral("#%1").arg(id) : name;
}

QString positionText(const LabelContext& context, const ir::Position& p)
{
    if (!p.isEdge())
        return nodeName(context, p.node);
    return nodeName(context, p.node) + QChar(0x2192) + nodeName(context, p.consumer);
}

QString positionWords(const LabelContext& context, const ir::Position& p)
{
    return p.isEdge() ? tr("edge %1 to %2").arg(nodeName(context, p.node), nodeName(context, p.consumer))
                      : tr("output of %1").arg(nodeName(context, p.node));
}

/// The spec that a shared one leads to; null for a loop, a hole or None at its end.
ir::Spec rootOf(const ir::Spec& spec, const LabelContext& context)
{
    ir::Spec at = spec;
    for (int steps = 0; at && steps < 1000; ++steps) {
        const auto* shared = ir::as<ir::SharedQuantizationSpec>(at);
        if (!shared)
            return at;
        at = context.specAt ? context.specAt(shared->with) : nullptr;
    }
    return nullptr;
}

std::optional<Facts> anyFacts(const ir::Spec& spec)
{
    if (const auto* q = ir::as<ir::QuantizationSpec>(spec))
        return factsOf(*q);
    if (const auto* f = ir::as<ir::FixedQParamsQuantizationSpec>(spec))
        return factsOf(*f);
    if (const auto* d = ir::as<ir::DerivedQuantizationSpec>(spec))
        return factsOf(*d);
    return std::nullopt;
}

void add(LabelText& label, Glyph glyph, const QString& full, const QString& brief)
{
    label.full.push_back({glyph, {}});
    label.full.push_back({Glyph::None, full});
    label.brief.push_back({glyph, {}});
    label.brief.push_back({Glyph::None, brief});
}

void addGroup(LabelText& label, const GroupInfo& group)
{
    if (group.number < 0 || group.size < 2)
        return;
    const QString number = QString::number(group.number);
    add(label, group.isExplicit ? Glyph::Chain : Glyph::ChainDashed, number, number);
    const int others = group.size - 1;
    const QString words = group.isExplicit ? tr("shared group %1 with %2").arg(number)
                                           : tr("implicitly shared group %1 with %2").arg(number);
    label.words += QStringLiteral(", ") + words.arg(others == 1 ? tr("1 other") : tr("%1 others").arg(others));
}

LabelText quantizationLabel(const ir::QuantizationSpec& spec)
{
    const Facts f = factsOf(spec);
    LabelText label{LabelKind::Quantization, {}, {}, shortName(f.dtype), factsWords(f)};
    label.full.push_back({Glyph::None, join({factsText(f, true), shortObserver(spec.observer)}, QStringLiteral(" "))});
    label.brief.push_back({Glyph::None, factsText(f, false)});
    if (!spec.observer.name.empty())
        label.words += QStringLiteral(", ") + observerWords(spec.observer.name);
    return label;
}

LabelText sharedLabel(const ir::SharedQuantizationSpec& spec, const ir::Spec& self, const LabelContext& context)
{
    LabelText label{LabelKind::Shared, {}, {}, {}, {}};
    const auto facts = anyFacts(rootOf(self, context));
    if (facts) {
        label.full.push_back({Glyph::None, factsText(*facts, true)});
        label.brief.push_back({Glyph::None, factsText(*facts, false)});
        label.words = factsWords(*facts) + QStringLiteral(", ");
        label.chip = shortName(facts->dtype);
    }
    const QString with = positionText(context, spec.with);
    const QString number = context.group.number >= 0 ? QString::number(context.group.number) : QString();
    add(label, Glyph::Chain, join({number, QStringLiteral("=") + with}, QStringLiteral(" ")),
        number.isEmpty() ? with : number);
    label.words += tr("takes the observer of %1").arg(positionWords(context, spec.with));
    if (context.group.number >= 0) {
        const int others = context.group.size - 1;
        label.words +=
            QStringLiteral(", ")
            + tr("shared group %1 with %2").arg(number, others == 1 ? tr("1 other") : tr("%1 others").arg(others));
    }
    return label;
}

LabelText fixedLabel(const ir::FixedQParamsQuantizationSpec& spec)
{
    const Facts f = factsOf(spec);
    LabelText label{LabelKind::Fixed, {}, {}, shortName(f.dtype), {}};
    label.full.push_back({Glyph::None, factsText(f, true)});
    label.brief.push_back({Glyph::None, factsText(f, false)});
    const QString given = QStringLiteral("s=%1 z=%2").arg(scaleText(spec.scale), whole(spec.zeroPoint));
    add(label, Glyph::Lock, given, QString());
    label.brief.pop_back();
    label.words = factsWords(f) + QStringLiteral(", ")
                  + tr("fixed scale %1, zero point %2").arg(scaleText(spec.scale), whole(spec.zeroPoint));
    return label;
}

LabelText derivedLabel(const ir::DerivedQuantizationSpec& spec, const LabelContext& context)
{
    const Facts f = factsOf(spec);
    LabelText label{LabelKind::Derived, {}, {}, shortName(f.dtype), factsWords(f)};
    QStringList from;
    QStringList words;
    for (const ir::Position& p : spec.from) {
        from << nodeName(context, p.node);
        words << positionWords(context, p);
    }
    const QString function = QStringLiteral("ƒ(%1)").arg(from.join(QLatin1Char(',')));
    label.full.push_back({Glyph::None, factsText(f, true) + QLatin1Char(' ') + function});
    label.brief.push_back({Glyph::None, factsText(f, false) + QStringLiteral(" ƒ")});
    label.words += QStringLiteral(", ") + tr("derived from %1").arg(words.join(tr(" and ")));
    return label;
}

} // namespace

QString plainText(const Runs& runs)
{
    QString out;
    for (const Run& run : runs) {
        const bool afterGlyph = !out.isEmpty() && &run != runs.data() && (&run - 1)->glyph != Glyph::None;
        if (!out.isEmpty() && !afterGlyph && !out.endsWith(QLatin1Char(' ')))
            out += QLatin1Char(' ');
        switch (run.glyph) {
        case Glyph::Chain: out += QChar(0x26D3); break;
        case Glyph::ChainDashed: out += QStringLiteral("(⛓)"); break;
        case Glyph::Lock: out += QStringLiteral("🔒 "); break;
        case Glyph::Gauge: out += QStringLiteral("◔ "); break;
        case Glyph::Bar: out += QStringLiteral("⊘ "); break;
        case Glyph::None: out += run.text; break;
        }
    }
    return out.trimmed();
}

LabelText labelText(const ir::Spec& spec, const LabelContext& context)
{
    if (!spec) {
        return {LabelKind::None,
                {{Glyph::None, QStringLiteral("None")}},
                {{Glyph::None, QStringLiteral("None")}},
                {},
                tr("annotated as not quantized (None)")};
    }
    if (const auto* s = ir::as<ir::SharedQuantizationSpec>(spec))
        return sharedLabel(*s, spec, context);
    LabelText label;
    if (const auto* q = ir::as<ir::QuantizationSpec>(spec))
        label = quantizationLabel(*q);
    else if (const auto* f = ir::as<ir::FixedQParamsQuantizationSpec>(spec))
        label = fixedLabel(*f);
    else if (const auto* d = ir::as<ir::DerivedQuantizationSpec>(spec))
        label = derivedLabel(*d, context);
    addGroup(label, context.group);
    return label;
}

LabelText absentLabel()
{
    return {LabelKind::Absent,
            {{Glyph::None, QStringLiteral("—")}},
            {{Glyph::None, QStringLiteral("—")}},
            {},
            tr("no label")};
}

LabelText notRecordedLabel()
{
    return {LabelKind::NotRecorded,
            {{Glyph::None, QStringLiteral("?")}},
            {{Glyph::None, QStringLiteral("?")}},
            {},
            tr("not recorded")};
}

} // namespace gb::views
