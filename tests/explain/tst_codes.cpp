// The vocabulary of "why", and the settings that came to a node.
#include "explain/cascade.h"
#include "explain/codes.h"

#include <QTest>

#include <set>

using namespace gb;
using explain::CascadeEntry;
using State = explain::CascadeEntry::State;
using trace::Event;
using trace::EventKind;

namespace {

constexpr ir::NodeId kNode = 7;

/// A recording of rules; the node's events lie in the rule that was said last.
class Rules {
public:
    Rules& rule(const char* setting, const char* place = "")
    {
        Event e;
        e.kind = EventKind::Rule;
        e.fields = {{"setting", ir::Argument(setting)}, {"place", ir::Argument(place)}};
        m_rule = add(std::move(e));
        return *this;
    }
    Rules& refused(const char* code, ir::NodeId node = kNode)
    {
        Event e;
        e.kind = EventKind::Attempt;
        e.nodes = {node};
        e.fields = {{"code", ir::Argument(code)}};
        e.sentence = base::message("refused with {0}", code);
        add(std::move(e));
        return *this;
    }
    Rules& labelled()
    {
        Event e;
        e.kind = EventKind::Annotate;
        e.nodes = {kNode};
        e.sentence = base::message("labelled");
        add(std::move(e));
        return *this;
    }
    [[nodiscard]] std::vector<std::string> cascade() const
    {
        std::vector<std::string> out;
        for (const CascadeEntry& entry : explain::settingsCascade(m_recording, kNode))
            out.push_back(entry.place + entry.setting + " " + explain::name(entry.state) + ": " + entry.because);
        return out;
    }

private:
    int add(Event e)
    {
        const int index = static_cast<int>(m_recording.events.size());
        e.last = index;
        if (e.kind != EventKind::Rule) {
            e.parent = m_rule;
            m_recording.events[static_cast<std::size_t>(m_rule)].last = index;
        }
        m_recording.events.push_back(std::move(e));
        return index;
    }

    trace::Recording m_recording;
    int m_rule = -1;
};

using Lines = std::vector<std::string>;

} // namespace

class TestCodes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCodeHasAVerdict()
    {
        const std::set<std::string> verdicts = {"by design", "excluded", "not supported",
                                                "blocked",   "problem",  "not recorded"};
        for (const auto& [letter, count] : {std::pair('R', 18), std::pair('O', 6), std::pair('C', 4)})
            for (int i = 1; i <= count; ++i) {
                const std::string code = letter + std::to_string(i);
                QVERIFY2(verdicts.contains(explain::verdictOf(code)), code.c_str());
                // what is no design of the quantizer has a way out
                const std::string verdict = explain::verdictOf(code);
                if (verdict == "problem" || verdict == "blocked" || verdict == "excluded")
                    QVERIFY2(!explain::adviceFor(code).empty(), code.c_str());
            }
        for (const char* unknown : {"R0", "R19", "O7", "C5", "", "X1"}) {
            QCOMPARE(std::string(explain::verdictOf(unknown)), std::string());
            QVERIFY(explain::adviceFor(unknown).empty());
        }
    }

    void aConcreteObstacleOutranksAMissingRule()
    {
        const std::vector<const char*> order = {"R16", "R8", "R7", "R3", "R5", "R4", "R6", "R9", "R2", "R1", "Z9"};
        for (std::size_t i = 1; i < order.size(); ++i)
            QVERIFY2(explain::rankOf(order[i - 1]) < explain::rankOf(order[i]), order[i]);
    }

    void theLastWriterWinsAndTheOthersAreOverridden()
    {
        QCOMPARE(Rules().rule("module_name a").labelled().rule("global").refused("R5").cascade(),
                 (Lines{"module_name a wins: labelled", "global overridden: refused with R5"}));
        QCOMPARE(Rules().rule("global", "0").labelled().rule("global", "1").labelled().cascade(),
                 (Lines{"0global overridden: labelled", "1global wins: labelled"}));
    }

    void aSettingIsWhatItsRulesDidAtMost()
    {
        // one of its rules was kept out by the filter, another reached the node and refused it
        QCOMPARE(
            Rules().rule("global").refused("R4").rule("global").refused("R7").rule("global").refused("R4").cascade(),
            (Lines{"global refused: refused with R7"}));
        QCOMPARE(Rules().rule("module_name b").refused("R4").cascade(),
                 (Lines{"module_name b excluded: refused with R4"}));
    }

    void whatDidNotLookAtTheNodeIsNotThere()
    {
        QCOMPARE(Rules().rule("global").refused("R7", kNode + 1).rule("module_name a").cascade(), Lines());
    }
};

QTEST_GUILESS_MAIN(TestCodes)
#include "tst_codes.moc"
