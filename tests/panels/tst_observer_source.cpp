#include "observers/observer_source.h"
#include "panel_run.h"

using namespace gb;
using namespace gb::views;

namespace {

Selected node(ir::NodeId id)
{
    return {Selected::Kind::Node, id, {}, -1};
}

Selected label(ir::Position position)
{
    return {Selected::Kind::Label, position.isEdge() ? position.consumer : position.node, position, -1};
}

QString nameOf(const ObserverRow* row)
{
    return row ? row->name() : QString();
}

} // namespace

class ObserverSourceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_recording = test::recordCase("conv_relu.xnnpack");
        QVERIFY(m_recording);
        QVERIFY(!m_recording->failure);
    }

    void rowsSayWhatIsObserved()
    {
        Session session;
        session.setRecording(m_recording, QStringLiteral("calibrated"));
        ObserverSource source(&session);
        const std::vector<ObserverRow>& rows = source.rows();
        QCOMPARE(rows.size(), std::size_t(3));
        QStringList observes;
        for (const ObserverRow& row : rows) {
            observes << row.observes.join(QLatin1Char(','));
            QVERIFY(row.record);
            QVERIFY(row.state().batches > 0);
        }
        observes.sort();
        QCOMPARE(observes, (QStringList{QStringLiteral("conv_weight"), QStringLiteral("relu"), QStringLiteral("x")}));
        QCOMPARE(source.when(), QStringLiteral("after calibration"));
    }

    void atPrepareObserversHaveNoData()
    {
        Session session;
        session.setRecording(m_recording, QStringLiteral("prepared"));
        ObserverSource source(&session);
        QCOMPARE(source.rows().size(), std::size_t(3));
        QCOMPARE(source.rows().front().state().batches, 0);
    }

    void panelsOfASessionShareTheRows()
    {
        Session session;
        session.setRecording(m_recording, QStringLiteral("calibrated"));
        ObserverSource one(&session);
        ObserverSource other(&session);
        const ObserverRowsPtr calibrated = one.shared();
        QCOMPARE(other.shared(), calibrated);
        session.toFirst(); // the final state is shown before there are observers, too
        QCOMPARE(one.shared(), calibrated);
        session.toStage(QStringLiteral("prepared"));
        QVERIFY(one.shared() != calibrated);
        QCOMPARE(one.shared(), other.shared());
        QCOMPARE(calibrated->size(), std::size_t(3)); // who keeps them has them
        Session second;
        second.setRecording(m_recording, QStringLiteral("calibrated"));
        QVERIFY(ObserverSource(&second).shared() != calibrated);
    }

    void whileCalibratingTheStateIsThatOfTheCursor()
    {
        Session session;
        session.setRecording(m_recording, QStringLiteral("calibrated"));
        ObserverSource source(&session);
        int first = -1;
        for (int i = 0; i < session.eventCount() && first < 0; ++i)
            if (m_recording->events[static_cast<std::size_t>(i)].kind == trace::EventKind::Observe)
                first = i;
        QVERIFY(first > 0);
        session.setCursor(first);
        std::int64_t batches = 0;
        for (const ObserverRow& row : source.rows())
            batches += row.state().batches;
        QCOMPARE(batches, 1);
        QVERIFY(source.when().startsWith(QStringLiteral("in batch")));
    }

    void beforeAndAfterObserversTheFinalStateIsShown()
    {
        Session session;
        ObserverSource source(&session);
        QVERIFY(source.rows().empty());
        QCOMPARE(source.when(), QStringLiteral("no observers"));
        for (const char* stage : {"annotated", "converted"}) {
            session.setRecording(m_recording, QLatin1String(stage));
            QCOMPARE(source.rows().size(), std::size_t(3));
            QCOMPARE(source.when(), QStringLiteral("after calibration"));
        }
    }

    void labelsLeadToTheObserverThatServesThem()
    {
        Session session;
        session.setRecording(m_recording, QStringLiteral("annotated"));
        ObserverSource source(&session);
        const trace::MomentPtr moment = session.moment();
        const ir::NodeId x = test::nodeAt(*moment, "x");
        const ir::NodeId weight = test::nodeAt(*moment, "conv_weight");
        const ir::NodeId conv = test::nodeAt(*moment, "conv2d");
        const ir::NodeId relu = test::nodeAt(*moment, "relu");
        QCOMPARE(nameOf(source.find(label({x, conv}))), nameOf(source.find(node(x))));
        QCOMPARE(source.find(label({weight, conv}))->observes, QStringList{QStringLiteral("conv_weight")});
        QCOMPARE(source.find(label({relu, ir::kNoNode}))->observes, QStringList{QStringLiteral("relu")});
        QVERIFY(!source.find(label({test::nodeAt(*moment, "conv_bias"), conv}))); // None: not quantized
        QVERIFY(!source.find(node(conv)));                                        // fused: its output has no observer
        QVERIFY(!source.find(Selected()));
        QVERIFY(!source.find(node(999999)));
    }

    void everyQuantizeAndDequantizeLeadsToItsObserver()
    {
        Session session;
        session.setRecording(m_recording, QStringLiteral("converted"));
        ObserverSource source(&session);
        int pairs = 0;
        const trace::MomentPtr moment = session.moment();
        for (const ir::Node* n = moment->top().graph->first(); n; n = n->next()) {
            if (n->target().find("quantize_per") == std::string::npos)
                continue;
            QVERIFY2(source.find(node(n->id())), n->name().c_str());
            ++pairs;
        }
        QVERIFY2(pairs >= 5, qPrintable(QString::number(pairs)));
    }

    void aFoldedWeightLeadsToItsObserver()
    {
        Session session;
        session.setRecording(m_recording, QStringLiteral("converted"));
        ObserverSource source(&session);
        int constants = 0;
        const trace::MomentPtr moment = session.moment();
        for (const ir::Node* n = moment->top().graph->first(); n; n = n->next())
            if (n->op() == ir::Op::GetAttr && n->name() != "conv_bias") { // the int8 weight, its scales and zero points
                QVERIFY2(source.find(node(n->id())), n->name().c_str());
                QCOMPARE(source.find(node(n->id()))->observes, QStringList{QStringLiteral("conv_weight")});
                ++constants;
            }
        QCOMPARE(constants, 3);
    }

    void aSharedObserverIsOneRow()
    {
        const trace::RecordingPtr recording = test::recordCase("cat.shared");
        QVERIFY(recording);
        Session session;
        session.setRecording(recording, QStringLiteral("calibrated"));
        ObserverSource source(&session);
        bool shared = false;
        for (const ObserverRow& row : source.rows())
            if (row.nodes.size() > 1) {
                shared = true;
                for (const ir::NodeId id : row.nodes)
                    QCOMPARE(source.find(node(id)), &row);
                QVERIFY(row.name().contains(QLatin1Char(',')));
            }
        QVERIFY(shared);
    }

private:
    trace::RecordingPtr m_recording;
};

QTEST_MAIN(ObserverSourceTest)
#include "tst_observer_source.moc"
