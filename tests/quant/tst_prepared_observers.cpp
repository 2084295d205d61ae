// The observers of the recorded cases: made from the recorded specs they have the recorded settings.
#include "observer_cases.h"

#include <QDir>
#include <QtTest>

using namespace gb;

class TestPreparedObservers : public QObject {
    Q_OBJECT

private slots:
    void specsGiveTheRecordedSettings_data();
    void specsGiveTheRecordedSettings();
    void everyKindOfObserverWasSeen();

private:
    QSet<QString> m_seen;
};

namespace {

template <class T>
test::Json orNull(const std::optional<T>& value)
{
    return value ? test::Json(*value) : test::Json();
}

/// An observer row of a dump, as far as it hangs on the observer alone.
test::Json rowOf(const quant::Observer& observer)
{
    const quant::ObserverSettings& of = observer.settings();
    test::Json row;
    row["type"] = observer.typeName();
    if (observer.inner()) {
        row["observer"] = observer.inner()->typeName();
        row["observer_enabled"] = observer.observerEnabled();
        row["fake_quant_enabled"] = observer.fakeQuantEnabled();
    }
    row["dtype"] = of.dtypeName;
    if (of.hasQScheme)
        row["qscheme"] = of.qscheme ? test::Json(ir::name(*of.qscheme)) : test::Json();
    if (of.hasQuantRange) {
        row["quant_min"] = orNull(of.quantMin);
        row["quant_max"] = orNull(of.quantMax);
    }
    if (of.hasChAxis)
        row["ch_axis"] = orNull(of.chAxis);
    row["is_dynamic"] = orNull(of.isDynamic);
    if (of.averagingConstant)
        row["averaging_constant"] = *of.averagingConstant;
    if (of.bins)
        row["bins"] = *of.bins;
    if (of.eps)
        row["eps"] = *of.eps;
    return row;
}

std::optional<std::int64_t> optionalInteger(const test::Json& spec, const char* key)
{
    const test::Json value = spec.value(key, test::Json());
    return value.is_number() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

template <class Spec>
Spec commonSpec(const test::Json& spec)
{
    Spec out;
    out.dtype = *ir::dtypeFromName(spec["dtype"].get<std::string>());
    out.quantMin = optionalInteger(spec, "quant_min");
    out.quantMax = optionalInteger(spec, "quant_max");
    const test::Json scheme = spec.value("qscheme", test::Json());
    if (scheme.is_string())
        out.qscheme = ir::qschemeFromName(scheme.get<std::string>());
    out.isDynamic = spec.value("is_dynamic", false);
    return out;
}

base::Result<std::shared_ptr<quant::Observer>> observerOf(const test::Json& spec, bool isQat)
{
    if (spec["kind"] == "fixed") {
        auto fixed = commonSpec<ir::FixedQParamsQuantizationSpec>(spec);
        fixed.scale = spec["scale"].get<double>();
        fixed.zeroPoint = spec["zero_point"].get<std::int64_t>();
        return quant::makeObserver(fixed, isQat);
    }
    if (spec["kind"] == "derived") {
        auto derived = commonSpec<ir::DerivedQuantizationSpec>(spec);
        derived.derive = "bias";
        derived.chAxis = optionalInteger(spec, "ch_axis");
        return quant::makeObserver(derived, {});
    }
    auto plain = commonSpec<ir::QuantizationSpec>(spec);
    plain.chAxis = optionalInteger(spec, "ch_axis");
    plain.observer = test::constructorOf(spec["observer"], spec.value("observer_args", test::Json::object()));
    return quant::makeObserver(plain);
}

/// Every spec in the annotations of a stage, sub-graphs included.
void collectSpecs(const test::Json& value, std::vector<test::Json>& into)
{
    if (value.is_object() && value.contains("kind") && value["kind"] != "shared")
        into.push_back(value);
    if (value.is_structured())
        for (const auto& part : value)
            collectSpecs(part, into);
}

void collectRows(const test::Json& stage, std::vector<test::Json>& into)
{
    for (const auto& row : stage.value("observers", test::Json::object()))
        into.push_back(row);
    for (const auto& inner : stage.value("subgraphs", test::Json::object()))
        collectRows(inner, into);
}

} // namespace

void TestPreparedObservers::specsGiveTheRecordedSettings_data()
{
    QTest::addColumn<QString>("file");
    const QDir folder(QStringLiteral(GREENBOX_TEST_DATA "/cases"));
    const QStringList files = folder.entryList({QStringLiteral("*.dump.json")}, QDir::Files, QDir::Name);
    QVERIFY(files.size() >= 50);
    for (const QString& file : files)
        QTest::newRow(qPrintable(file)) << folder.filePath(file);
}

void TestPreparedObservers::specsGiveTheRecordedSettings()
{
    QFETCH(const QString, file);
    const test::Json dump = test::readJson(file.toStdString());
    QVERIFY(dump.is_object());
    std::vector<test::Json> specs;
    std::vector<test::Json> rows;
    collectSpecs(dump["stages"].value("annotated", test::Json()), specs);
    collectRows(dump["stages"].value("prepared", test::Json::object()), rows);
    std::vector<test::Json> possible;
    for (const test::Json& spec : specs)
        if (const auto observer = observerOf(spec, dump["mode"] == "qat"))
            possible.push_back(rowOf(**observer));
    for (test::Json row : rows) {
        for (const char* place : {"module", "observes", "users"})
            row.erase(place);
        // equal whatever the order of the keys
        const auto equal = [&](const test::Json& other) { return nlohmann::json(other) == nlohmann::json(row); };
        QVERIFY2(std::any_of(possible.begin(), possible.end(), equal), row.dump().c_str());
        m_seen.insert(QString::fromStdString(row["type"].get<std::string>()));
    }
}

void TestPreparedObservers::everyKindOfObserverWasSeen()
{
    for (const char* name :
         {"DerivedObserverOrFakeQuantize", "FixedQParamsObserver", "FusedMovingAvgObsFakeQuantize", "HistogramObserver",
          "MinMaxObserver", "MovingAverageMinMaxObserver", "PerChannelMinMaxObserver", "PlaceholderObserver"})
        QVERIFY2(m_seen.contains(QString::fromLatin1(name)), name);
}

QTEST_APPLESS_MAIN(TestPreparedObservers)
#include "tst_prepared_observers.moc"
