#include "inspector/argument_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace gb::views {
namespace {

constexpr int kDeepest = 16;

QString doubleText(double value)
{
    if (std::isnan(value))
        return QStringLiteral("nan");
    if (std::isinf(value))
        return value < 0 ? QStringLiteral("-inf") : QStringLiteral("inf");
    const QString text = QString::number(value, 'g', QLocale::FloatingPointShortest);
    const bool whole = !text.contains(QLatin1Char('.')) && !text.contains(QLatin1Char('e'));
    return whole ? text + QStringLiteral(".0") : text; // as Python: 2.0, not 2
}

QString quoted(const std::string& text)
{
    QString out = QString::fromStdString(text);
    out.replace(QLatin1Char('\\'), QStringLiteral("\\\\")).replace(QLatin1Char('\''), QStringLiteral("\\'"));
    return QLatin1Char('\'') + out.replace(QLatin1Char('\n'), QStringLiteral("\\n")) + QLatin1Char('\'');
}

class Writer {
public:
    Writer(const NodeNamer& nameOf, int most)
        : m_nameOf(nameOf)
        , m_most(most)
    {
    }

    QString operator()(ir::None) const { return QStringLiteral("None"); }
    QString operator()(bool v) const { return v ? QStringLiteral("True") : QStringLiteral("False"); }
    QString operator()(std::int64_t v) const { return QString::number(v); }
    QString operator()(double v) const { return doubleText(v); }
    QString operator()(const std::string& v) const { return quoted(v); }
    QString operator()(ir::DType v) const { return QStringLiteral("torch.") + QString::fromLatin1(ir::name(v)); }
    QString operator()(const ir::Opaque& v) const { return QString::fromStdString(v.text); }
    QString operator()(const ir::NodeRef& v) const
    {
        return m_nameOf ? m_nameOf(v.id) : QStringLiteral("#%1").arg(v.id);
    }
    QString operator()(const ir::Sequence& v) const
    {
        const QString inside = joined(v.items);
        if (!v.tuple)
            return QLatin1Char('[') + inside + QLatin1Char(']');
        return QLatin1Char('(') + inside + (v.items.size() == 1 ? QStringLiteral(",)") : QStringLiteral(")"));
    }
    QString operator()(const ir::SliceArgument& v) const { return QStringLiteral("slice(%1)").arg(joined(v.parts)); }
    QString operator()(const ir::Mapping& v) const
    {
        QStringList parts;
        for (const auto& [key, value] : v.items)
            parts << quoted(key) + QStringLiteral(": ") + write(value);
        return QLatin1Char('{') + parts.join(QStringLiteral(", ")) + QLatin1Char('}');
    }

    [[nodiscard]] QString write(const ir::Argument& argument) const
    {
        if (m_depth >= kDeepest)
            return QString(QChar(0x2026));
        ++m_depth;
        const QString text = std::visit(*this, argument.value);
        --m_depth;
        return text;
    }

private:
    [[nodiscard]] QString joined(const std::vector<ir::Argument>& items) const
    {
        QStringList parts;
        for (const ir::Argument& item : items) {
            if (parts.size() == m_most) {
                parts << QCoreApplication::translate("gb::views::Arguments", "… %1 more")
                             .arg(static_cast<qint64>(items.size()) - m_most);
                break;
            }
            parts << write(item);
        }
        return parts.join(QStringLiteral(", "));
    }

    const NodeNamer& m_nameOf;
    int m_most;
    mutable int m_depth = 0;
};

} // namespace

QString argumentText(const ir::Argument& argument, const NodeNamer& nameOf, int most)
{
    return Writer(nameOf, most).write(argument);
}

QString shapeText(const std::vector<ir::Dim>& shape)
{
    QStringList parts;
    for (const ir::Dim& dim : shape)
        parts << (dim.symbol.empty() ? QString::number(dim.size) : QString::fromStdString(dim.symbol));
    return QLatin1Char('[') + parts.join(QStringLiteral(", ")) + QLatin1Char(']');
}

QString valueText(const ir::ValueMeta& value)
{
    switch (value.kind) {
    case ir::ValueMeta::Kind::Tensor:
        return QString::fromLatin1(ir::name(value.tensor.dtype)) + QLatin1Char(' ') + shapeText(value.tensor.shape);
    case ir::ValueMeta::Kind::Scalar: return QString::fromStdString(value.scalar);
    case ir::ValueMeta::Kind::Several: {
        QStringList parts;
        for (const ir::ValueMeta& part : value.parts)
            parts << valueText(part);
        return QLatin1Char('(') + parts.join(QStringLiteral(", ")) + QLatin1Char(')');
    }
    case ir::ValueMeta::Kind::Missing: break;
    }
    return QString(QChar(0x2014));
}

} // namespace gb::views
