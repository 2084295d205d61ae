#include "inspector/event_list_model.h"
#include "inspector/reasons.h"
#include "panel_run.h"

#include <QAbstractItemModelTester>

using namespace gb;
using namespace gb::views;

class ReasonsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyUnlabelledOpHasAReason()
    {
        const trace::RecordingPtr recording = test::recordCase("nothing.xnnpack");
        QVERIFY(recording);
        Session session;
        session.setRecording(recording);
        const Explanation explanation(&session);
        test::waitFor(explanation);
        ReasonSource source(&explanation);
        QVERIFY(source.problem().isEmpty());
        const trace::MomentPtr annotated = session.momentOfStage(QStringLiteral("annotated"));
        int unlabelled = 0;
        for (const ir::Node* n = annotated->top().graph->first(); n; n = n->next()) {
            if (n->op() != ir::Op::CallFunction || n->annotation())
                continue;
            const std::vector<Reason> reasons = source.of(n->id());
            QVERIFY2(!reasons.empty(), n->name().c_str());
            QVERIFY(reasons.front().isUnlabelled());
            QVERIFY(!reasons.front().verdict.isEmpty());
            QVERIFY(!reasons.front().sentence.isEmpty());
            ++unlabelled;
        }
        QVERIFY(unlabelled > 0);
    }

    void aRecordingWithoutARecipeStillHasReasons()
    {
        auto recording = std::make_shared<trace::Recording>(*test::recordCase("nothing.xnnpack"));
        recording->header.recipe = "null"; // one that a Python quantizer made
        Session session;
        session.setRecording(recording);
        const Explanation explanation(&session);
        test::waitFor(explanation);
        ReasonSource source(&explanation);
        QVERIFY(!source.all().empty());
    }

    void withoutARecordingThereIsNothing()
    {
        Session session;
        const Explanation explanation(&session);
        test::waitFor(explanation);
        ReasonSource source(&explanation);
        QVERIFY(source.all().empty());
        QVERIFY(source.problem().isEmpty());
    }

    void eventsOfANodeAreAscendingAndTouchIt()
    {
        const trace::RecordingPtr recording = test::recordCase("conv_relu.xnnpack");
        Session session;
        session.setRecording(recording, QStringLiteral("annotated"));
        const ir::NodeId relu = test::nodeAt(*session.moment(), "relu");
        const std::vector<int> events = eventsOf(*recording, relu);
        QVERIFY(!events.empty());
        QVERIFY(std::ranges::is_sorted(events));
        const int label = labelledBy(*recording, relu, session.cursor());
        QVERIFY(label >= 0);
        QVERIFY(std::ranges::find(events, label) != events.end());
        QCOMPARE(labelledBy(*recording, relu, 0), -1); // not yet
        QCOMPARE(erasedBy(*recording, relu), -1);
    }

    void theEventListShowsConditionFoundAndExpected()
    {
        auto recording = std::make_shared<trace::Recording>();
        trace::Event attempt;
        attempt.kind = trace::EventKind::Attempt;
        attempt.sentence = base::message("conv cannot take {0}", "conv2d");
        attempt.nodes = {3};
        attempt.fields = {{"condition", "has_other_users"}, {"found", "2 users"}, {"expected", "one user"}};
        recording->events = {trace::Event(), attempt};
        EventListModel model;
        const QAbstractItemModelTester tester(&model);
        model.setEvents(recording, eventsOf(*recording, 3));
        QCOMPARE(model.tsv(), QStringLiteral("1\tconv cannot take conv2d\thas_other_users\t2 users\tone user"));
        QCOMPARE(model.eventOf(0), 1);
        model.setTheme(Theme::of(ThemeKind::Dark));
        QCOMPARE(model.index(0, 0).data(Qt::ForegroundRole).value<QColor>(),
                 Theme::of(ThemeKind::Dark).ink(Ink::Muted));
        model.setEvents(nullptr, {});
        QCOMPARE(model.rowCount(), 0);
    }
};

QTEST_MAIN(ReasonsTest)
#include "tst_reasons.moc"
