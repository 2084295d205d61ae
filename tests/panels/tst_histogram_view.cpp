#include "observer_case.h"
#include "plots/histogram_view.h"
#include "plots/qcp.h"

#include <QSignalSpy>
#include <QTest>

using namespace gb;
using namespace gb::views;

namespace {

void showCase(HistogramView& view, std::size_t index)
{
    const test::ObserverCase c = test::observerCases().at(index);
    view.setObserver(c.type, c.settings, c.state);
}

/// Three channels.
void showChannels(HistogramView& view)
{
    quant::ObserverSettings s;
    s.dtype = ir::DType::Int8;
    s.dtypeName = "int8";
    s.qscheme = ir::QScheme::PerChannelSymmetric;
    s.quantMin = -127;
    s.quantMax = 127;
    s.eps = 1e-7;
    quant::ObserverState state;
    state.minVal = ir::Tensor::fromVector(std::vector<float>{-1, -2, -8});
    state.maxVal = ir::Tensor::fromVector(std::vector<float>{1, 2, 3});
    state.qparams = quant::QParams{ir::Tensor::fromVector(std::vector<float>{1.0F / 127, 2.0F / 127, 8.0F / 127}),
                                   ir::Tensor::fromVector(std::vector<std::int64_t>{0, 0, 0})};
    view.setObserver("PerChannelMinMaxObserver", s, state);
}

/// The share of pixels that are not of the most frequent colour.
double painted(QWidget& widget)
{
    const QImage image = widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
    QHash<QRgb, int> counts;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            ++counts[image.pixel(x, y)];
    const int most = *std::max_element(counts.begin(), counts.end());
    return 1.0 - static_cast<double>(most) / (image.width() * image.height());
}

} // namespace

class HistogramViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsEverythingAtFirst()
    {
        HistogramView view;
        view.resize(500, 300);
        showCase(view, 63);
        QVERIFY(view.message().isEmpty());
        const ValueRange shown = view.xRange();
        QVERIFY(shown.min <= view.facts().observed->min && shown.max >= view.facts().observed->max);
        QVERIFY(shown.min <= view.facts().representable->min && shown.max >= view.facts().representable->max);
        QVERIFY(painted(view) > 0.05);
    }

    void theTallestBarReachesItsCount()
    {
        // the axis ends 12 % above the largest count, on both scales: so high must the bars be painted
        for (const CountScale scale : {CountScale::Log, CountScale::Linear}) {
            HistogramView view;
            view.resize(700, 420);
            showCase(view, 63);
            view.setCountScale(scale);
            const QImage image = view.grab().toImage();
            const QColor colour = Theme::of(ThemeKind::Light).ink(Ink::HistogramBar);
            int tallest = 0; // the longest run of the bars' colour in one column of pixels
            for (int x = 0; x < image.width(); ++x)
                for (int y = 0, run = 0; y < image.height(); ++y) {
                    run = image.pixelColor(x, y) == colour ? run + 1 : 0;
                    tallest = std::max(tallest, run);
                }
            const auto* plot = view.findChild<QCustomPlot*>();
            QVERIFY(plot);
            const double share = static_cast<double>(tallest) / plot->axisRect(0)->height();
            QVERIFY2(share > 0.84 && share < 0.94, qPrintable(QString::number(share))); // 1 / 1.12
        }
    }

    void readsOutBinAndLevel()
    {
        HistogramView view;
        showCase(view, 63);
        const QString text = view.readout(0.01);
        QVERIFY2(text.startsWith(QStringLiteral("bin 1165: ")), qPrintable(text)); // (0.01 + 11.6065) / 20.4143 * 2048
        QVERIFY2(text.contains(QStringLiteral("q 17 → 0 · error −0.01")), qPrintable(text));
        QVERIFY(view.readout(100).startsWith(QStringLiteral("value 100")));
        QVERIFY(view.readout(100).contains(QStringLiteral("q 127")));
    }

    void keysZoomPanAndReset()
    {
        HistogramView view;
        showCase(view, 63);
        QSignalSpy changed(&view, &HistogramView::xRangeChanged);
        const ValueRange whole = view.xRange();
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.xRange().width() < whole.width());
        const ValueRange zoomed = view.xRange();
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(view.xRange().min > zoomed.min);
        QTest::keyClick(&view, Qt::Key_0);
        QCOMPARE(view.xRange(), whole);
        QCOMPARE(changed.count(), 3);
        view.setXRange({0, 1}); // by the program: no signal
        QCOMPARE(changed.count(), 3);
    }

    void withoutDataASentenceStandsInItsPlace()
    {
        HistogramView view;
        view.resize(400, 200);
        view.setObserver("HistogramObserver", {}, {});
        QVERIFY(view.message().contains(QStringLiteral("No data")));
        quant::ObserverSettings dynamic;
        dynamic.isDynamic = true;
        view.setObserver("PlaceholderObserver", dynamic, {});
        QVERIFY(view.message().contains(QStringLiteral("choose_qparams")));
        view.setMessage(QStringLiteral("nothing here"));
        QCOMPARE(view.accessibleDescription(), QStringLiteral("nothing here"));
        QVERIFY(painted(view) > 0);
    }

    void channelsAreChosenByKey()
    {
        HistogramView view;
        view.resize(400, 240);
        showChannels(view);
        QCOMPARE(view.facts().channel, 0);
        QSignalSpy changed(&view, &HistogramView::channelChanged);
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Down); // there are three
        QCOMPARE(changed.count(), 2);
        QCOMPARE(view.facts().channel, 2);
        QCOMPARE(view.facts().observed->min, -8.0);
        QVERIFY(view.xRange().min < -8 && view.xRange().max > 3);
    }

    void everyScaleThemeAndCasePaints()
    {
        HistogramView view;
        view.resize(420, 240);
        const auto cases = test::observerCases();
        for (std::size_t i = 0; i < cases.size(); i += 23) { // with infinities, constants, empty input and huge values
            view.setObserver(cases[i].type, cases[i].settings, cases[i].state);
            for (const CountScale scale : {CountScale::Log, CountScale::SquareRoot, CountScale::Linear}) {
                view.setCountScale(scale);
                QVERIFY(!view.grab().isNull());
            }
            view.setTheme(Theme::of(kThemeKinds[i % kThemeKinds.size()]));
        }
    }
};

QTEST_MAIN(HistogramViewTest)
#include "tst_histogram_view.moc"
