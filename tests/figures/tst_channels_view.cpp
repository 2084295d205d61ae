#include "../numbers/case_run.h"

#include "figures/channels_view.h"

#include <QComboBox>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

using namespace gb;
using views::ChannelStrip;
using views::ChannelsView;
using views::StripUnit;

namespace {

/// Two channels, the second ten times as wide; counted where `counted`.
numbers::ChannelsFigure twoChannels(bool counted)
{
    numbers::ChannelsFigure figure;
    figure.channels.rows = {{0, -1, 1, 0.01, 0, false, 1}, {1, -10, 10, 0.1, 0, true, 10}};
    figure.channels.medianScale = 0.01;
    if (counted)
        figure.counts = {2, 4, -10, 10, {0, 5, 5, 0, 1, 0, 0, 9}};
    return figure;
}

} // namespace

class TestChannelsView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(m_material);
    }

    void countsAreShades()
    {
        ChannelStrip strip;
        strip.setFigure(twoChannels(true), StripUnit::Value);
        QCOMPARE(strip.shade(0, 0), 0.0); // nothing is there
        QCOMPARE(strip.shade(0, 1), 1.0); // the most of its channel
        QVERIFY(strip.shade(1, 0) > 0.18 && strip.shade(1, 0) < strip.shade(1, 3));
        strip.setOrder({1, 0}); // upside down
        QCOMPARE(strip.shade(0, 3), 1.0);
        QCOMPARE(strip.shade(1, 0), 0.0);
        strip.setOrder({0}); // a filter hides a row: the strip keeps all
        QCOMPARE(strip.order(), (QVector<int>{1, 0}));
    }

    void aChannelIsPickedByMouseAndKey()
    {
        ChannelStrip strip;
        strip.resize(300, 220);
        strip.setFigure(twoChannels(true), StripUnit::Value);
        strip.show();
        QVERIFY(QTest::qWaitForWindowExposed(&strip));
        QSignalSpy picked(&strip, &ChannelStrip::picked);
        QWidget* canvas = strip.findChild<QWidget*>();
        QTest::mousePress(canvas, Qt::LeftButton, {}, QPoint(canvas->width() / 2, canvas->height() * 6 / 10));
        QCOMPARE(strip.pinned(), 1);
        QTest::keyClick(&strip, Qt::Key_Up);
        QCOMPARE(strip.pinned(), 0);
        QTest::keyClick(&strip, Qt::Key_Up); // the first one stays
        QTest::keyClick(&strip, Qt::Key_End);
        QCOMPARE(strip.pinned(), 1);
        QCOMPARE(picked.count(), 3);
    }

    void rangesAreDrawnWhereNothingIsCounted()
    {
        ChannelStrip strip;
        strip.resize(300, 220);
        strip.setFigure(twoChannels(false), StripUnit::Level);
        strip.setTheme(views::Theme::of(views::ThemeKind::Dark));
        QVERIFY(!strip.grab().isNull());
        QCOMPARE(strip.order().size(), 2);
    }

    void theRunsWeightIsShown()
    {
        views::Session session;
        views::Selection selection;
        ChannelsView view(&session, &selection);
        session.setRecording(m_material->recording, QStringLiteral("calibrated"));
        view.setMaterial(m_material);
        view.resize(1000, 300);
        view.show();
        QTRY_VERIFY_WITH_TIMEOUT(!view.busy() && view.figure() && !view.figure()->axes.empty(), 30000);
        QCOMPARE(view.figure()->what, std::string("conv_weight"));
        QCOMPARE(view.sheet().model().rowCount(), 8);
        QCOMPARE(view.axes().model().rowCount(), 3);
        QVERIFY2(view.sentence().startsWith(QStringLiteral("Axis 0, output channels of conv_weight · channel 0")),
                 qPrintable(view.sentence()));
        // one channel: its own scale and its own values
        view.pin(5);
        QVERIFY(view.sentence().contains(QStringLiteral("channel 5")));
        QCOMPARE(*view.histogram().facts().scale, view.figure()->channels.rows[5].scale);
        QCOMPARE(view.histogram().facts().total, static_cast<double>(view.figure()->values.front().elementCount() / 8));
        // the strip follows the table
        view.sheet().table().view().sortByColumn(3, Qt::DescendingOrder);
        const auto& rows = view.figure()->channels.rows;
        const QVector<int> order = view.strip().order();
        for (qsizetype i = 1; i < order.size(); ++i)
            QVERIFY(rows[static_cast<std::size_t>(order[i])].scale
                    <= rows[static_cast<std::size_t>(order[i - 1])].scale);
        view.findChildren<QComboBox*>()[1]->setCurrentIndex(1);
        QCOMPARE(view.unit(), StripUnit::Level);
    }

    void aRecordingAloneHasRanges()
    {
        views::Session session;
        views::Selection selection;
        ChannelsView view(&session, &selection);
        session.setRecording(m_material->recording, QStringLiteral("calibrated"));
        view.show();
        QVERIFY(!view.busy());
        QCOMPARE(view.sheet().model().rowCount(), 8);
        QCOMPARE(view.axes().model().rowCount(), 0);
        QVERIFY(view.histogram().message().isEmpty());
    }

    void withoutChannelsTheViewSaysSo()
    {
        const auto plain = test::materialOfCase("conv_relu.xnnpack_per_tensor");
        QVERIFY(plain);
        views::Session session;
        views::Selection selection;
        ChannelsView view(&session, &selection);
        session.setRecording(plain->recording, QStringLiteral("calibrated"));
        view.show();
        QCOMPARE(view.sheet().model().rowCount(), 0);
        QVERIFY2(view.histogram().message().contains(QStringLiteral("scale for each channel")),
                 qPrintable(view.histogram().message()));
    }

private:
    numbers::MaterialPtr m_material;
};

QTEST_MAIN(TestChannelsView)
#include "tst_channels_view.moc"
