// The short and the spoken names of dtypes, observers and numbers.
#include "picture/label_text.h"

#include "base/message.h"

#include <QCoreApplication>

#include <array>

namespace gb::views {
namespace {

struct ObserverName {
    const char* className;
    const char* brief;
    const char* words;
};
constexpr std::array kObservers{
    ObserverName{"HistogramObserver", "Hist", QT_TRANSLATE_NOOP("gb::views::label", "histogram observer")},
    ObserverName{"MinMaxObserver", "MinMax", QT_TRANSLATE_NOOP("gb::views::label", "min/max observer")},
    ObserverName{"MovingAverageMinMaxObserver", "MovAvg",
                 QT_TRANSLATE_NOOP("gb::views::label", "moving average min/max observer")},
    ObserverName{"PerChannelMinMaxObserver", "PCMinMax",
                 QT_TRANSLATE_NOOP("gb::views::label", "per channel min/max observer")},
    ObserverName{"MovingAveragePerChannelMinMaxObserver", "PCMovAvg",
                 QT_TRANSLATE_NOOP("gb::views::label", "moving average per channel min/max observer")},
    ObserverName{"PlaceholderObserver", "Placeholder", QT_TRANSLATE_NOOP("gb::views::label", "placeholder observer")},
    ObserverName{"FixedQParamsObserver", "Fixed", QT_TRANSLATE_NOOP("gb::views::label", "fixed qparams observer")},
    ObserverName{"DerivedObserverOrFakeQuantize", "Derived", QT_TRANSLATE_NOOP("gb::views::label", "derived observer")},
    ObserverName{"FakeQuantize", "FQ", QT_TRANSLATE_NOOP("gb::views::label", "fake quantize")},
    ObserverName{"FusedMovingAvgObsFakeQuantize", "FusedFQ",
                 QT_TRANSLATE_NOOP("gb::views::label", "fused moving average fake quantize")},
    ObserverName{"FixedQParamsFakeQuantize", "FixedFQ",
                 QT_TRANSLATE_NOOP("gb::views::label", "fixed qparams fake quantize")},
};

const ObserverName* known(const std::string& className)
{
    for (const ObserverName& o : kObservers)
        if (className == o.className)
            return &o;
    return nullptr;
}

} // namespace

QString shortName(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::UInt8: return QStringLiteral("u8");
    case ir::DType::Int8: return QStringLiteral("i8");
    case ir::DType::Int16: return QStringLiteral("i16");
    case ir::DType::Int32: return QStringLiteral("i32");
    case ir::DType::Int64: return QStringLiteral("i64");
    case ir::DType::UInt16: return QStringLiteral("u16");
    case ir::DType::UInt32: return QStringLiteral("u32");
    case ir::DType::UInt64: return QStringLiteral("u64");
    case ir::DType::Float16: return QStringLiteral("f16");
    case ir::DType::Float32: return QStringLiteral("f32");
    case ir::DType::Float64: return QStringLiteral("f64");
    case ir::DType::BFloat16: return QStringLiteral("bf16");
    case ir::DType::Float8E4M3FN: return QStringLiteral("f8e4m3");
    case ir::DType::Float8E5M2: return QStringLiteral("f8e5m2");
    case ir::DType::Complex32: return QStringLiteral("c32");
    case ir::DType::Complex64: return QStringLiteral("c64");
    case ir::DType::Complex128: return QStringLiteral("c128");
    case ir::DType::Bool: return QStringLiteral("bool");
    }
    return QString::fromLatin1(ir::name(dtype));
}

QString shortObserver(const std::string& className)
{
    if (const ObserverName* o = known(className))
        return QString::fromLatin1(o->brief);
    QString name = QString::fromStdString(className);
    if (name.size() > 8 && name.endsWith(QStringLiteral("Observer")))
        name.chop(8);
    return name;
}

QString shortObserver(const ir::ObserverConstructor& observer)
{
    QString name = shortObserver(observer.name);
    for (const auto& [key, value] : observer.arguments) {
        const auto* nested = key == "observer" ? value.as<ir::Mapping>() : nullptr;
        if (!nested)
            continue;
        for (const auto& [inner, what] : nested->items)
            if (const auto* className = inner == "observer" ? what.as<std::string>() : nullptr)
                name += QStringLiteral("(%1)").arg(shortObserver(*className));
    }
    return name;
}

QString observerWords(const std::string& className)
{
    if (const ObserverName* o = known(className))
        return QCoreApplication::translate("gb::views::label", o->words);
    return QString::fromStdString(className);
}

QString displayNumber(double value)
{
    return QString::fromStdString(base::shortNumber(value)).replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace gb::views
