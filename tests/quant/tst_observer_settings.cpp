// Which attributes the modules of each class have: what a dump shows, and what it must leave out.
#include "values.h"

#include <QtTest>

using namespace gb;

class TestObserverSettings : public QObject {
    Q_OBJECT

private slots:
    void attributesOfEachClass_data();
    void attributesOfEachClass();
    void buffersOfEachClass_data();
    void buffersOfEachClass();
    void fakeQuantizeShowsItsObserver();
    void copiesKeepSettings();
};

namespace {

test::Arguments neededBy(const std::string& name)
{
    if (name == "FixedQParamsObserver")
        return {{"scale", 0.5}, {"zero_point", 3}};
    return {};
}

/// The names of the attributes that are there, in the order of a dump.
QString attributes(const quant::ObserverSettings& settings)
{
    QStringList names;
    const auto add = [&](bool there, const char* name) {
        if (there)
            names.append(QString::fromLatin1(name));
    };
    add(!settings.dtypeName.empty(), "dtype");
    add(settings.hasQScheme, "qscheme");
    add(settings.hasQuantRange, "range");
    add(settings.hasChAxis, "ch_axis");
    add(settings.isDynamic.has_value(), "is_dynamic");
    add(settings.averagingConstant.has_value(), "averaging_constant");
    add(settings.bins.has_value(), "bins");
    add(settings.eps.has_value(), "eps");
    return names.join(QLatin1Char(' '));
}

void addRow(const char* name, const char* wanted)
{
    QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(wanted);
}

} // namespace

void TestObserverSettings::attributesOfEachClass_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("wanted");
    addRow("MinMaxObserver", "dtype qscheme range is_dynamic eps");
    addRow("MovingAverageMinMaxObserver", "dtype qscheme range is_dynamic averaging_constant eps");
    addRow("PerChannelMinMaxObserver", "dtype qscheme range ch_axis is_dynamic eps");
    addRow("MovingAveragePerChannelMinMaxObserver", "dtype qscheme range ch_axis is_dynamic averaging_constant eps");
    addRow("HistogramObserver", "dtype qscheme range is_dynamic bins eps");
    addRow("FixedQParamsObserver", "dtype qscheme range is_dynamic");
    addRow("PlaceholderObserver", "dtype qscheme range is_dynamic eps");
    addRow("RecordingObserver", "dtype is_dynamic");
    addRow("NoopObserver", "dtype is_dynamic");
    addRow("ReuseInputObserver", "dtype is_dynamic");
}

void TestObserverSettings::attributesOfEachClass()
{
    QFETCH(const QString, name);
    QFETCH(const QString, wanted);
    const auto observer = test::made(name.toStdString(), neededBy(name.toStdString()));
    QVERIFY(observer);
    QCOMPARE(attributes(observer->settings()), wanted);
    QVERIFY(!observer->inner());
}

void TestObserverSettings::buffersOfEachClass_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("wanted");
    addRow("MinMaxObserver", "min max qparams");
    addRow("MovingAverageMinMaxObserver", "min max qparams");
    addRow("PerChannelMinMaxObserver", "min max qparams");
    addRow("MovingAveragePerChannelMinMaxObserver", "min max qparams");
    addRow("HistogramObserver", "min max histogram qparams");
    addRow("FixedQParamsObserver", "qparams");
    addRow("PlaceholderObserver", "none");
    addRow("FakeQuantize", "min max qparams used");
    addRow("FusedMovingAvgObsFakeQuantize", "min max qparams used");
}

void TestObserverSettings::buffersOfEachClass()
{
    QFETCH(const QString, name);
    QFETCH(const QString, wanted);
    const auto observer = test::made(name.toStdString(), neededBy(name.toStdString()));
    QVERIFY(observer);
    QVERIFY(observer->forward(test::floats({1, 2, 3, 4}, {2, 2})).ok());
    const quant::ObserverState state = observer->state();
    QStringList names;
    const auto add = [&](bool there, const char* buffer) {
        if (there)
            names.append(QString::fromLatin1(buffer));
    };
    add(state.minVal.has_value(), "min");
    add(state.maxVal.has_value(), "max");
    add(state.histogram.has_value(), "histogram");
    add(state.qparams.has_value(), "qparams");
    add(!state.noQParams.empty(), "none");
    add(state.used.has_value(), "used");
    QCOMPARE(names.join(QLatin1Char(' ')), wanted);
    QCOMPARE(state.batches, std::int64_t{1});
}

void TestObserverSettings::fakeQuantizeShowsItsObserver()
{
    const auto module = test::made("FakeQuantize", {{"observer", "HistogramObserver"}, {"bins", 7}});
    QCOMPARE(*module->settings().bins, std::int64_t{7});
    QCOMPARE(std::string(module->inner()->typeName()), std::string("HistogramObserver"));
    QVERIFY(module->observerEnabled() && module->fakeQuantEnabled());
    QVERIFY(module->state().histogram);
}

void TestObserverSettings::copiesKeepSettings()
{
    for (const std::string& name : quant::observerClasses()) {
        if (name == "FixedQParamsFakeQuantize")
            continue;
        const auto observer = test::made(name, neededBy(name));
        QVERIFY2(observer, name.c_str());
        const auto copy = observer->copy();
        QCOMPARE(std::string(copy->typeName()), name);
        QCOMPARE(attributes(copy->settings()), attributes(observer->settings()));
    }
}

QTEST_APPLESS_MAIN(TestObserverSettings)
#include "tst_observer_settings.moc"
