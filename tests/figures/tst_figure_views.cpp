#include "../numbers/case_run.h"

#include "figures/batches_view.h"
#include "figures/error_view.h"
#include "figures/hand_view.h"
#include "figures/histogram_search_view.h"
#include "figures/numbers_panel.h"
#include "figures/zoo_bar.h"
#include "figures/zoo_view.h"
#include "numbers/history.h"

#include <QCheckBox>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace gb;
using views::NumbersPanel;

namespace {

ir::NodeId nodeOf(const numbers::Material& material, const char* name)
{
    const ir::Node* node = material.calibrated->module->graph().find(name);
    return node ? node->id() : ir::kNoNode;
}

} // namespace

class TestFigureViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(m_material);
    }

    void init()
    {
        m_session = std::make_unique<views::Session>();
        m_selection = std::make_unique<views::Selection>();
        m_session->setRecording(m_material->recording, QStringLiteral("calibrated"));
    }

    void aBatchThatWidensSaysSo()
    {
        views::BatchesView view(m_session.get(), m_selection.get());
        view.setHistories(numbers::historiesOf(*m_material->recording));
        m_selection->selectNode(nodeOf(*m_material, "activation_post_process_0"));
        QCOMPARE(view.step(), 3);
        QVERIFY(view.sentences().startsWith(QStringLiteral("Batch 3 changed nothing")));
        view.setStep(2);
        QVERIFY2(view.sentences().contains(QStringLiteral("re-binned")), qPrintable(view.sentences()));
        QVERIFY(view.sentences().contains(QStringLiteral("Not converged")));
        const double wide = view.histogram().facts().observed->width();
        view.setStep(0);
        QVERIFY(view.histogram().facts().observed->width() < wide);
        view.setStep(99); // there is no such batch: the last one
        QCOMPARE(view.step(), 3);
    }

    void withoutBatchesTheViewSaysSo()
    {
        views::BatchesView view(m_session.get(), m_selection.get());
        view.setHistories({});
        QVERIFY(view.sentences().isEmpty());
        QVERIFY(view.histogram().message().startsWith(QStringLiteral("No batches")));
    }

    void theSearchIsReplayed()
    {
        views::HistogramSearchView view(m_session.get(), m_selection.get());
        view.show();
        m_selection->selectNode(nodeOf(*m_material, "activation_post_process_0"));
        QVERIFY(view.moveCount() > 0);
        QVERIFY2(view.sentences().contains(QStringLiteral("the search ends")), qPrintable(view.sentences()));
        QVERIFY(view.sentences().contains(QStringLiteral("refused")));
        view.setMove(0);
        QVERIFY(view.sentences().startsWith(QStringLiteral("Before the first move: all 2048 bins")));
        m_selection->selectNode(nodeOf(*m_material, "activation_post_process_1"));
        QCOMPARE(view.moveCount(), 0);
        QVERIFY(view.sentences().isEmpty());
    }

    void theBarDescribesAnObserver()
    {
        views::ZooBar bar;
        bar.setObservers(numbers::usualObservers(ir::DType::Int8, -128, 127, std::nullopt));
        QSignalSpy changed(&bar, &views::ZooBar::changed);
        bar.add();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(bar.observers().back().name, std::string("MinMaxObserver"));
        QCOMPARE(bar.observers().size(), std::size_t(5));
        for (int i = 0; i < 10; ++i)
            bar.add();
        QCOMPARE(bar.observers().size(), views::ZooBar::kMost);
        bar.remove(0);
        QCOMPARE(bar.observers().front().name, std::string("MinMaxObserver")); // the histogram was the first
        for (int i = 0; i < 20; ++i)
            bar.remove(0);
        QCOMPARE(bar.observers().size(), std::size_t(1));
    }

    void theZooStandsSideBySide()
    {
        views::ZooView view(m_selection.get());
        const std::vector<ir::Tensor> values{ir::Tensor::fromVector(std::vector<float>{-1, 0, 2, 3})};
        auto observers = numbers::usualObservers(ir::DType::Int8, -128, 127, std::nullopt);
        observers.push_back({"MinMaxObserver", {{"no_such", 1}}});
        const auto animals = numbers::runZoo(observers, values);
        QVERIFY(animals.ok());
        view.setFigure({"x", *animals, animals->front().state});
        QCOMPARE(view.plots().size(), observers.size());
        QVERIFY(view.plots().back()->message().startsWith(QStringLiteral("TypeError")));
        QCOMPARE(view.plots()[1]->facts().total, 4.0); // MinMaxObserver keeps no counts: those of the histogram
        QVERIFY(view.plots()[1]->facts().clippedLeft.has_value());
        // one x range for all that are plotted
        QCOMPARE(view.plots()[0]->xRange(), view.plots()[2]->xRange());
        QCOMPARE(view.sheet().model().columnCount(), static_cast<int>(observers.size()) + 2);
        view.setMessage(QStringLiteral("again"));
        QVERIFY(view.plots().empty() && !view.figure());
    }

    void thePanelWorksOutWhatIsLookedAt()
    {
        NumbersPanel panel(m_session.get(), m_selection.get());
        QSignalSpy overlay(&panel, &NumbersPanel::overlayChanged);
        panel.setMaterial(m_material);
        panel.show();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.busy() && panel.errors().sheet().model().rowCount() == 3, 30000);
        QCOMPARE(overlay.count(), 0); // painted when it is asked for
        panel.errors().setPainted(true);
        QCOMPARE(overlay.count(), 1);
        QCOMPARE(overlay[0][1].value<numbers::OverlayValues>().values.size(), std::size_t(3));
        panel.stopPainting();
        QCOMPARE(overlay.count(), 1);
        QVERIFY(!panel.errors().painted());
        QVERIFY(panel.errors().gain().startsWith(QStringLiteral("output ")));
        panel.showTab(NumbersPanel::Storage);
        QTRY_VERIFY_WITH_TIMEOUT(panel.sheet(NumbersPanel::Storage).model().rowCount() > 3, 30000);
        panel.showTab(NumbersPanel::QParams);
        QTRY_COMPARE_WITH_TIMEOUT(panel.sheet(NumbersPanel::QParams).model().rowCount(), 3, 30000);
        panel.showTab(NumbersPanel::Gains);
        QTRY_COMPARE_WITH_TIMEOUT(panel.sheet(NumbersPanel::Gains).model().rowCount(), 2, 30000);
        m_selection->selectNode(nodeOf(*m_material, "activation_post_process_2"));
        panel.showTab(NumbersPanel::Zoo);
        // the run has a histogram observer, affine, which is one of the usual four
        QTRY_COMPARE_WITH_TIMEOUT(panel.zoo().plots().size(), std::size_t(4), 30000);
        panel.showTab(NumbersPanel::Batches);
        QTRY_VERIFY_WITH_TIMEOUT(!panel.batches().sentences().isEmpty(), 30000);
    }

    void anOpIsLeftInFloatAndTakenBack()
    {
        NumbersPanel panel(m_session.get(), m_selection.get());
        panel.setMaterial(m_material);
        panel.show();
        views::ErrorView& errors = panel.errors();
        QTRY_COMPARE_WITH_TIMEOUT(errors.sheet().model().rowCount(), 3, 30000);
        m_selection->selectNode(nodeOf(*m_material, "relu"));
        errors.toggleFloat();
        QCOMPARE(errors.changes().size(), std::size_t(1));
        QTRY_VERIFY_WITH_TIMEOUT(errors.gain().startsWith(QStringLiteral("relu in float · output ")), 30000);
        errors.takeBack();
        QVERIFY(errors.changes().empty());
        QTRY_VERIFY_WITH_TIMEOUT(errors.gain().startsWith(QStringLiteral("output ")), 30000);
    }

    /// As the second lesson does it, by buttons: the hand-made conv and relu are the API's to the last bit.
    void theConvReluIsMadeByHand()
    {
        views::HandView view;
        view.setMaterial(m_material);
        const auto done = [&view] { return QTest::qWaitFor([&view] { return !view.busy(); }, 30000); };
        view.choose(QStringLiteral("x"), QStringLiteral("conv2d"));
        view.insert();
        QVERIFY(done());
        QVERIFY2(view.outcome().contains(QStringLiteral(" is there")), qPrintable(view.outcome()));
        view.calibrate();
        QVERIFY(done());
        QVERIFY(view.outcome().contains(QStringLiteral("bit for bit"))); // an observer changes nothing
        view.replace();                                                  // all observers
        QVERIFY(done());
        QVERIFY2(view.outcome().contains(QStringLiteral(" dB")), qPrintable(view.outcome()));
        view.compare();
        QVERIFY(done());
        QVERIFY2(view.outcome().startsWith(QStringLiteral("same scales: no · same ops: no")),
                 qPrintable(view.outcome()));
        view.fold(); // the only quantize is no weight's
        QVERIFY(done());
        QVERIFY(view.outcome().contains(QStringLiteral("no quantize of weights alone")));
        view.undo();
        view.undo();
        view.undo();
        QCOMPARE(view.bench()->history().size(), std::size_t(1));
        view.setMaterial(nullptr);
        QVERIFY(view.outcome().startsWith(QStringLiteral("A recording has no weights")));
        view.insert(); // nothing to work on
        QVERIFY(!view.busy());
    }

    /// What is selected in the graph is where the next observer goes.
    void theSelectionIsThePlace()
    {
        NumbersPanel panel(m_session.get(), m_selection.get());
        panel.setMaterial(m_material);
        panel.show();
        m_selection->selectNode(nodeOf(*m_material, "conv2d"));
        panel.showTab(NumbersPanel::Hand);
        QCOMPARE(panel.hand().place(), QStringLiteral("conv2d"));
        m_selection->selectLabel({nodeOf(*m_material, "x"), nodeOf(*m_material, "conv2d")});
        QCOMPARE(panel.hand().place(), QStringLiteral("x -> conv2d"));
        m_selection->selectNode(nodeOf(*m_material, "activation_post_process_0")); // is no place: stays
        QCOMPARE(panel.hand().place(), QStringLiteral("x -> conv2d"));
        QVERIFY(panel.figure(true) && panel.figure(true)->sheet.rows.size() == 1); // the float model
        const QTemporaryDir folder;
        QVERIFY(panel.writeTo(folder.filePath(QStringLiteral("hand.svg"))).ok());
        QVERIFY(panel.writeTo(folder.filePath(QStringLiteral("hand.csv"))).ok());
        panel.showTab(NumbersPanel::TwoRuns); // nothing was compared yet
        QCOMPARE(panel.writeTo(folder.filePath(QStringLiteral("runs.csv"))).error().code, base::ErrorCode::Usage);
    }

    /// Both switches, for one and for all; what it does to the output is there at once.
    void switchesOfAFakeQuantizeAreLive()
    {
        views::HandView view;
        view.setMaterial(m_material);
        const auto done = [&view] { return QTest::qWaitFor([&view] { return !view.busy(); }, 30000); };
        const auto box = [&view](const char* text) {
            for (auto* found : view.findChildren<QCheckBox*>())
                if (found->text() == QString::fromLatin1(text))
                    return found;
            return static_cast<QCheckBox*>(nullptr);
        };
        QVERIFY(!box("fake quant")->isEnabled()); // there is none yet
        view.choose(QStringLiteral("x"), QStringLiteral("conv2d"));
        box("Fake quantize")->setChecked(true);
        view.insert();
        QVERIFY(done());
        view.choose(QStringLiteral("conv2d"), QString());
        view.insert();
        QVERIFY(done());
        view.calibrate();
        QVERIFY(done());
        QTRY_VERIFY(box("fake quant")->isEnabled());
        QCOMPARE(view.switches(), std::pair(Qt::Checked, Qt::Checked));
        QVERIFY2(view.outcome().contains(QStringLiteral(" dB")), qPrintable(view.outcome()));
        box("fake quant")->click(); // of all
        QVERIFY(done());
        QVERIFY(view.outcome().contains(QStringLiteral("bit for bit"))); // nothing rounds any more
        const ir::Node* first = view.bench()->model().graph().first();
        while (first && first->op() != ir::Op::CallModule)
            first = first->next();
        QVERIFY(first);
        view.chooseObserver(QString::fromStdString(first->name()));
        QTRY_COMPARE(view.switches(), std::pair(Qt::Checked, Qt::Unchecked));
        box("fake quant")->click(); // of this one
        QVERIFY(done());
        QVERIFY(view.outcome().contains(QStringLiteral(" dB")));
        view.chooseObserver({});
        QTRY_COMPARE(view.switches(), std::pair(Qt::Checked, Qt::PartiallyChecked));
        view.undo();
        QTRY_COMPARE(view.switches(), std::pair(Qt::Checked, Qt::Unchecked));
    }

    /// Without the model there are no weights to run: the panel says so and stays.
    void aRecordingAloneHasNoErrors()
    {
        NumbersPanel panel(m_session.get(), m_selection.get());
        panel.show();
        QCOMPARE(panel.errors().sheet().model().rowCount(), 0);
        QVERIFY(!panel.busy());
        panel.showTab(NumbersPanel::QParams);
        QTRY_COMPARE_WITH_TIMEOUT(panel.sheet(NumbersPanel::QParams).model().rowCount(), 3, 30000);
    }

private:
    numbers::MaterialPtr m_material;
    std::unique_ptr<views::Session> m_session;
    std::unique_ptr<views::Selection> m_selection;
};

QTEST_MAIN(TestFigureViews)
#include "tst_figure_views.moc"
