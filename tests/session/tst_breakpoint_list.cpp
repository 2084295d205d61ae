// The list of breakpoints: adding, switching off, removing, and continuing to the next stop.
#include "small_run.h"
#include "timeline/breakpoint_list.h"

#include <QListWidget>
#include <QtTest>

using namespace gb;
using namespace gb::views;

class BreakpointListTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_session = std::make_unique<Session>();
        m_session->setRecording(test::smallRun());
        m_session->setCursor(0);
        m_list = std::make_unique<BreakpointList>(m_session.get());
    }
    void cleanup() { m_list.reset(); }

    void addsWhatIsWrittenAndSaysWhatIsWrong()
    {
        QSignalSpy changed(m_list.get(), &BreakpointList::changed);
        QVERIFY(m_list->add(QStringLiteral("event:stage")));
        QVERIFY(m_list->add(QStringLiteral("event:stage"))); // once is enough
        QCOMPARE(m_list->breakpoints().size(), std::size_t{1});
        QVERIFY(changed.count() > 0);
        QVERIFY(!m_list->add(QStringLiteral("nod:x")));
        QVERIFY(m_list->message().startsWith(QStringLiteral("column 1: \"nod:\" found")));
        QCOMPARE(m_list->breakpoints().size(), std::size_t{1});
    }

    void continueGoesToTheNextStopAndBack()
    {
        QVERIFY(!m_list->canContinue());
        m_list->add(QStringLiteral("event:stage"));
        QVERIFY(m_list->canContinue());
        QVERIFY(!m_list->stops().empty());
        m_list->continueForward();
        const int first = m_session->cursor();
        QVERIFY(m_session->current()->kind == trace::EventKind::Stage);
        m_list->continueForward();
        QVERIFY(m_session->cursor() > first);
        m_list->continueBack();
        QCOMPARE(m_session->cursor(), first);
    }

    void oneThatIsSwitchedOffDoesNotStop()
    {
        m_list->add(QStringLiteral("event:stage"));
        auto* list = m_list->findChild<QListWidget*>();
        list->item(0)->setCheckState(Qt::Unchecked);
        QVERIFY(!m_list->breakpoints()[0].enabled);
        QVERIFY(!m_list->canContinue());
        QVERIFY(m_list->stops().empty());
        m_list->continueForward();
        QCOMPARE(m_session->cursor(), m_session->eventCount() - 1);
    }

    void whatIsKeptComesBackAsItWas()
    {
        m_list->add(QStringLiteral("event:stage"));
        m_list->add(QStringLiteral("scale<0.001 obs:activation_post_process_3"));
        m_list->findChild<QListWidget*>()->item(0)->setCheckState(Qt::Unchecked);
        const QStringList kept = m_list->kept();
        QCOMPARE(kept, (QStringList{QStringLiteral("off event:stage"),
                                    QStringLiteral("on scale<0.001 obs:activation_post_process_3")}));
        BreakpointList other(m_session.get());
        QSignalSpy changed(&other, &BreakpointList::changed);
        other.restore(kept + QStringList{QStringLiteral("on nothing"), QString()});
        QCOMPARE(changed.count(), 1);
        QVERIFY(other.breakpoints() == m_list->breakpoints());
        QCOMPARE(other.kept(), kept);
    }

    void aNodeIsToggledAndARowRemoved()
    {
        const ir::NodeId node = m_session->moment()->top().graph->first()->id();
        m_list->toggleNode(node);
        QCOMPARE(m_list->breakpoints().size(), std::size_t{1});
        m_list->toggleNode(node);
        QVERIFY(m_list->breakpoints().empty());
        m_list->add(QStringLiteral("reason:R5"));
        m_list->findChild<QListWidget*>()->setCurrentRow(0);
        m_list->removeCurrent();
        QVERIFY(m_list->breakpoints().empty());
        m_list->removeCurrent();
    }

private:
    std::unique_ptr<Session> m_session;
    std::unique_ptr<BreakpointList> m_list;
};

QTEST_MAIN(BreakpointListTest)
#include "tst_breakpoint_list.moc"
