#include "layout/module_tree.h"

#include "layout/quotient.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace gb;
using namespace gb::views;

namespace {

/// A chain of ops with extra edges, each with its module path in parts ("a.b" lies in a and a.b).
struct Model {
    ir::Graph graph{std::make_shared<ir::NodeIds>(), ""};
    ModuleInput input;

    int op(const char* path, const std::vector<int>& from, int signature = 0)
    {
        std::vector<ir::Argument> args;
        for (const int source : from)
            args.push_back(ir::Argument::node(static_cast<ir::NodeId>(source)));
        graph.append({ir::Op::CallFunction, "aten.relu.default", std::move(args), {}, {}, {}});
        std::vector<int> stack;
        const std::string text = path;
        for (std::size_t end = 0; !text.empty() && end != std::string::npos;) {
            end = text.find('.', end == 0 ? 0 : end + 1);
            const std::string part = text.substr(0, end);
            auto place = std::find_if(input.modules.begin(), input.modules.end(),
                                      [&](const ModuleName& m) { return m.path == part; });
            if (place == input.modules.end())
                place = input.modules.insert(input.modules.end(), {part, "Block"});
            stack.push_back(static_cast<int>(place - input.modules.begin()));
            if (end == std::string::npos)
                break;
        }
        const int cell = static_cast<int>(input.stacks.size());
        input.stacks.push_back(stack);
        input.host.push_back(cell);
        input.isOp.push_back(true);
        input.signature.push_back(signature);
        input.name.push_back("n" + std::to_string(cell));
        return cell;
    }

    ModuleTree tree()
    {
        UnionGraph u;
        u.add(std::shared_ptr<const ir::Graph>(graph.clone()));
        u.finish();
        return ModuleTree(u, input);
    }
};

QString show(const ModuleTree& tree, int group = 0)
{
    QStringList out;
    for (const ModuleChild& child : tree.group(group).children)
        out << (child.isGroup ? QString::fromStdString(tree.key(child.index)) + QLatin1Char('(')
                                    + show(tree, child.index) + QLatin1Char(')')
                              : QString::number(child.index));
    return out.join(QLatin1Char(' '));
}

} // namespace

class ModuleTreeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modulesAreBoxesInBoxes()
    {
        Model m;
        const int x = m.op("", {});
        const int a = m.op("net.a", {x});
        const int b = m.op("net.a", {a});
        const int c = m.op("net.b", {b});
        m.op("net.b", {c});
        const ModuleTree tree = m.tree();
        QCOMPARE(show(tree), QStringLiteral("0 net(net.a(1 2) net.b(3 4))"));
        QCOMPARE(tree.groupOf(2), tree.find("net.a"));
        QCOMPARE(tree.group(tree.find("net")).cells, 4);
        QCOMPARE(tree.group(tree.find("net.b")).depth, 2);
    }

    void aModuleWithOneOpIsNoBox()
    {
        Model m;
        const int a = m.op("net.conv", {});
        m.op("net.relu", {a});
        QCOMPARE(show(m.tree()), QStringLiteral("net(0 1)"));
    }

    void aLoneModuleInAModuleIsOneBox()
    {
        Model m;
        const int x = m.op("", {});
        const int a = m.op("outer.inner", {x});
        m.op("outer.inner", {a});
        QCOMPARE(show(m.tree()), QStringLiteral("0 outer.inner(1 2)"));
    }

    void aModuleCalledTwiceIsTwoBoxes()
    {
        Model m;
        int at = m.op("", {});
        for (int call = 0; call < 2; ++call) {
            at = m.op("shared", {at});
            at = m.op("shared", {at});
            at = m.op("", {at});
        }
        const ModuleTree tree = m.tree();
        QCOMPARE(show(tree), QStringLiteral("0 shared#1(1 2) 3 shared#2(4 5) 6"));
        QCOMPARE(tree.group(tree.find("shared#2")).calls, 2);
    }

    void noGroupMakesACycle()
    {
        // a and b take turns: neither can be one box
        Model m;
        int at = m.op("", {});
        for (int i = 0; i < 6; ++i)
            at = m.op(i % 2 == 0 ? "a" : "b", {at});
        const ModuleTree tree = m.tree();
        QCOMPARE(show(tree), QStringLiteral("0 1 2 3 4 5 6"));
    }

    void parallelUsesOfOneModuleStayOneBox()
    {
        // two calls that do not wait for each other make no cycle
        Model m;
        const int x = m.op("", {});
        const int a = m.op("head", {x});
        const int b = m.op("head", {x});
        m.op("", {a, b});
        QCOMPARE(show(m.tree()), QStringLiteral("0 head(1 2) 3"));
    }

    void equalSiblingsAreOneWithACount()
    {
        const ModuleTree tree = blocks(5, -1);
        QCOMPARE(show(tree), QStringLiteral("0 blocks.0…blocks.4(blocks.0(1 2) blocks.1(3 4) blocks.2(5 6) "
                                            "blocks.3(7 8) blocks.4(9 10))"));
        QCOMPARE(tree.group(tree.find("blocks.0…blocks.4")).kind, ModuleGroup::Kind::Repeat);
    }

    void aDifferingOneBreaksTheFold()
    {
        const ModuleTree tree = blocks(7, 3);
        QVERIFY(tree.find("blocks.0…blocks.2") > 0);
        QVERIFY(tree.find("blocks.4…blocks.6") > 0);
        QCOMPARE(tree.group(tree.find("blocks.3")).parent, tree.find("blocks"));
        QCOMPARE(tree.find("blocks.0…blocks.6"), -1);
    }

    void aPatternOfBlocksIsOneWithACount()
    {
        // two kinds in turn, as in a Swin stage
        const ModuleTree tree = pattern({0, 1, 0, 1, 0, 1});
        const int repeat = tree.find("blocks.0…blocks.5");
        QVERIFY(repeat > 0);
        QCOMPARE(tree.group(repeat).kind, ModuleGroup::Kind::Repeat);
        QCOMPARE(tree.group(repeat).times, 3);
        QCOMPARE(tree.group(repeat).period, 2);
        QCOMPARE(tree.group(repeat).children.size(), std::size_t(6));
    }

    void whatIsLeftOfAPatternStaysBesideIt()
    {
        const ModuleTree tree = pattern({0, 1, 2, 0, 1, 2, 0});
        const int repeat = tree.find("blocks.0…blocks.5");
        QVERIFY(repeat > 0);
        QCOMPARE(tree.group(repeat).times, 2);
        QCOMPARE(tree.group(tree.find("blocks.6")).parent, tree.find("blocks"));
    }

    void aDifferingOneBreaksThePattern()
    {
        const ModuleTree tree = pattern({0, 1, 0, 1, 2, 1, 0, 1, 0});
        QVERIFY(tree.find("blocks.0…blocks.3") > 0);
        QVERIFY(tree.find("blocks.5…blocks.8") > 0);
        QCOMPARE(tree.group(tree.find("blocks.4")).parent, tree.find("blocks"));
    }

    void twoOfAKindAreNoPattern()
    {
        const ModuleTree tree = pattern({0, 0, 1, 2});
        for (const ModuleGroup& group : tree.groups())
            QVERIFY(group.kind != ModuleGroup::Kind::Repeat);
    }

    void aFlatLevelIsCutIntoParts()
    {
        Model m;
        int at = m.op("", {});
        for (int i = 1; i < 950; ++i)
            at = m.op("", {at});
        const ModuleTree tree = m.tree();
        QVERIFY(tree.group(0).children.size() >= 5 && tree.group(0).children.size() <= ModuleTree::kFlatLimit);
        int cells = 0;
        for (const ModuleChild& child : tree.group(0).children) {
            QVERIFY(child.isGroup);
            QCOMPARE(tree.group(child.index).kind, ModuleGroup::Kind::Part);
            QVERIFY(tree.group(child.index).children.size() <= ModuleTree::kFlatLimit);
            cells += tree.group(child.index).cells;
        }
        QCOMPARE(cells, 950);
    }

    void partsAreCutWhereFewLinesCross()
    {
        // blocks of 90 with five long lines inside each, one line between them
        Model m;
        int at = m.op("", {});
        for (int block = 0; block < 4; ++block) {
            const int first = at;
            for (int i = 0; i < 90; ++i)
                at = m.op("", i > 80 ? std::vector<int>{at, first} : std::vector<int>{at});
        }
        const ModuleTree tree = m.tree();
        for (std::size_t i = 1; i < tree.group(0).children.size(); ++i)
            QCOMPARE(tree.group(tree.group(0).children[i].index).children[0].index % 90, 0);
    }

    void whatNothingUsesIsPutAside()
    {
        Model m;
        for (int i = 0; i < 4; ++i)
            m.op("", {});
        const int a = m.op("", {});
        m.op("", {a});
        const ModuleTree tree = m.tree();
        QCOMPARE(show(tree), QStringLiteral("4 5 /unused(0 1 2 3)"));
    }

    void quotientOrderPutsProducersFirst()
    {
        const QuotientOrder order = orderOf(4, {{3, 1}, {1, 0}, {3, 0}});
        QCOMPARE(order.order, (std::vector<int>{2, 3, 1, 0}));
        QVERIFY(std::none_of(order.cyclic.begin(), order.cyclic.end(), [](bool c) { return c; }));
    }

    void quotientOrderFindsCycles()
    {
        const QuotientOrder order = orderOf(4, {{0, 1}, {1, 2}, {2, 1}, {2, 3}});
        QCOMPARE(order.cyclic, (std::vector<bool>{false, true, true, false}));
        QCOMPARE(order.order.size(), std::size_t(4));
    }

private:
    static ModuleTree blocks(int count, int odd)
    {
        std::vector<int> kinds(static_cast<std::size_t>(count), 0);
        if (odd >= 0)
            kinds[static_cast<std::size_t>(odd)] = 1;
        return pattern(kinds);
    }

    /// A chain of blocks of these kinds.
    static ModuleTree pattern(const std::vector<int>& kinds)
    {
        Model m;
        int at = m.op("", {});
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const std::string path = "blocks." + std::to_string(i);
            at = m.op(path.c_str(), {at});
            at = m.op(path.c_str(), {at}, kinds[i]);
        }
        return m.tree();
    }
};

QTEST_GUILESS_MAIN(ModuleTreeTest)
#include "tst_module_tree.moc"
