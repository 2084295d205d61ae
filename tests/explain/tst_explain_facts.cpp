// Evidence for each code, what settings came to, and that the parts of a report agree with the recording.
#include "explain/evidence.h"
#include "explain/references.h"
#include "explain/search_index.h"
#include "explained.h"
#include "recipes.h"

#include <QDir>

#include <set>

using namespace gb;
using namespace gb::test;
using ir::Argument;
using ir::Node;
using ir::Tensor;

namespace {

Tensor zeros(ir::Shape shape)
{
    return Tensor::zeros(ir::DType::Float32, std::move(shape));
}

ir::NodeMetaPtr inModule(const std::string& path)
{
    auto meta = std::make_shared<ir::NodeMeta>(*tensorMeta());
    meta->nnModuleStack = {{"net", "net", "models.Net"}, {path, path, "torch.nn.modules.linear.Linear"}};
    return meta;
}

/// All evidence of a node, one line each.
QStringList evidence(const Explained& run, const char* node)
{
    QStringList out;
    if (const explain::NodeReason* reason = run.reason(node))
        for (const explain::Evidence& e : reason->evidence)
            out << QString::fromStdString(e.sentence.text());
    return out;
}

const explain::SettingReason* setting(const Explained& run, const std::string& name)
{
    for (const explain::SettingReason& s : run.answer.settings)
        if (s.setting == name)
            return &s;
    return nullptr;
}

/// linear in net.fc, with these settings of xnnpack beside or instead of a global one.
Explained linearWith(const char* recipe)
{
    Model m;
    Node* w = m.attribute("w", zeros({3, 3}));
    m.output({m.call("aten.linear.default", {ref(m.input("x")), ref(w)}, inModule("net.fc"))});
    return explained(m.module, recipe);
}

QStringList caseNames()
{
    QStringList out;
    for (const QString& file : QDir(QStringLiteral(GREENBOX_TEST_DATA "/cases")).entryList({QStringLiteral("*.pt2")}))
        out << file.chopped(4);
    return out;
}

void addCaseRows()
{
    QTest::addColumn<QString>("name");
    for (const QString& name : caseNames())
        QTest::newRow(name.toLatin1().constData()) << name;
}

Explained runCase(const QString& name)
{
    return explainedCase("cases", name.toStdString(), name.contains(QLatin1String("_qat")) ? "qat" : "ptq");
}

std::string textOf(const ir::Graph& graph, const Argument& position)
{
    std::string out;
    for (const Argument& id : position.as<ir::Sequence>()->items)
        out += (out.empty() ? "" : " -> ") + graph.nameOf(id.nodeId());
    return out;
}

} // namespace

class TestExplainFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sourceMetadataIsShown()
    {
        Model m;
        m.output({m.call("aten.cat.default", {Argument::list({ref(m.input("x"))})})});
        QVERIFY(evidence(explained(m.module, kXnnpack), "cat").contains(QStringLiteral("cat has no source_fn_stack")));
    }

    void theModuleThatASettingMissedIsShown()
    {
        const Explained run = linearWith(kOtherName);
        QCOMPARE(run.codeOf("linear"), std::string("R4"));
        QCOMPARE(evidence(run, "linear"),
                 QStringList(QStringLiteral("linear lies in module net.fc (torch.nn.modules.linear.Linear)")));
    }

    void theProducerOfWhatIsPropagatedIsShown()
    {
        Model m;
        Node* cos = m.call("aten.cos.default", {ref(m.input("x"))});
        m.output({m.call("aten.flatten.using_ints", {ref(cos)})});
        const Explained run = explained(m.module, kXnnpack);
        QCOMPARE(run.codeOf("flatten"), std::string("R1")); // no rule could ever label cos
        QVERIFY(evidence(run, "flatten").contains(QStringLiteral("its producer cos (aten.cos.default) has no label")));
    }

    void aMissingLabelOfARuledProducerBlocks()
    {
        Model m;
        Node* x = m.input("x");
        m.graph().setMeta(x, tensorMeta(ir::DType::Int64)); // add has a rule, but refuses integers
        Node* add = m.call("aten.add.Tensor", {ref(x), ref(x)});
        m.output({m.call("aten.flatten.using_ints", {ref(add)})});
        const Explained run = explained(m.module, kXnnpack);
        QCOMPARE(run.codeOf("flatten"), std::string("R9"));
        QVERIFY(evidence(run, "flatten").contains(QStringLiteral("its producer add (aten.add.Tensor) has no label")));
        QVERIFY(evidence(run, "add").contains(QStringLiteral("inputs: x is int64 [2, 3]")));
    }

    void theCallerOfASubgraphIsShown()
    {
        Model m;
        auto body = std::make_shared<ir::GraphModule>(m.module->ids(), "true_graph_0");
        body->graph().append({.op = ir::Op::CallFunction, .target = "aten.cos.default", .nameHint = "cos"});
        m.module->setSubgraph("true_graph_0", body);
        Node* function = m.graph().append({.op = ir::Op::GetAttr, .target = "true_graph_0"});
        m.graph().append({.op = ir::Op::CallFunction, .target = "cond", .args = {ref(function)}, .nameHint = "cond"});
        m.output({});
        const Explained run = explained(m.module, kXnnpack);
        QCOMPARE(evidence(run, "cos"), QStringList(QStringLiteral("true_graph_0 is a function of cond (cond)")));
        QCOMPARE(run.answer.summary.inSubgraphsNotEntered, 1);
        QCOMPARE(run.problem("sub-graph not entered"),
                 std::string("the quantizer never enters the sub-graph true_graph_0: 1 of 1 ops lie there"));
    }

    void valuesAreNamedForWhatTheyAre()
    {
        Model m;
        Node* x = m.input("x");
        QCOMPARE(explain::valueText(*x), std::string("float32 [2, 3]"));
        auto meta = std::make_shared<ir::NodeMeta>();
        m.graph().setMeta(x, meta);
        QCOMPARE(explain::valueText(*x), std::string("without tensor metadata"));
        meta = std::make_shared<ir::NodeMeta>();
        meta->val.kind = ir::ValueMeta::Kind::Several;
        meta->val.parts.resize(2);
        m.graph().setMeta(x, meta);
        QCOMPARE(explain::valueText(*x), std::string("2 values"));
        meta = std::make_shared<ir::NodeMeta>();
        meta->val.kind = ir::ValueMeta::Kind::Scalar;
        meta->val.scalar = "s77";
        m.graph().setMeta(x, meta);
        QCOMPARE(explain::valueText(*x), std::string("the number s77"));
    }

    void aSettingKnowsWhatItReachedAndWhatIsNear()
    {
        const Explained right = linearWith(kRightName);
        QCOMPARE(setting(right, "module_name net.fc")->reached.front(), std::string("w"));
        QVERIFY(!setting(right, "module_name net.fc")->nearest);
        const Explained wrong = linearWith(kOtherName);
        const explain::SettingReason* s = setting(wrong, "module_name fc");
        QVERIFY(s && s->read && s->reached.empty());
        QCOMPARE(*s->nearest, std::string("net.fc"));
    }

    void aSettingThatNobodyReadsIsTheReason()
    {
        const Explained run = linearWith(kOperatorType);
        QCOMPARE(run.codeOf("linear"), std::string("R13"));
        QVERIFY(
            run.reason("linear")->sentence.text().starts_with("operator_type aten.linear names aten.linear.default"));
        QVERIFY(!setting(run, "operator_type aten.linear")->read);
    }

    void withoutASettingARuleDoesNotRun()
    {
        const Explained run = linearWith(kNoSetting);
        QCOMPARE(run.codeOf("linear"), std::string("R4"));
        QVERIFY(run.reason("linear")->sentence.text().find("no setting of the recipe lets it run")
                != std::string::npos);
    }

    void opsThatAreNeverNegativeAreKnown()
    {
        Model m;
        Node* x = m.input("x");
        for (const char* op : {"aten.relu.default", "aten.sigmoid.default", "aten._softmax.default"})
            QVERIFY(explain::isNeverNegative(*m.call(op, {ref(x)})));
        QVERIFY(explain::isNeverNegative(*m.call("aten.hardtanh.default", {ref(x), Argument(0.0), Argument(6.0)})));
        QVERIFY(!explain::isNeverNegative(*m.call("aten.hardtanh.default", {ref(x), Argument(-1.0), Argument(1.0)})));
        QVERIFY(!explain::isNeverNegative(*m.call("aten.hardtanh.default", {ref(x)})));
        QVERIFY(!explain::isNeverNegative(*m.call("aten.tanh.default", {ref(x)})));
    }

    // the groups are worked out anew from the labels; prepare's own are in the recording
    void sharingGroupsAreThoseOfPrepare_data() { addCaseRows(); }
    void sharingGroupsAreThoseOfPrepare()
    {
        QFETCH(QString, name);
        const Explained run = runCase(name);
        QVERIFY(run.report);
        trace::Replay replay(run.recording);
        const int end = static_cast<int>(run.recording->events.size()) - 1;
        const auto moment = replay.at(end);
        std::set<std::string> recorded;
        for (const trace::Event& e : run.recording->events) {
            if (e.kind != trace::EventKind::Group)
                continue;
            std::string row = e.graph + ":" + std::to_string(*e.field("group")->as<std::int64_t>());
            for (const Argument& position : e.field("members")->as<ir::Sequence>()->items)
                row += " | " + textOf(*(*moment)->graphs.at(e.graph)->graph, position);
            recorded.insert(row);
        }
        std::set<std::string> found;
        for (const explain::SharingGroup& group : run.report->sharing.groups) {
            std::string row = group.graph + ":" + std::to_string(group.number);
            for (const explain::SharingMember& m : group.members)
                row += " | " + m.text;
            found.insert(row);
        }
        if (!recorded.empty())
            QCOMPARE(found, recorded);
    }

    // every label has an observer of its own or a code, every observer a q/dq pair or a code
    void labelsAndObserversAddUp_data() { addCaseRows(); }
    void labelsAndObserversAddUp()
    {
        QFETCH(QString, name);
        const Explained run = runCase(name);
        if (run.recording->stageEvent("prepared") < 0)
            return;
        std::multiset<ir::Position> open;
        trace::Replay replay(run.recording);
        int prepare = 0; // prepare for training rewrites labelled nodes before this
        while (run.recording->events[static_cast<std::size_t>(prepare)].name != "prepare")
            ++prepare;
        const auto taken = replay.at(prepare - 1);
        const ir::Graph& graph = *(*taken)->top().graph;
        for (const Node* n = graph.first(); n; n = n->next()) {
            if (!n->annotation())
                continue;
            for (const auto& [upstream, spec] : n->annotation()->inputs)
                for (const Argument& a : n->args())
                    ir::forEachNode(a, [&, up = upstream](ir::NodeId id) {
                        if (id == up)
                            open.insert({up, n->id()});
                    });
            if (n->annotation()->output)
                open.insert({n->id(), ir::kNoNode});
        }
        for (const trace::Event& e : run.recording->events)
            if (e.kind == trace::EventKind::Insert && e.graph.empty()) {
                const auto* list = e.field("position")->as<ir::Sequence>();
                const ir::Position p{list->items[0].nodeId(),
                                     list->items.size() > 1 ? list->items[1].nodeId() : ir::kNoNode};
                open.erase(p);
            }
        for (const explain::NodeReason& n : run.answer.nodes)
            if (n.code.starts_with('O') && n.graph.empty())
                open.erase(n.position);
        QVERIFY2(open.empty(), graph.nameOf(open.empty() ? 0 : open.begin()->node).c_str());
    }

    void theIndexHasEveryNodeOnce_data() { addCaseRows(); }
    void theIndexHasEveryNodeOnce()
    {
        QFETCH(QString, name);
        const Explained run = runCase(name);
        const auto index = explain::searchIndex(run.recording, run.answer);
        QVERIFY(index.ok());
        std::set<ir::NodeId> ids;
        for (const explain::SearchRow& row : index->rows)
            QVERIFY2(ids.insert(row.id).second, row.name.c_str());
        int labelled = 0;
        for (const explain::SearchRow& row : index->rows)
            labelled += row.labelled;
        QVERIFY(labelled >= run.answer.summary.labelled);
    }
};

QTEST_GUILESS_MAIN(TestExplainFacts)
#include "tst_explain_facts.moc"
