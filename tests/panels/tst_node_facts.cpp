#include "inspector/facts_html.h"
#include "inspector/node_facts.h"
#include "inspector/origin_text.h"
#include "panel_run.h"
#include "session/session.h"

using namespace gb;
using namespace gb::views;

class NodeFactsTest : public QObject {
    Q_OBJECT

private:
    NodeFacts at(const char* stage, std::string_view name)
    {
        m_session.setRecording(m_recording, QLatin1String(stage));
        const trace::MomentPtr moment = m_session.moment();
        return nodeFacts(*m_recording, *moment, m_session.cursor(), test::nodeAt(*moment, name));
    }

private Q_SLOTS:
    void whereANodeCameFromIsALine()
    {
        QCOMPARE(originText(QStringLiteral(
                     "[{\"name\": \"relu\", \"target\": \"<f at 0x7f>\", \"pass_name\": \"Prop\", \"from_node\": "
                     "[{\"name\": \"relu_1\", \"pass_name\": \"Dynamo\", \"from_node\": []}]}]")),
                 QStringLiteral("relu (Prop) ← relu_1 (Dynamo)"));
        QCOMPARE(originText(QStringLiteral("[{\"name\": \"x\"}]")), QStringLiteral("x"));
        QCOMPARE(originText(QStringLiteral("no JSON")), QStringLiteral("no JSON"));
        QCOMPARE(originText(QStringLiteral("[]")), QStringLiteral("[]"));
    }

    void initTestCase()
    {
        m_recording = test::recordCase("conv_relu.xnnpack");
        QVERIFY(m_recording);
    }

    void anOpSaysWhereItIsAndWhatItIsLabelled()
    {
        const NodeFacts facts = at("annotated", "conv2d");
        QCOMPARE(facts.name, QStringLiteral("conv2d"));
        QCOMPARE(facts.role, QStringLiteral("op"));
        QVERIFY(facts.present);
        const QString text = plainText(facts);
        for (const char* line :
             {"Node\n  op: call_function\n  target: aten.conv2d.default\n", "module: conv",
              "args: (x, conv_weight, conv_bias", "users: relu", "Labels\n", "  input x: int8, affine, per tensor",
              "  input conv_bias: ", "  output: ", "  _annotated: True", "  allow_implicit_sharing: True"})
            QVERIFY2(text.contains(QString::fromUtf8(line)), line);
    }

    void usersAndInputsAreLinks()
    {
        const NodeFacts facts = at("annotated", "conv2d");
        int links = 0;
        for (const Fact& fact : facts.facts)
            if (fact.name == QLatin1String("users") || fact.name == QLatin1String("inputs"))
                for (const FactLink& link : fact.links) {
                    QVERIFY(link.node != ir::kNoNode);
                    ++links;
                }
        QCOMPARE(links, 4);
        QVERIFY(factsHtml(facts, Theme::of(ThemeKind::Light)).contains(QStringLiteral("<a href=\"node:")));
    }

    void anObserverSaysSettingsAndState()
    {
        m_session.setRecording(m_recording, QStringLiteral("calibrated"));
        const trace::MomentPtr moment = m_session.moment();
        QString text;
        for (const ir::Node* n = moment->top().graph->first(); n; n = n->next())
            if (n->op() == ir::Op::CallModule && n->inputs().front()->name() == "x")
                text = plainText(nodeFacts(*m_recording, *moment, m_session.cursor(), n->id()));
        for (const char* line : {"Observer\n  class: HistogramObserver", "dtype: int8", "quant_min: −128", "bins: 2048",
                                 "batches: 2", "min_val: ", "scale: "})
            QVERIFY2(text.contains(QString::fromUtf8(line)), line);
        QVERIFY(plainText(at("prepared", "activation_post_process_0")).contains(QStringLiteral("no data")));
    }

    void anAttributeSaysItsSize()
    {
        const QString text = plainText(at("annotated", "conv_weight"));
        QVERIFY(text.contains(QStringLiteral("Attribute\n  kind: parameter\n  dtype: float32\n  shape: [")));
        QVERIFY(text.contains(QStringLiteral("bytes: ")));
    }

    void aNodeThatIsGoneSaysWhichEventErasedIt()
    {
        m_session.setRecording(m_recording, QStringLiteral("calibrated"));
        const ir::NodeId observer = test::nodeAt(*m_session.moment(), "activation_post_process_0");
        QVERIFY(observer != ir::kNoNode);
        m_session.toStage(QStringLiteral("converted"));
        const NodeFacts gone = nodeFacts(*m_recording, *m_session.moment(), m_session.cursor(), observer);
        QVERIFY(!gone.present);
        QCOMPARE(gone.facts.front().name, QStringLiteral("erased by"));
        QVERIFY(gone.facts.front().links.front().event > m_recording->stageEvent("calibrated"));
        m_session.toStage(QStringLiteral("annotated"));
        const NodeFacts later = nodeFacts(*m_recording, *m_session.moment(), m_session.cursor(), observer);
        QVERIFY(!later.present);
        QCOMPARE(later.facts.front().name, QStringLiteral("made by"));
        QVERIFY(later.facts.front().links.front().event > m_session.cursor());
    }

    void anUnknownNodeIsEmpty()
    {
        m_session.setRecording(m_recording, QStringLiteral("annotated"));
        const NodeFacts facts = nodeFacts(*m_recording, *m_session.moment(), m_session.cursor(), 1000000);
        QVERIFY(facts.name.isEmpty());
        QVERIFY(facts.facts.empty());
    }

    void textFromTheModelIsEscaped()
    {
        NodeFacts facts;
        facts.facts = {{QStringLiteral("Node"), QStringLiteral("target"), QStringLiteral("<img src=x>"), {}}};
        const QString html = factsHtml(facts, Theme::of(ThemeKind::Dark));
        QVERIFY(!html.contains(QStringLiteral("<img")));
        QVERIFY(html.contains(QStringLiteral("&lt;img src=x&gt;")));
    }

private:
    Session m_session;
    trace::RecordingPtr m_recording;
};

QTEST_MAIN(NodeFactsTest)
#include "tst_node_facts.moc"
