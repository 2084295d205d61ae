#include "ir/argument.h"

#include <QTest>

using namespace gb::ir;

class ArgumentTest : public QObject {
    Q_OBJECT

    static Argument nested()
    {
        return Argument::list({Argument::node(3), Argument::tuple({Argument::node(1), 2}),
                               Argument(Argument::Value(SliceArgument{{Argument(), Argument::node(3), Argument(1)}})),
                               Argument(Argument::Value(Mapping{{{"k", Argument::node(7)}}}))});
    }

private slots:
    void nodesAreVisitedDepthFirst()
    {
        std::vector<NodeId> seen;
        forEachNode(nested(), [&](NodeId id) { seen.push_back(id); });
        QCOMPARE(seen, (std::vector<NodeId>{3, 1, 3, 7}));
    }

    void mappingReplacesEveryNode()
    {
        const Argument mapped = mapNodes(nested(), [](NodeId id) { return Argument::node(id + 10); });
        std::vector<NodeId> seen;
        forEachNode(mapped, [&](NodeId id) { seen.push_back(id); });
        QCOMPARE(seen, (std::vector<NodeId>{13, 11, 13, 17}));
        QVERIFY(!(mapped == nested()));
    }

    void equalityLooksInside()
    {
        QVERIFY(nested() == nested());
        QVERIFY(!(Argument::list({1}) == Argument::tuple({1})));
        QVERIFY(!(Argument(1) == Argument(1.0)));
        QVERIFY(!(Argument(true) == Argument(1)));
        QVERIFY(Argument() == Argument());
        QVERIFY(!(Argument("a") == Argument("b")));
    }

    void nodeIdOfOtherValuesIsNone()
    {
        QCOMPARE(Argument::node(5).nodeId(), NodeId{5});
        QCOMPARE(Argument(5).nodeId(), kNoNode);
        QVERIFY(Argument().isNone());
    }
};

QTEST_GUILESS_MAIN(ArgumentTest)
#include "tst_argument.moc"
