#include "ir/graph.h"

#include <QTest>

using namespace gb::ir;

namespace {

struct Fixture {
    std::shared_ptr<NodeIds> ids = std::make_shared<NodeIds>();
    Graph graph{ids, ""};
    Node* placeholder(const char* name) { return graph.append({Op::Placeholder, name, {}, {}, name}); }
    Node* call(const char* target, std::vector<Node*> inputs)
    {
        std::vector<Argument> args;
        for (const Node* n : inputs)
            args.push_back(Argument::node(n->id()));
        return graph.append({Op::CallFunction, target, std::move(args)});
    }
};

QString names(const std::vector<Node*>& nodes)
{
    QStringList out;
    for (const Node* n : nodes)
        out << QString::fromStdString(n->name());
    return out.join(' ');
}

/// Writes every edit as a word.
class Spy final : public GraphListener {
public:
    QStringList said;
    void nodeAdded(const Graph&, const Node& n) override { say("added", n); }
    void nodeErased(const Graph&, const Node& n) override { say("erased", n); }
    void nodeMoved(const Graph&, const Node& n) override { say("moved", n); }
    void inputsChanged(const Graph&, const Node& n) override { say("inputs", n); }
    void targetChanged(const Graph&, const Node& n) override { say("target", n); }
    void metaChanged(const Graph&, const Node& n) override { say("meta", n); }
    void annotationChanged(const Graph&, const Node& n, const AnnotationPtr& before) override
    {
        say(before ? "annotated again" : "annotated", n);
    }
    void attributeChanged(const GraphModule&, const std::string& name, const Tensor* value) override
    {
        said << QString(value ? "set %1" : "gone %1").arg(QString::fromStdString(name));
    }
    void moduleChanged(const GraphModule&, const std::string& target, const Module* module) override
    {
        said << QString(module ? "module %1" : "no module %1").arg(QString::fromStdString(target));
    }

private:
    void say(const char* what, const Node& n) { said << QString("%1 %2").arg(what, QString::fromStdString(n.name())); }
};

} // namespace

class GraphTest : public QObject {
    Q_OBJECT

private slots:
    void editsAreTakenBackInTheOrderOfUsersToo()
    {
        Graph g(std::make_shared<NodeIds>(), "");
        Node* x = g.append({Op::Placeholder, "x", {}, {}, "x"});
        const auto call = [&](Node* input) {
            return g.append({Op::CallFunction, "aten.relu.default", {Argument::node(input->id())}, {}, "relu"});
        };
        Node* a = call(x);
        Node* b = call(x);
        Node* c = call(x);
        const auto users = x->users();
        const auto places = Graph::placesAmongUsers(b);
        QCOMPARE(places, (std::vector<std::size_t>{1}));
        g.setArgs(b, {Argument::node(a->id())});
        g.setArgs(b, {Argument::node(x->id())}); // goes to the end
        QVERIFY(x->users() != users);
        Graph::setPlacesAmongUsers(b, places);
        QCOMPARE(x->users(), users);
        // as if it had never been there: not even its name is known
        const NodeId id = c->id();
        g.takeBack(c);
        QVERIFY(!g.find(id));
        QVERIFY(!g.find("relu_2"));
        QCOMPARE(g.nameOf(id), std::string());
        QCOMPARE(x->users(), (std::vector<Node*>{a, b}));
        QCOMPARE(g.size(), std::size_t{3});
        // who names it is its user no more
        Node* d = call(b);
        g.takeBack(b);
        QVERIFY(d->inputs().empty());
        QCOMPARE(x->users(), (std::vector<Node*>{a}));
    }

    void erasedNodesAreFreedOnceTheyAreMoreThanTheLiving()
    {
        Graph g(std::make_shared<NodeIds>(), "");
        Node* x = g.append({Op::Placeholder, "x", {}, {}, "x"});
        for (int i = 0; i < 500; ++i) {
            Node* n = g.append({Op::CallFunction, "aten.relu.default", {Argument::node(x->id())}, {}, "relu"});
            g.erase(n);
            g.freeErased();
        }
        QCOMPARE(g.size(), std::size_t{1});
        QCOMPARE(g.first(), x);
        QVERIFY(x->users().empty());
        QCOMPARE(g.nameOf(x->id() + 1), std::string("relu")); // the names of the gone are still known
    }

    // The orders below were printed by torch.fx 2.14 for the same edits.
    void usersMoveToTheEndWhenTheirArgumentsAreSet()
    {
        Fixture f;
        Node* x = f.placeholder("x");
        Node* y = f.placeholder("y");
        Node* w = f.placeholder("w");
        Node* relu = f.call("aten.relu.default", {x});
        Node* mul = f.call("aten.mul.Tensor", {x, y});
        Node* add = f.call("aten.add.Tensor", {x, y});
        QCOMPARE(names(x->users()), "relu_default mul_tensor add_tensor");
        f.graph.replaceInput(mul, y, w);
        QCOMPARE(names(x->users()), "relu_default add_tensor mul_tensor");
        f.graph.setArg(mul, 0, Argument::node(w->id()));
        QCOMPARE(names(x->users()), "relu_default add_tensor");
        QCOMPARE(names(w->users()), "mul_tensor");
        f.graph.setArgs(relu, {Argument::node(x->id())});
        QCOMPARE(names(x->users()), "add_tensor relu_default");
        f.graph.replaceAllUses(y, w);
        QCOMPARE(names(w->users()), "mul_tensor add_tensor");
        QVERIFY(y->users().empty());
        QCOMPARE(names(add->inputs()), "x w");
    }

    void aNodeUsedTwiceIsOneInputAndOneUser()
    {
        Fixture f;
        Node* x = f.placeholder("x");
        Node* add = f.call("aten.add.Tensor", {x, x});
        QCOMPARE(names(add->inputs()), "x");
        QCOMPARE(names(x->users()), "add_tensor");
        QCOMPARE(add->args().size(), std::size_t{2});
    }

    void keywordAndNestedArgumentsAreInputs()
    {
        Fixture f;
        Node* x = f.placeholder("x");
        Node* y = f.placeholder("y");
        Node* cat = f.graph.append({Op::CallFunction,
                                    "aten.cat.default",
                                    {Argument::list({Argument::node(x->id())})},
                                    {{"out", Argument::node(y->id())}}});
        QCOMPARE(names(cat->inputs()), "x y");
        f.graph.replaceInput(cat, y, x);
        QCOMPARE(names(cat->inputs()), "x");
        QCOMPARE(cat->kwargs()[0].second.nodeId(), x->id());
    }

    void insertionKeepsTheOrder()
    {
        Fixture f;
        Node* x = f.placeholder("x");
        Node* relu = f.call("aten.relu.default", {x});
        f.graph.insertBefore(relu, {Op::GetAttr, "w", {}, {}, "w"});
        f.graph.insertAfter(relu, {Op::GetAttr, "b", {}, {}, "b"});
        f.graph.insertAfter(nullptr, {Op::Placeholder, "first", {}, {}, "first"});
        QCOMPARE(names(f.graph.nodes()), "first x w relu_default b");
        f.graph.moveBefore(relu, x);
        QCOMPARE(names(f.graph.nodes()), "first relu_default x w b");
        f.graph.moveBefore(x, nullptr);
        QCOMPARE(names(f.graph.nodes()), "first relu_default w b x");
        QCOMPARE(f.graph.last(), x);
    }

    void erasedNodesAreForgottenButKeepTheirName()
    {
        Fixture f;
        Node* x = f.placeholder("x");
        Node* relu = f.call("aten.relu.default", {x});
        const NodeId id = relu->id();
        f.graph.erase(relu);
        QVERIFY(!f.graph.find(id) && !f.graph.find("relu_default"));
        QCOMPARE(f.graph.nameOf(id), std::string("relu_default"));
        QVERIFY(x->users().empty());
        QVERIFY(f.graph.isErased(relu));
        QCOMPARE(names({f.call("aten.relu.default", {x})}), "relu_default_1"); // the name stays taken
    }

    void deadCodeGoesFromTheEnd()
    {
        Fixture f;
        Node* x = f.placeholder("x");
        Node* a = f.call("aten.relu.default", {x});
        f.call("aten.add_.Tensor", {x});
        f.call("aten.mul.Tensor", {a});
        QVERIFY(f.graph.eliminateDeadCode([](const Node& n) { return n.target() == "aten.add_.Tensor"; }));
        QCOMPARE(names(f.graph.nodes()), "x add__tensor");
        QVERIFY(!f.graph.eliminateDeadCode([](const Node&) { return true; }));
    }

    void cloneIsEqualAndIndependent()
    {
        Fixture f;
        Node* x = f.placeholder("x");
        Node* relu = f.call("aten.relu.default", {x});
        f.call("aten.add.Tensor", {x, relu});
        f.graph.setArgs(relu, {Argument::node(x->id())}); // users of x are now in another order than the nodes
        Annotation a;
        a.annotated = true;
        f.graph.setAnnotation(relu, std::make_shared<const Annotation>(a));
        const auto copy = f.graph.clone();
        QCOMPARE(names(copy->nodes()), names(f.graph.nodes()));
        QCOMPARE(names(copy->find("x")->users()), "add_tensor relu_default");
        QVERIFY(copy->find(relu->id())->isAnnotated());
        copy->erase(copy->find("add_tensor"));
        QCOMPARE(f.graph.size(), std::size_t{3});
        QCOMPARE(names({copy->append({Op::CallFunction, "aten.add.Tensor"})}), "add_tensor_1");
    }

    void restoreRefusesATakenNumberOrName()
    {
        Fixture f;
        QVERIFY(f.graph.restore(nullptr, 7, "a", {Op::Placeholder, "a"}).ok());
        QVERIFY(!f.graph.restore(nullptr, 7, "b", {Op::Placeholder, "b"}));
        const auto twice = f.graph.restore(nullptr, 8, "a", {Op::Placeholder, "a"});
        QCOMPARE(twice.error().text(), std::string("node a: two nodes of this name"));
        QCOMPARE(f.placeholder("c")->id(), NodeId{8}); // numbers go on after the highest
    }

    void everyEditIsTold()
    {
        auto ids = std::make_shared<NodeIds>();
        GraphModule m(ids, "");
        Spy spy;
        m.setListener(&spy);
        Node* x = m.graph().append({Op::Placeholder, "x"});
        Node* relu = m.graph().append({Op::CallFunction, "aten.relu.default", {Argument::node(x->id())}});
        m.graph().setTarget(relu, "aten.relu_.default");
        m.graph().setAnnotation(relu, std::make_shared<const Annotation>());
        m.graph().setAnnotation(relu, nullptr);
        m.graph().setMeta(relu, std::make_shared<const NodeMeta>());
        m.graph().setArgs(relu, {});
        m.graph().moveBefore(relu, x);
        m.graph().erase(relu);
        m.setAttribute("w", {Tensor::scalar(1.0F)});
        m.eraseAttribute("w");
        m.eraseAttribute("w"); // nothing there: nothing to tell
        m.setModule("obs", std::make_shared<Module>());
        m.eraseModule("obs");
        const QStringList expected = {"added placeholder",
                                      "added relu_default",
                                      "target relu_default",
                                      "annotated relu_default",
                                      "annotated again relu_default",
                                      "meta relu_default",
                                      "inputs relu_default",
                                      "moved relu_default",
                                      "erased relu_default",
                                      "set w",
                                      "gone w",
                                      "module obs",
                                      "no module obs"};
        QCOMPARE(spy.said.join('|'), QString(expected.join('|')).replace("placeholder", "x"));
    }

    void moduleCloneSharesTensorsAndNotGraphs()
    {
        auto ids = std::make_shared<NodeIds>();
        GraphModule m(ids, "");
        m.graph().append({Op::Placeholder, "x"});
        m.setAttribute("w", {Tensor::scalar(1.0F)});
        m.setSubgraph("body", std::make_shared<GraphModule>(ids, "body"));
        m.inputNames = {"x"};
        const auto copy = m.clone();
        QVERIFY(copy->attribute("w")->value.sharesStorage(m.attribute("w")->value));
        QVERIFY(copy->subgraph("body") && copy->subgraph("body") != m.subgraph("body"));
        QCOMPARE(copy->inputNames, m.inputNames);
        copy->graph().erase(copy->graph().first());
        QCOMPARE(m.graph().size(), std::size_t{1});
    }

    void copiesOfAModuleNumberTheirNodesApartAndAlike()
    {
        auto ids = std::make_shared<NodeIds>();
        GraphModule m(ids, "");
        m.graph().append({Op::Placeholder, "x"});
        const auto first = m.clone();
        const NodeId given = first->graph().append({Op::Placeholder, "y"})->id();
        QCOMPARE(m.clone()->graph().append({Op::Placeholder, "y"})->id(), given);
        QCOMPARE(m.graph().append({Op::Placeholder, "y"})->id(), given);
    }
};

QTEST_GUILESS_MAIN(GraphTest)
#include "tst_graph.moc"
