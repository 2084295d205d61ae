#include "numbers/zoo.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <cmath>

using namespace gb;
using numbers::ZooAnimal;

namespace {

/// As tests/golden/zoo_figures.py makes it.
std::vector<ir::Tensor> batches()
{
    std::vector<ir::Tensor> out;
    for (int b = 0; b < 3; ++b) {
        std::vector<float> values;
        for (int i = 0; i < 1536; ++i)
            values.push_back(static_cast<float>(std::sin(0.37 * i + b) * (1 + b) * (i % 97 == 0 ? 40 : 1)));
        out.push_back(ir::Tensor::fromVector(values, {4, 6, 64}));
    }
    return out;
}

QJsonArray golden()
{
    QFile file(QStringLiteral(GREENBOX_TEST_DATA "/numbers/zoo.json"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).array() : QJsonArray();
}

ir::ObserverConstructor observerFrom(const QJsonObject& row)
{
    ir::ObserverConstructor out{row[QStringLiteral("observer")].toString().toStdString(),
                                {{"dtype", ir::DType::Int8}, {"quant_min", -128}, {"quant_max", 127}}};
    const QJsonObject args = row[QStringLiteral("args")].toObject();
    for (const QString& key : args.keys()) {
        const QJsonValue value = args[key];
        if (value.isString())
            out.arguments.emplace_back(key.toStdString(), value.toString().toStdString());
        else if (key == QStringLiteral("averaging_constant"))
            out.arguments.emplace_back(key.toStdString(), value.toDouble());
        else
            out.arguments.emplace_back(key.toStdString(), value.toInt());
    }
    return out;
}

} // namespace

class TestZoo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyObserverHasTorchsFigures()
    {
        std::vector<ir::ObserverConstructor> observers;
        for (const QJsonValue& row : golden())
            observers.push_back(observerFrom(row.toObject()));
        QVERIFY(observers.size() > 5);
        const auto animals = numbers::runZoo(observers, batches());
        QVERIFY(animals.ok());
        for (std::size_t i = 0; i < animals->size(); ++i) {
            const ZooAnimal& animal = (*animals)[i];
            const QJsonObject expected = golden()[static_cast<int>(i)].toObject();
            const QString what = QString::fromStdString(animal.observer.name) + QLatin1Char(' ') + QString::number(i);
            QVERIFY2(animal.error.empty() && animal.gap, qPrintable(what));
            const QJsonArray scale = expected[QStringLiteral("scale")].toArray();
            QCOMPARE(animal.state.qparams->scale.elementCount(), static_cast<std::int64_t>(scale.size()));
            for (int c = 0; c < scale.size(); ++c)
                QVERIFY2(std::fabs(animal.state.qparams->scale.at(c) - scale[c].toDouble())
                             < 1e-9 * scale[c].toDouble(),
                         qPrintable(what));
            QVERIFY2(std::fabs(*animal.gap->sqnr() - expected[QStringLiteral("sqnr")].toDouble()) < 1e-6,
                     qPrintable(what));
            QVERIFY2(std::fabs(*animal.clipped - expected[QStringLiteral("clipped")].toDouble()) < 1e-12,
                     qPrintable(what));
            if (expected[QStringLiteral("levels")].isDouble())
                QVERIFY2(*animal.levelsUsed == expected[QStringLiteral("levels")].toInt(), qPrintable(what));
        }
    }

    void observersHaveShortNames()
    {
        using numbers::shortName;
        QCOMPARE(shortName({"MinMaxObserver", {{"qscheme", "per_tensor_symmetric"}}}).text(),
                 std::string("MinMaxObserver, symmetric"));
        QCOMPARE(shortName({"HistogramObserver", {{"qscheme", "torch.per_tensor_affine"}}}).text(),
                 std::string("HistogramObserver, affine"));
        QCOMPARE(shortName({"HistogramObserver", {{"bins", 64}}}).text(), std::string("HistogramObserver"));
        QVERIFY(!numbers::schemeOf({"MinMaxObserver", {{"qscheme", "no_such"}}}));
    }

    /// What torchao refuses stands in its column; the others are there.
    void aRefusalIsAResult()
    {
        const std::vector<ir::ObserverConstructor> observers{{"MinMaxObserver", {{"no_such_keyword", 1}}},
                                                             {"MinMaxObserver", {{"dtype", ir::DType::Int8}}}};
        const auto animals = numbers::runZoo(observers, batches());
        QVERIFY(animals.ok());
        QVERIFY((*animals)[0].error.starts_with("TypeError: "));
        QVERIFY((*animals)[1].gap.has_value());
    }

    void anUnknownObserverIsAnError()
    {
        const auto animals = numbers::runZoo({{"NoSuchObserver", {}}}, batches());
        QCOMPARE(animals.error().code, base::ErrorCode::Usage);
    }

    void cellsThatDifferAreMarked()
    {
        const auto animals =
            numbers::runZoo(numbers::usualObservers(ir::DType::Int8, -128, 127, std::nullopt), batches());
        QVERIFY(animals.ok());
        const numbers::Sheet sheet = numbers::zooSheet(*animals);
        QCOMPARE(sheet.columns.size(), animals->size() + 2);
        for (const auto& row : sheet.rows) {
            const std::string name = numbers::cellText(row.cells.front());
            const bool differ = std::get<bool>(row.cells.back());
            if (name == "dtype" || name == "quant_min" || name == "error")
                QVERIFY2(!differ, name.c_str());
            if (name == "scale" || name == "sqnr_db" || name == "qscheme")
                QVERIFY2(differ, name.c_str());
        }
    }

    void aStopIsHeard()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto animals = numbers::runZoo(numbers::usualObservers(ir::DType::Int8, -128, 127, std::nullopt),
                                             batches(), {stop.get_token()});
        QCOMPARE(animals.error().code, base::ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestZoo)
#include "tst_zoo.moc"
