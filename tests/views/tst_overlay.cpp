#include "picture/overlay.h"

#include "picture/scene.h"
#include "sample_run.h"
#include "theme/perceptual.h"
#include "theme/theme.h"

#include <QTest>

#include <cmath>

using namespace gb;
using namespace gb::views;

class OverlayTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_run = test::makeSampleRun(); }

    void scalesStandAtTheHelpersAndTheirOp()
    {
        const auto overlay = of(OverlayKind::Scale, "converted");
        QCOMPARE(overlay->values.at(m_run.xQuantize), 0.05);
        QCOMPARE(overlay->values.at(m_run.x), 0.05);
        QVERIFY(!overlay->values.contains(m_run.cat));
        // of a scale a channel the largest
        QVERIFY(overlay->values.at(m_run.weightDequantize) > 1.8);
    }

    void bitsFollowTheRangeOfTheIntegers()
    {
        const auto prepared = of(OverlayKind::Bits, "prepared");
        QCOMPARE(prepared->values.at(m_run.xObserver), 8.0);
        QVERIFY(std::abs(prepared->values.at(m_run.weightObserver) - std::log2(255)) < 1e-12);
        QCOMPARE(prepared->text(8), QStringLiteral("8 bit"));
    }

    void rangesNeedABatch()
    {
        QVERIFY(of(OverlayKind::Range, "prepared")->values.empty());
        const auto calibrated = of(OverlayKind::Range, "calibrated");
        QVERIFY(calibrated->values.at(m_run.xObserver) > 3.9);
    }

    void noneIsNull() { QVERIFY(!of(OverlayKind::None, "prepared")); }

    void positionsRunAlongTheBar()
    {
        Overlay o;
        o.values = {{1, 1.0}, {2, 100.0}};
        o.measure();
        QCOMPARE(o.position(1), 0.0);
        QCOMPARE(o.position(50.5), 0.5);
        o.logarithmic = true;
        o.measure();
        QVERIFY(std::abs(o.position(10) - 0.5) < 1e-12);
        o.values[3] = -1;
        o.measure();
        QVERIFY(!o.logarithmic);
        Overlay one;
        one.values = {{1, 5.0}};
        one.measure();
        QCOMPARE(one.position(5), 0.5);
    }

    void csvGivesOwnNumbersWithTheirUnit()
    {
        const auto read = csv("node,latency (ms)\r\nconv2d,1.5\r\nrelu, 0.25\r\nno_such,3\r\n");
        QVERIFY(read.ok());
        QCOMPARE(read->overlay.title, QStringLiteral("latency"));
        QCOMPARE(read->overlay.values.at(m_run.conv), 1.5);
        QCOMPARE(read->overlay.text(1.5), QStringLiteral("1.5 ms"));
        QCOMPARE(read->unknown, std::vector<std::string>{"no_such"});
    }

    void csvWithoutAHeadIsRead() { QCOMPARE(csv("conv2d,2\n")->overlay.values.size(), std::size_t(1)); }

    void brokenLinesAreNamed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("word");
        QTest::newRow("no number") << QByteArray("a,b\nconv2d,fast\n") << QStringLiteral("line 2");
        QTest::newRow("no comma") << QByteArray("conv2d\n") << QStringLiteral("line 1");
        QTest::newRow("infinite") << QByteArray("a,b\nconv2d,inf\n") << QStringLiteral("line 2");
        QTest::newRow("twice") << QByteArray("conv2d,1\nconv2d,2\n") << QStringLiteral("twice");
        QTest::newRow("nobody") << QByteArray("zz,1\n") << QStringLiteral("no line names");
        QTest::newRow("empty") << QByteArray() << QStringLiteral("no line names");
    }
    void brokenLinesAreNamed()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, word);
        const auto read = csv(text.toStdString());
        QVERIFY(!read.ok());
        QVERIFY2(QString::fromStdString(read.error().text()).contains(word), read.error().text().c_str());
    }

    void timesAreOfNodesThatWereRunAndAMeanOfTheBatches()
    {
        const trace::MomentPtr exported = test::momentAt(m_run.recording, "exported");
        QVERIFY(!of(OverlayKind::Time, "exported")->absent.isEmpty()); // a recording has none
        const engine::NodeTimes times{{m_run.conv, {6.0, 3}}, {m_run.relu, {0.5, 1}}, {m_run.xObserver, {9.0, 1}}};
        const OverlayPtr overlay = makeOverlay(OverlayKind::Time, exported->top(), &times);
        QVERIFY(overlay->absent.isEmpty());
        QCOMPARE(overlay->values, (std::map<ir::NodeId, double>{{m_run.conv, 2.0}, {m_run.relu, 0.5}}));
        QCOMPARE(overlay->high, 2.0);
        ContentOptions options;
        options.overlay = overlay;
        const auto scene = makeScene(m_run.recording).value();
        const auto p = makePicture(*scene, *exported, m_run.recording->stageEvent("exported"), options);
        QCOMPARE(p->find(m_run.conv)->overlayText, QStringLiteral("2 ms"));
        QVERIFY(!p->find(m_run.cat)->overlay.has_value());
    }

    void aPictureShowsItBesideTheRole()
    {
        const auto scene = makeScene(m_run.recording).value();
        ContentOptions options;
        options.overlay = of(OverlayKind::Bits, "prepared");
        const auto p = makePicture(*scene, *test::momentAt(m_run.recording, "prepared"),
                                   m_run.recording->stageEvent("prepared"), options);
        QVERIFY(p->find(m_run.xObserver)->overlay.has_value());
        QCOMPARE(p->find(m_run.xObserver)->role, NodeRole::Observer);
        QCOMPARE(p->find(m_run.xObserver)->overlayText, QStringLiteral("8 bit"));
        QVERIFY(p->find(m_run.xObserver)->accessible.endsWith(QStringLiteral("bits: 8 bit")));
        QVERIFY(!p->find(m_run.cat)->overlay.has_value());
    }

    void theBarGetsSteadilyLighter()
    {
        double before = -1;
        for (int i = 0; i <= 20; ++i) {
            const QColor c = perceptual(i / 20.0);
            const double now = contrast(c, QColor(Qt::black));
            QVERIFY(now > before);
            before = now;
        }
        QCOMPARE(perceptual(-1), perceptual(0));
        QCOMPARE(perceptual(2), perceptual(1));
    }

private:
    OverlayPtr of(OverlayKind kind, const char* stage)
    {
        return makeOverlay(kind, test::momentAt(m_run.recording, stage)->top());
    }
    base::Result<CsvOverlay> csv(const std::string& text)
    {
        return readOverlay(text, "own.csv", *test::momentAt(m_run.recording, "exported")->top().graph);
    }

    test::SampleRun m_run;
};

QTEST_MAIN(OverlayTest)
#include "tst_overlay.moc"
