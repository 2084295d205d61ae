#include "figures/curve_plot.h"
#include "figures/error_view.h"
#include "figures/zoo_bar.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QtTest>

using namespace gb;
using views::CurvePlot;

namespace {

numbers::ErrorReport reportOf(double noise)
{
    numbers::ErrorReport report;
    numbers::OpError op;
    op.node = 4;
    op.name = "conv2d";
    op.target = "aten.conv2d.default";
    op.quantized = true;
    report.ops.push_back(op);
    report.output.signal = 100;
    report.output.noise = noise;
    report.rows = 10;
    report.agreed = noise > 1 ? 7 : 10;
    return report;
}

const ir::Argument* argumentOf(const ir::ObserverConstructor& observer, const char* name)
{
    for (const auto& [key, value] : observer.arguments)
        if (key == name)
            return &value;
    return nullptr;
}

} // namespace

class TestCurvePlot : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClickPicksAPlace()
    {
        CurvePlot plot;
        plot.resize(400, 200);
        plot.setCurves({{QStringLiteral("max"), {0, 1, 2, 3}, {1, 2, 2, 5}}}, QStringLiteral("batch"),
                       QStringLiteral("value"));
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setMarker(2);
        QCOMPARE(plot.marker(), 2.0);
        QSignalSpy picked(&plot, &CurvePlot::picked);
        QWidget* canvas = plot.findChild<QWidget*>();
        QVERIFY(canvas);
        QTest::mousePress(canvas, Qt::LeftButton, {}, QPoint(canvas->width() - 30, canvas->height() / 2));
        QTest::mousePress(canvas, Qt::LeftButton, {}, QPoint(canvas->width() / 2, canvas->height() / 2));
        QCOMPARE(picked.count(), 2);
        QVERIFY(picked[0][0].toDouble() > picked[1][0].toDouble()); // further right, later
    }

    void withoutCurvesNothingBreaks()
    {
        CurvePlot plot;
        plot.setCurves({}, {}, {});
        plot.setTheme(views::Theme::of(views::ThemeKind::Dark));
        QVERIFY(!plot.grab().isNull());
    }

    void theGainStandsBesideTheOldRun()
    {
        views::Selection selection;
        views::ErrorView view(&selection);
        const numbers::ErrorReport before = reportOf(10);
        view.setReport(before, nullptr);
        QCOMPARE(view.gain(), QStringLiteral("output 10 dB"));
        selection.selectNode(4);
        QSignalSpy changed(&view, &views::ErrorView::changesChanged);
        view.toggleFloat();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(view.changes()[0].site, std::string("conv2d"));
        view.setReport(reportOf(0), &before);
        QCOMPARE(view.gain(),
                 QStringLiteral("conv2d in float · output 10 dB → exact · rows as in float: 7 → 10 of 10"));
        view.toggleFloat(); // again: quantized as before
        QVERIFY(view.changes().empty());
        view.takeBack(); // nothing to take back
        QCOMPARE(changed.count(), 2);
    }

    void theBarTakesDTypeAndRangeOver()
    {
        views::ZooBar bar;
        bar.setObservers({{"MinMaxObserver", {{"dtype", ir::DType::UInt8}, {"quant_min", 0}, {"quant_max", 127}}}});
        const auto described = bar.described();
        QCOMPARE(described.name, std::string("MinMaxObserver"));
        QCOMPARE(*argumentOf(described, "dtype")->as<ir::DType>(), ir::DType::UInt8);
        QCOMPARE(*argumentOf(described, "quant_max")->as<std::int64_t>(), std::int64_t(127));
        QCOMPARE(*argumentOf(described, "qscheme")->as<std::string>(), std::string("per_tensor_affine"));
        QVERIFY(!argumentOf(described, "bins") && !argumentOf(described, "ch_axis"));
    }

    void eachClassHasItsOwnSettings()
    {
        views::ZooBar bar;
        auto* classes = bar.findChildren<QComboBox*>().front();
        classes->setCurrentText(QStringLiteral("HistogramObserver"));
        QVERIFY(argumentOf(bar.described(), "bins"));
        classes->setCurrentText(QStringLiteral("MovingAveragePerChannelMinMaxObserver"));
        const auto described = bar.described();
        QVERIFY(argumentOf(described, "ch_axis") && argumentOf(described, "averaging_constant"));
        QCOMPARE(*argumentOf(described, "qscheme")->as<std::string>(), std::string("per_channel_affine"));
    }
};

QTEST_MAIN(TestCurvePlot)
#include "tst_curve_plot.moc"
