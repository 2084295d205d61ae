// Sharing groups: members with their own ranges, joins with what was compared, and what prepare would refuse.
#include "explained.h"
#include "recipes.h"

using namespace gb;
using namespace gb::test;
using explain::SharingGroup;
using ir::Node;
using ir::Tensor;

namespace {

const SharingGroup* groupWith(const Explained& run, const std::string& member)
{
    for (const SharingGroup& group : run.report->sharing.groups)
        for (const explain::SharingMember& m : group.members)
            if (m.text == member)
                return &group;
    return nullptr;
}

std::string membersOf(const SharingGroup& group)
{
    std::string out;
    for (const explain::SharingMember& m : group.members)
        out += (out.empty() ? "" : ", ") + m.text + (m.decides ? "*" : "");
    return out;
}

/// minimum(x, y) with all in one group; x spans -6..6, y 0..0.09375.
Explained minimum()
{
    Model m;
    Node* x = m.input("x");
    Node* y = m.input("y");
    m.output({m.call("aten.minimum.default", {ref(x), ref(y)})});
    const std::vector<float> wide{-6, -3, 0, 1, 3, 6};
    const std::vector<float> narrow{0, 0.01F, 0.02F, 0.05F, 0.08F, 0.09375F};
    return explained(m.module,
                     rulesRecipe(rule("minimum.default", input(0, kQ) + ", " + input(1, sharedWithInput(0)),
                                      output(sharedWithInput(0)))),
                     {}, {{Tensor::fromVector(wide, {2, 3}), Tensor::fromVector(narrow, {2, 3})}});
}

/// relu, then tanh, with the given specs on their outputs.
Explained reluTanh(const std::string& relu, const std::string& tanh, const std::string& tanhInput = {})
{
    Model m;
    Node* first = m.call("aten.relu.default", {ref(m.input("x"))});
    m.output({m.call("aten.tanh.default", {ref(first)})});
    return explained(m.module, rulesRecipe(rule("relu.default", "", output(relu)) + ", "
                                           + rule("tanh.default", tanhInput, output(tanh))));
}

} // namespace

class TestExplainSharing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGroupHasItsMembersAndTheOneThatDecides()
    {
        const Explained run = minimum();
        const SharingGroup* group = groupWith(run, "minimum");
        QVERIFY(group);
        QCOMPARE(membersOf(*group), std::string("x -> minimum*, y -> minimum, minimum"));
        QCOMPARE(group->observer, std::string("MinMaxObserver"));
        QCOMPARE(group->members[1].rule, std::string("label minimum.default"));
        QCOMPARE(group->joins.size(), std::size_t{2});
        QCOMPARE(group->joins[0].how, std::string("explicit"));
        QVERIFY(group->joins[0].compared.empty());
    }

    void eachMemberHasItsOwnRangeAndWhatItLoses()
    {
        const Explained run = minimum();
        const SharingGroup& group = *groupWith(run, "minimum");
        QVERIFY(group.members[1].own && group.joint);
        QCOMPARE(group.members[1].own->high, 0.09375);
        QCOMPARE(group.joint->low, -6.0);
        QCOMPARE(group.joint->high, 6.0);
        QCOMPARE(*group.members[1].bitsLost, 7.0); // log2(12 / 0.09375)
        QCOMPARE(*group.members[0].bitsLost, 0.0);
        QCOMPARE(run.problem("bits lost to sharing"),
                 std::string("y -> minimum spans 0 to 0.09375 and shares with -6 to 6: 7 bits of its codes are lost"));
    }

    void anImplicitJoinComparesEightAttributes()
    {
        Model m;
        Node* relu = m.call("aten.relu.default", {ref(m.input("x"))});
        m.output({m.call("aten.tanh.default", {ref(relu)})});
        const Explained run = explained(m.module, rulesRecipe(rule("relu.default", "", output(kQ)) + ", "
                                                              + rule("tanh.default", input(0, kQ), output(kQ))));
        const SharingGroup* group = groupWith(run, "relu");
        QVERIFY(group);
        QCOMPARE(membersOf(*group), std::string("relu*, relu -> tanh"));
        QCOMPARE(group->joins.size(), std::size_t{1});
        QCOMPARE(group->joins[0].how, std::string("same_tensor"));
        QCOMPARE(group->joins[0].compared.size(), std::size_t{8});
        QCOMPARE(group->joins[0].compared[0].name, std::string("dtype"));
        QCOMPARE(group->joins[0].compared[0].a, std::string("int8"));
        for (const explain::ComparedAttribute& a : group->joins[0].compared)
            QVERIFY2(a.equal(), a.name.c_str());
    }

    void usersOfOneTensorShareWhereTheirSpecsAgree()
    {
        const auto make = [](const std::string& tanh) {
            Model m;
            Node* x = m.input("x");
            m.output({m.call("aten.relu.default", {ref(x)}), m.call("aten.tanh.default", {ref(x)})});
            return explained(m.module, rulesRecipe(rule("relu.default", input(0, kQ), "") + ", "
                                                   + rule("tanh.default", input(0, tanh), "")));
        };
        const Explained run = make(kQ);
        const SharingGroup* group = groupWith(run, "x -> relu");
        QVERIFY(group);
        QCOMPARE(membersOf(*group), std::string("x -> relu*, x -> tanh"));
        QCOMPARE(group->joins[0].how, std::string("other_user"));
        QCOMPARE(group->joins[0].compared.size(), std::size_t{8});
        QCOMPARE(membersOf(*groupWith(make(kUint8), "x -> relu")), std::string("x -> relu*"));
    }

    void aDanglingReferenceIsFoundBeforePrepare()
    {
        Model m;
        Node* relu = m.call("aten.relu.default", {ref(m.input("x"))});
        m.output({m.call("aten.tanh.default", {ref(relu)})});
        engine::RunOptions options;
        options.stopAfter = "annotated";
        const Explained run =
            explained(m.module, rulesRecipe(rule("tanh.default", "", output(sharedWith("relu")))), options);
        QVERIFY(!run.recording->failure);
        QCOMPARE(run.problem("dangling reference"),
                 std::string("output tanh, which shares with relu, which has no label. Label relu, or give tanh a spec "
                             "of its own"));
        QCOMPARE(reluTanh(kQ, sharedWith("relu")).problem("dangling reference"), std::string());
    }

    void aCycleIsFoundWithItsChain()
    {
        const Explained run = reluTanh(sharedWith("tanh"), sharedWith("relu"));
        QCOMPARE(run.problem("cycle of shared specs"),
                 std::string("output relu, which shares with output tanh, which shares with output relu: a cycle, in "
                             "which no label has a spec of its own. Give one of them a spec"));
        QVERIFY(run.report->sharing.groups.empty());
        QCOMPARE(std::ranges::count(run.answer.findings, std::string("cycle of shared specs"), &explain::Finding::kind),
                 std::ptrdiff_t{1});
    }

    void aCycleOverAnEdgeIsFoundBeforePrepare()
    {
        const auto make = [](bool cycle) {
            Model m;
            Node* relu = m.call("aten.relu.default", {ref(m.input("x"))});
            m.output({m.call("aten.tanh.default", {ref(relu)})});
            engine::RunOptions options;
            options.stopAfter = "annotated";
            return explained(m.module, edgeAndOutput(cycle), options);
        };
        const Explained run = make(true);
        QVERIFY(!run.recording->failure); // prepare has not run
        const std::string sentence = run.problem("cycle of shared specs");
        QVERIFY2(
            sentence.starts_with("output relu, which shares with input relu -> tanh, which shares with output relu"),
            sentence.c_str());
        QVERIFY(sentence.ends_with("Give one of them a spec"));
        QCOMPARE(make(false).problem("cycle of shared specs"), std::string());
    }

    void aForwardReferenceIsFoundWithAWayOut()
    {
        const Explained run = reluTanh(sharedWith("tanh"), kQ);
        QVERIFY(run.recording->failure); // prepare refuses it, as torchao does
        QCOMPARE(run.problem("forward reference"),
                 std::string("relu shares with tanh, whose observer is made later: prepare refuses that. Give relu the "
                             "spec itself and let tanh share with it"));
        QCOMPARE(reluTanh(kQ, sharedWith("relu")).problem("forward reference"), std::string());
    }

    void aTensorThatIsNeverNegativeInASignedGroup()
    {
        const Explained run = reluTanh(kQ, sharedWith("relu"));
        QVERIFY(run.problem("non-negative in a signed group").starts_with("relu is never negative, but shares"));
        QCOMPARE(minimum().problem("non-negative in a signed group"), std::string());
    }
};

QTEST_GUILESS_MAIN(TestExplainSharing)
#include "tst_explain_sharing.moc"
