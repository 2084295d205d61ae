// Sub-graphs: which ones a node has, and how a pane shows one.
#include "picture/subgraphs.h"
#include "shown.h"
#include "trace/recorder.h"

#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace gb;
using namespace gb::views;
using ir::Argument;

namespace {

/// x, two branches, and a cond over them; the branch that is taken has a graph inside itself.
struct CondRun {
    trace::RecordingPtr recording;
    ir::NodeId x = 0, first = 0, second = 0, cond = 0, linear = 0;

    CondRun()
    {
        const auto ids = std::make_shared<ir::NodeIds>();
        ir::GraphModule model(ids, "");
        trace::Recorder recorder({});
        const auto get = [](ir::GraphModule& in, const char* target) {
            return in.graph().append({ir::Op::GetAttr, target, {}, {}, target})->id();
        };
        x = model.graph().append({ir::Op::Placeholder, "x", {}, {}, "x"})->id();
        first = get(model, "true_graph_0");
        second = get(model, "false_graph_0");
        cond = model.graph()
                   .append({ir::Op::CallFunction,
                            "higher_order.cond",
                            {Argument::node(x), Argument::node(first), Argument::node(second)},
                            {},
                            "cond"})
                   ->id();
        model.graph().append({ir::Op::Output, "output", {Argument::node(cond)}, {}, "output"});
        auto taken = std::make_shared<ir::GraphModule>(ids, "true_graph_0");
        linear = taken->graph().append({ir::Op::CallFunction, "aten.linear.default", {}, {}, "linear"})->id();
        get(*taken, "body");
        auto body = std::make_shared<ir::GraphModule>(ids, "true_graph_0.body");
        body->graph().append({ir::Op::CallFunction, "aten.relu.default", {}, {}, "relu"});
        taken->setSubgraph("body", body);
        auto other = std::make_shared<ir::GraphModule>(ids, "false_graph_0");
        other->graph().append({ir::Op::CallFunction, "aten.mul.Tensor", {}, {}, "mul"});
        model.setSubgraph("true_graph_0", taken);
        model.setSubgraph("false_graph_0", other);
        trace::Event load;
        load.kind = trace::EventKind::Load;
        load.name = "cond";
        load.sentence = base::message("cond");
        recorder.say(load);
        recorder.snapshot(model);
        recorder.stage("exported", base::message("exported"));
        recorder.stage("folded", base::message("folded"));
        recording = recorder.publish();
    }
};

} // namespace

class SubgraphsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anOpRunsWhatItsArgumentsName()
    {
        const auto moment = test::momentAt(m_run.recording, "exported");
        const std::vector<std::string> both{"true_graph_0", "false_graph_0"};
        QCOMPARE(subgraphsOf(*moment, "", m_run.cond), both);
        QCOMPARE(subgraphsOf(*moment, "", m_run.second), std::vector<std::string>{"false_graph_0"});
        QVERIFY(subgraphsOf(*moment, "", m_run.x).empty());
        QVERIFY(subgraphsOf(*moment, "true_graph_0", m_run.cond).empty()); // no node of that graph
        const ir::Node* body = moment->graphs.at("true_graph_0")->graph->find("body");
        QCOMPARE(subgraphsOf(*moment, "true_graph_0", body->id()), std::vector<std::string>{"true_graph_0.body"});
    }

    void altClickOpensItInThePaneBeside()
    {
        test::PanesSetUp shown(m_run.recording, makeScene(m_run.recording).value(), "exported");
        auto& [session, selection, area] = shown;
        area.setPaneCount(1);
        QSignalSpy counted(&area, &PaneArea::paneCountChanged);
        click(shown.canvas(0), m_run.cond, Qt::AltModifier);
        QCOMPARE(counted.size(), 1);
        QCOMPARE(area.paneCount(), 2);
        QTRY_VERIFY(shown.canvas(1).picture() && shown.canvas(1).picture()->find(m_run.linear));
        QCOMPARE(area.graphOf(1), std::string("true_graph_0"));
        QVERIFY(shown.canvas(0).picture()->find(m_run.cond));
        QVERIFY(shown.canvas(1).camera() != shown.canvas(0).camera()); // it looks at another graph
        session.toStage(QStringLiteral("folded"));
        QTRY_VERIFY(!area.busy());
        QVERIFY(shown.canvas(1).picture()->find(m_run.linear));
        area.setCompact(true);
        QTRY_VERIFY(!area.busy());
        QVERIFY(shown.canvas(1).picture()->find(m_run.linear));
        area.setCompact(false);
        area.pane(1)->findChild<QToolButton*>()->click();
        QTRY_VERIFY(shown.canvas(1).picture() && shown.canvas(1).picture()->find(m_run.cond));
        QCOMPARE(shown.canvas(1).camera(), shown.canvas(0).camera());
        QCOMPARE(area.graphOf(1), std::string());
    }

    void aNodeWithoutOneSaysSo()
    {
        test::PanesSetUp shown(m_run.recording, makeScene(m_run.recording).value(), "exported");
        auto& [session, selection, area] = shown;
        QSignalSpy said(&area, &PaneArea::said);
        click(shown.canvas(0), m_run.x, Qt::AltModifier);
        QCOMPARE(said.size(), 1);
        click(shown.canvas(0), m_run.cond, Qt::NoModifier);
        QCOMPARE(area.graphOf(1), std::string());
        QCOMPARE(selection.current().node, m_run.cond);
    }

    void anotherRunBeginsAtTheTop()
    {
        test::PanesSetUp shown(m_run.recording, makeScene(m_run.recording).value(), "exported");
        auto& [session, selection, area] = shown;
        area.openGraph("false_graph_0");
        QTRY_VERIFY(!area.busy());
        const test::SampleRun other = test::makeSampleRun();
        area.setScene(nullptr);
        session.setRecording(other.recording, QStringLiteral("exported"));
        area.setScene(makeScene(other.recording).value());
        QTRY_VERIFY(shown.canvas(1).picture() && shown.canvas(1).picture()->find(other.conv));
        QCOMPARE(area.graphOf(1), std::string());
        QCOMPARE(shown.canvas(1).camera(), shown.canvas(0).camera());
    }

private:
    static void click(GraphCanvas& canvas, ir::NodeId node, Qt::KeyboardModifiers modifiers)
    {
        canvas.fitAll();
        const QPointF at = canvas.toWidget(canvas.picture()->find(node)->box.center());
        QTest::mouseClick(&canvas, Qt::LeftButton, modifiers, at.toPoint());
    }

    CondRun m_run;
};

QTEST_MAIN(SubgraphsTest)
#include "tst_subgraphs.moc"
