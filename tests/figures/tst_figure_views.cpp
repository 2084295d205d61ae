#include "../numbers/case_run.h"

#include "figures/batches_view.h"
#include "figures/error_view.h"
#include "figures/histogram_search_view.h"
#include "figures/numbers_panel.h"
#include "figures/zoo_bar.h"
#include "figures/zoo_view.h"
#include "numbers/history.h"

#include <QSignalSpy>
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
        for (int i = 0; i < 20; ++i)
            bar.removeLast();
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
        view.setAnimals(*animals, QStringLiteral("x"));
        QCOMPARE(view.plots().size(), observers.size());
        QVERIFY(view.plots().back()->message().startsWith(QStringLiteral("TypeError")));
        // one x range for all that are plotted
        QCOMPARE(view.plots()[0]->xRange(), view.plots()[2]->xRange());
        QCOMPARE(view.sheet().model().columnCount(), static_cast<int>(observers.size()) + 2);
        view.setMessage(QStringLiteral("again"));
        QVERIFY(view.plots().empty());
    }

    void thePanelWorksOutWhatIsLookedAt()
    {
        NumbersPanel panel(m_session.get(), m_selection.get());
        QSignalSpy overlay(&panel, &NumbersPanel::overlayChanged);
        panel.setMaterial(m_material);
        panel.show();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.busy() && panel.errors().sheet().model().rowCount() == 3, 30000);
        QCOMPARE(overlay.count(), 1);
        QVERIFY(panel.errors().gain().startsWith(QStringLiteral("output ")));
        panel.showTab(NumbersPanel::Storage);
        QTRY_VERIFY_WITH_TIMEOUT(panel.sheet(NumbersPanel::Storage).model().rowCount() > 3, 30000);
        panel.showTab(NumbersPanel::QParams);
        QTRY_COMPARE_WITH_TIMEOUT(panel.sheet(NumbersPanel::QParams).model().rowCount(), 3, 30000);
        panel.showTab(NumbersPanel::Gains);
        QTRY_COMPARE_WITH_TIMEOUT(panel.sheet(NumbersPanel::Gains).model().rowCount(), 2, 30000);
        m_selection->selectNode(nodeOf(*m_material, "activation_post_process_2"));
        panel.showTab(NumbersPanel::Zoo);
        QTRY_COMPARE_WITH_TIMEOUT(panel.zoo().plots().size(), std::size_t(5), 30000);
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
        QTRY_VERIFY_WITH_TIMEOUT(errors.gain().startsWith(QStringLiteral("left in float: relu")), 30000);
        errors.takeBack();
        QVERIFY(errors.changes().empty());
        QTRY_VERIFY_WITH_TIMEOUT(errors.gain().startsWith(QStringLiteral("output ")), 30000);
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
