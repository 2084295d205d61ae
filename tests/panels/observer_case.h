// The observer cases of tests/data: what torchao's observer held, as the states that a recording would hold.
#pragma once

#include "quant/observer.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <limits>

namespace gb::test {

struct ObserverCase {
    std::string type;
    quant::ObserverSettings settings;
    quant::ObserverState state;
    bool raises = false; ///< torchao raised where qparams were asked for
};

inline std::vector<double> numbers(const QJsonValue& value)
{
    std::vector<double> out;
    for (const QJsonValue& v : value.toArray()) {
        if (!v.isString())
            out.push_back(v.toDouble());
        else if (v.toString() == QLatin1String("nan"))
            out.push_back(std::numeric_limits<double>::quiet_NaN());
        else
            out.push_back((v.toString().startsWith(QLatin1Char('-')) ? -1 : 1)
                          * std::numeric_limits<double>::infinity());
    }
    return out;
}

inline std::optional<ir::Tensor> floats(const QJsonValue& value)
{
    if (!value.isArray())
        return std::nullopt;
    std::vector<float> out;
    for (const double v : numbers(value))
        out.push_back(static_cast<float>(v));
    return ir::Tensor::fromVector(out);
}

inline ObserverCase caseFrom(const QJsonObject& row)
{
    ObserverCase c;
    const QJsonObject args = row[QLatin1String("args")].toObject();
    c.type = row[QLatin1String("observer")].toString().toStdString();
    c.settings.dtypeName = args[QLatin1String("dtype")].toString().toStdString();
    c.settings.dtype = ir::dtypeFromName(c.settings.dtypeName);
    c.settings.qscheme = ir::qschemeFromName(args[QLatin1String("qscheme")].toString().toStdString());
    c.settings.quantMin = args[QLatin1String("quant_min")].toInt();
    c.settings.quantMax = args[QLatin1String("quant_max")].toInt();
    c.settings.eps = args.contains(QLatin1String("eps")) ? args[QLatin1String("eps")].toDouble()
                                                         : static_cast<double>(std::numeric_limits<float>::epsilon());
    if (c.type == "HistogramObserver")
        c.settings.bins = args[QLatin1String("bins")].toInt(2048);
    c.state.minVal = floats(row[QLatin1String("min_val")]);
    c.state.maxVal = floats(row[QLatin1String("max_val")]);
    c.state.histogram = floats(row[QLatin1String("histogram")]);
    c.raises = row.contains(QLatin1String("error"));
    if (c.raises) {
        c.state.noQParams = row[QLatin1String("error")].toString().toStdString();
        return c;
    }
    // every zero point of torch's integers is one of float64; those of float qparams are float32 anyway
    c.state.qparams = quant::QParams{*floats(row[QLatin1String("scale")]),
                                     ir::Tensor::fromVector(numbers(row[QLatin1String("zero_point")]))};
    return c;
}

inline std::vector<ObserverCase> observerCases()
{
    QFile file(QStringLiteral(GREENBOX_TEST_DATA "/observers/observers.json"));
    std::vector<ObserverCase> out;
    if (!file.open(QIODevice::ReadOnly))
        return out;
    for (const QJsonValue& row : QJsonDocument::fromJson(file.readAll()).array())
        out.push_back(caseFrom(row.toObject()));
    return out;
}

} // namespace gb::test
