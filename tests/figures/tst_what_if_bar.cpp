#include "figures/error_view.h"
#include "figures/what_if_bar.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

using namespace gb;
using numbers::Change;
using numbers::ObserverSite;

namespace {

std::vector<ObserverSite> sites()
{
    ObserverSite activation;
    activation.target = "activation_post_process_0";
    activation.observer = {"HistogramObserver", {{"dtype", ir::DType::Int8}, {"quant_min", -128}, {"quant_max", 127}}};
    activation.range = numbers::Extremes{-2, 6};
    activation.perTensor = true;
    activation.observed = {3};
    activation.users = {5};
    ObserverSite weight;
    weight.target = "activation_post_process_1";
    weight.observer = {"PerChannelMinMaxObserver", {{"dtype", ir::DType::Int8}, {"ch_axis", 0}}};
    weight.observed = {4};
    weight.users = {5};
    ObserverSite derived;
    derived.target = "derived";
    derived.observed = {9};
    return {activation, weight, derived};
}

} // namespace

Q_DECLARE_METATYPE(gb::numbers::Change)

class TestWhatIfBar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNodeChoosesItsSite()
    {
        views::WhatIfBar bar;
        bar.setSites(sites(), nullptr);
        QCOMPARE(bar.site(), QStringLiteral("activation_post_process_0"));
        bar.choose(4);
        QCOMPARE(bar.site(), QStringLiteral("activation_post_process_1"));
        bar.choose(5); // takes both: the first
        QCOMPARE(bar.site(), QStringLiteral("activation_post_process_0"));
        bar.choose(77); // nobody's: stays
        QCOMPARE(bar.site(), QStringLiteral("activation_post_process_0"));
        bar.choose(4);
        bar.setSites(sites(), nullptr); // worked out anew: the choice stays
        QCOMPARE(bar.site(), QStringLiteral("activation_post_process_1"));
    }

    void eachButtonAsksForAChange()
    {
        views::WhatIfBar bar;
        QList<Change> changes;
        connect(&bar, &views::WhatIfBar::wanted, this, [&](const Change& change) { changes << change; });
        bar.useFloat(); // there is no site yet
        QVERIFY(changes.isEmpty());
        bar.setSites(sites(), nullptr);
        bar.useFloat();
        QCOMPARE(changes.back().kind, Change::Kind::FloatObserver);
        bar.useRange(); // as it is
        QCOMPARE(changes.back().min, -2.0);
        QCOMPARE(changes.back().max, 6.0);
        bar.setRange(-1, 0.5);
        bar.useRange();
        QCOMPARE(changes.back().max, 0.5);
        bar.useObserver();
        QCOMPARE(changes.back().kind, Change::Kind::Observer);
        QCOMPARE(changes.back().observer.name, std::string("MinMaxObserver"));
        QVERIFY(changes.back().observer.arguments.size() >= 4); // scheme, and what the old one had
        QCOMPARE(changes.size(), 4);
    }

    void aRangeUpsideDownIsSaid()
    {
        views::WhatIfBar bar;
        bar.setSites(sites(), nullptr);
        QSignalSpy wanted(&bar, &views::WhatIfBar::wanted);
        QSignalSpy failed(&bar, &views::WhatIfBar::failed);
        bar.setRange(2, 1);
        bar.useRange();
        QCOMPARE(wanted.count(), 0);
        QCOMPARE(failed.count(), 1);
    }

    void whatCannotBeMadeAnewIsOff()
    {
        views::WhatIfBar bar;
        bar.setSites(sites(), nullptr);
        bar.chooseSite(QStringLiteral("derived"));
        QVERIFY(!bar.settings().isEnabled());
        for (const QLineEdit* edit : bar.findChildren<QLineEdit*>())
            if (edit->accessibleName().startsWith(QStringLiteral("Range")))
                QVERIFY(!edit->isEnabled());
    }

    void changesOfOneSiteReplaceEachOther()
    {
        views::Selection selection;
        views::ErrorView view(&selection);
        view.setSites(sites(), nullptr);
        view.tryOut({Change::Kind::Range, "activation_post_process_0", {}, 0, 1});
        view.tryOut({Change::Kind::FloatOp, "conv2d"});
        view.tryOut({Change::Kind::Range, "activation_post_process_0", {}, 0, 2});
        QCOMPARE(view.changes().size(), std::size_t(2));
        QCOMPARE(view.changes()[0].max, 2.0);
        numbers::ErrorReport before;
        before.output.signal = 100;
        before.output.noise = 1;
        view.setReport(before, &before);
        QVERIFY2(view.gain().startsWith(
                     QStringLiteral("activation_post_process_0: range 0 to 2; conv2d in float · output 20 dB")),
                 qPrintable(view.gain()));
    }
};

QTEST_MAIN(TestWhatIfBar)
#include "tst_what_if_bar.moc"
