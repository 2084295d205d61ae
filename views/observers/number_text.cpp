#include "observers/number_text.h"

#include "base/message.h"
#include "picture/label_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace gb::views {

QString shortText(const std::optional<double>& value)
{
    return value ? displayNumber(*value) : QString(QChar(0x2014));
}

QString fullText(double value)
{
    if (std::isnan(value))
        return QStringLiteral("nan");
    if (std::isinf(value))
        return value < 0 ? QStringLiteral("-inf") : QStringLiteral("inf");
    std::array<char, 64> buffer{};
    const auto narrow = static_cast<float>(value);
    const auto end = static_cast<double>(narrow) == value
                         ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), narrow)
                         : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return QString::fromLatin1(buffer.data(), static_cast<qsizetype>(end.ptr - buffer.data()));
}

QString percentText(double share)
{
    const double percent = share * 100;
    if (percent == 0)
        return QStringLiteral("0 %");
    if (percent < 1e-4)
        return QStringLiteral("< 0.0001 %");
    return QString::number(percent, 'g', percent < 10 ? 2 : 3) + QStringLiteral(" %");
}

QString operandText(double value)
{
    const QString text = displayNumber(value);
    return value < 0 ? QLatin1Char('(') + text + QLatin1Char(')') : text;
}

QString countText(double count)
{
    if (count == std::floor(count) && std::abs(count) < 1e15)
        return QString::fromStdString(base::grouped(static_cast<long long>(count)));
    return displayNumber(count);
}

} // namespace gb::views
