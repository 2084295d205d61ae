// Recipes: what each quantizer allows is read in full, everything else is an error with the way to the key.
#include "io/recipe.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace gb;
using quantizers::Recipe;

namespace {

Recipe read(const std::string& text)
{
    auto recipe = io::parseRecipe(text, "r.json");
    if (!recipe)
        qWarning("%s", recipe.error().text().c_str());
    return recipe ? std::move(*recipe) : Recipe();
}

/// A rules recipe with one rule; `rule` and `spec` are JSON objects.
std::string rulesText(const std::string& rule, const std::string& spec = R"({"kind": "shared", "with": {"node": "x"}})")
{
    return R"({"quantizer": "rules", "specs": {"s": )" + spec + R"(}, "rules": [)" + rule + "]}";
}

std::string specText(const std::string& more)
{
    return rulesText(R"({"pattern": ["aten.relu.default"], "outputs": [{"of": 0, "spec": "s"}]})", more);
}

} // namespace

class TestRecipe : public QObject {
    Q_OBJECT

private slots:
    void readsEveryRecipeOfTheCases()
    {
        const QDir cases(GREENBOX_TEST_DATA "/cases");
        const QStringList files = cases.entryList({"*.recipe.json"});
        QVERIFY(files.size() >= 40);
        for (const QString& file : files) {
            const auto recipe = io::readRecipe(cases.filePath(file).toStdString());
            QVERIFY2(recipe.ok(), recipe ? "" : recipe.error().text().c_str());
        }
    }

    void readsConfigsInOrder()
    {
        const Recipe r = read(R"({"quantizer": "xnnpack", "global": {"is_per_channel": true, "act_qmin": -5},
            "operator_type": {"aten.conv2d": null}, "module_type": {"torch.nn.modules.linear.Linear": {}},
            "module_name": {"b": null, "a": {"is_qat": true}}})");
        QCOMPARE(r.quantizer, std::string("xnnpack"));
        QVERIFY(r.global && *r.global);
        QCOMPARE((*r.global)->flag("is_per_channel", false), true);
        QCOMPARE((*r.global)->number("act_qmin", 0), std::int64_t{-5});
        QCOMPARE((*r.global)->number("act_qmax", 127), std::int64_t{127});
        QCOMPARE(r.operatorType.size(), std::size_t{1});
        QVERIFY(!r.operatorType[0].second);
        QCOMPARE(r.moduleName[0].first, std::string("b"));
        QVERIFY(r.moduleName[1].second->flag("is_qat", false));
    }

    void absentAndNullGlobalDiffer()
    {
        QVERIFY(!read(R"({"quantizer": "x86_inductor"})").global);
        const Recipe r = read(R"({"quantizer": "x86_inductor", "global": null})");
        QVERIFY(r.global && !*r.global);
    }

    void readsComposedRecipes()
    {
        const Recipe r = read(R"({"quantizer": "composable", "quantizers": [{"quantizer": "embedding"},
            {"quantizer": "arm_inductor", "function_type": {"torch.nn.functional.relu": {"is_dynamic": true}}}]})");
        QCOMPARE(r.quantizers.size(), std::size_t{2});
        QCOMPARE(r.quantizers[1].functionType[0].first, std::string("torch.nn.functional.relu"));
        QCOMPARE(r.quantizers[0].json, std::string(R"({"quantizer":"embedding"})"));
    }

    void keepsTheTextCompact()
    {
        QCOMPARE(read(" {\"quantizer\" : \"xnnpack\",\n \"global\": {\"act_qmin\": -5} }\n").json,
                 std::string(R"({"quantizer":"xnnpack","global":{"act_qmin":-5}})"));
    }

    void readsARuleInFull()
    {
        const Recipe r = read(rulesText(R"({"name": "conv", "pattern": ["aten.conv2d.default", ["a", "b"]],
            "where": {"name": "n", "module": "m", "module_type": "t"},
            "inputs": [{"of": 0, "arg": 1, "spec": null}, {"of": -1, "arg": [0, 1], "spec": "s"}],
            "outputs": [{"of": 1, "spec": {"kind": "fixed", "dtype": "uint8", "scale": 0.5, "zero_point": 3}}],
            "mark": false, "skip_marked": false, "allow_implicit_sharing": false, "replace": true})",
                                        R"({"kind": "shared", "with": {"edge": {"of": -2, "arg": 0}}})"));
        QCOMPARE(r.rules.size(), std::size_t{1});
        const quantizers::Rule& rule = r.rules[0];
        QCOMPARE(rule.pattern[1], (std::vector<std::string>{"a", "b"}));
        QCOMPARE(*rule.whereModuleType, std::string("t"));
        QVERIFY(!rule.mark && !rule.skipMarked && rule.replace);
        QCOMPARE(rule.allowImplicitSharing, std::optional(false));
        QVERIFY(std::holds_alternative<std::monostate>(rule.inputs[0].spec));
        QCOMPARE(rule.inputs[1].of, std::int64_t{1});
        QCOMPARE(rule.inputs[1].arg, (quantizers::ArgumentPath{0, 1}));
        QCOMPARE(rule.inputs[1].specName, std::string("s"));
        const auto& shared = std::get<quantizers::RuleShared>(rule.inputs[1].spec);
        QCOMPARE(std::get<quantizers::RuleEdge>(shared.with).of, std::int64_t{0});
        const auto& fixed = std::get<ir::FixedQParamsQuantizationSpec>(rule.outputs[0].spec);
        QCOMPARE(fixed.scale, 0.5);
        QCOMPARE(fixed.zeroPoint, std::int64_t{3});
    }

    void readsNestedObserverConstructors()
    {
        const Recipe r = read(specText(R"({"kind": "quantization", "dtype": "int8", "observer": "FakeQuantize",
            "observer_args": {"observer": {"observer": "MinMaxObserver", "args": {"eps": 0.25}}, "n": 2}})"));
        const auto& spec = std::get<ir::QuantizationSpec>(r.rules[0].outputs[0].spec);
        const auto* inner = spec.observer.arguments[0].second.as<ir::Mapping>();
        QVERIFY(inner);
        QCOMPARE(inner->items[0].second, ir::Argument("MinMaxObserver"));
        QCOMPARE(inner->items[1].second.as<ir::Mapping>()->items[0].second, ir::Argument(0.25));
        QCOMPARE(spec.observer.arguments[1].second, ir::Argument(2));
        QVERIFY(!spec.qscheme && !spec.quantMin && !spec.chAxis && !spec.isDynamic);
    }

    void aRuleWithoutNameIsCalledByItsPlace()
    {
        QCOMPARE(read(rulesText(R"({"pattern": ["a"]})")).rules[0].name, std::string("rule 1"));
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const std::string& text, const char* sentence) {
            QTest::newRow(name) << QString::fromStdString(text) << QString("r.json: ") + sentence;
        };
        row("no object", "[1]", "found list of 1, object expected");
        row("no quantizer", "{}", "no key \"quantizer\" found, one expected");
        row("unknown quantizer", R"({"quantizer": "tensorrt"})",
            "quantizer: unknown quantizer \"tensorrt\", xnnpack, x86_inductor, arm_inductor, embedding, composable or "
            "rules expected");
        row("unknown key", R"({"quantizer": "xnnpack", "globl": {}})",
            "globl: unknown key, quantizer, global, operator_type, module_type or module_name expected");
        row("key of another quantizer", R"({"quantizer": "x86_inductor", "operator_type": {}})",
            "operator_type: unknown key, quantizer, global, function_type, module_type or module_name expected");
        row("embedding takes nothing", R"({"quantizer": "embedding", "global": {}})",
            "global: unknown key, quantizer expected");
        row("unknown keyword", R"({"quantizer": "arm_inductor", "global": {"reduce_range": true}})",
            "global.reduce_range: unknown key, is_qat or is_dynamic expected");
        row("keyword of the wrong type", R"({"quantizer": "xnnpack", "module_name": {"a": {"is_qat": 1}}})",
            "module_name.a.is_qat: found integer 1, true or false expected");
        row("number as text", R"({"quantizer": "xnnpack", "global": {"act_qmin": "0"}})",
            "global.act_qmin: found text \"0\", integer expected");
        row("settings are a list", R"({"quantizer": "xnnpack", "module_name": []})",
            "module_name: found list of 0, object expected");
        row("composed recipe", R"({"quantizer": "composable", "quantizers": [{"quantizer": "embedding"}, {"q": 1}]})",
            "quantizers[1]: no key \"quantizer\" found, one expected");
        row("no rules", R"({"quantizer": "rules"})", "no key \"rules\" found, one expected");
        row("key twice", R"({"quantizer": "xnnpack", "quantizer": "rules"})",
            "key \"quantizer\" given twice, once expected");
    }
    void refuses() { check(); }

    void refusesRules_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const std::string& rule, const char* sentence) {
            QTest::newRow(name) << QString::fromStdString(rulesText(rule)) << QString("r.json: ") + sentence;
        };
        row("unknown key", R"({"pattern": ["a"], "output": []})",
            "rules[0].output: unknown key, name, pattern, where, inputs, outputs, mark, skip_marked, "
            "allow_implicit_sharing or replace expected");
        row("no pattern", R"({"name": "x"})", "rules[0]: no key \"pattern\" found, one expected");
        row("empty pattern", R"({"pattern": []})",
            "rules[0].pattern: found list of 0, list of at least one target expected");
        row("no alternative", R"({"pattern": [[]]})",
            "rules[0].pattern[0]: found list of 0, target or list of targets expected");
        row("where", R"({"pattern": ["a"], "where": {"nam": "x"}})",
            "rules[0].where.nam: unknown key, name, module or module_type expected");
        row("input key", R"({"pattern": ["a"], "inputs": [{"of": 0, "argg": 0, "spec": null}]})",
            "rules[0].inputs[0].argg: unknown key, of, arg or spec expected");
        row("input outside of the chain", R"({"pattern": ["a"], "inputs": [{"of": 1, "arg": 0, "spec": null}]})",
            "rules[0].inputs[0]: chain index 1, a number from 0 to 0 expected");
        row("argument path", R"({"pattern": ["a"], "inputs": [{"of": 0, "arg": "x", "spec": null}]})",
            "rules[0].inputs[0].arg: found text \"x\", index or list of indices expected");
        row("no spec", R"({"pattern": ["a"], "outputs": [{"of": 0}]})",
            "rules[0].outputs[0]: no key \"spec\" found, one expected");
        row("spec name", R"({"pattern": ["a"], "outputs": [{"of": 0, "spec": "act"}]})",
            "rules[0].outputs[0].spec: unknown spec \"act\", s expected");
        row("spec type", R"({"pattern": ["a"], "outputs": [{"of": 0, "spec": 5}]})",
            "rules[0].outputs[0].spec: found integer 5, spec object or null expected");
        row("flag", R"({"pattern": ["a"], "mark": "yes"})",
            "rules[0].mark: found text \"yes\", true or false expected");
        row("position outside of the chain",
            R"({"pattern": ["a"], "outputs": [{"of": 0, "spec": {"kind": "shared", "with": {"output": {"of": 3}}}}]})",
            "rules[0].outputs[0].spec: chain index 3, a number from 0 to 0 expected");
    }
    void refusesRules() { check(); }

    void refusesSpecs_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const std::string& spec, const char* sentence) {
            QTest::newRow(name) << QString::fromStdString(specText(spec)) << QString("r.json: specs.s") + sentence;
        };
        row("kind", R"({"kind": "quantisation"})",
            ".kind: unknown kind of spec \"quantisation\", quantization, shared, derived or fixed expected");
        row("key", R"({"kind": "quantization", "dtyp": "int8"})",
            ".dtyp: unknown key, kind, dtype, quant_min, quant_max, qscheme, ch_axis, is_dynamic, observer or "
            "observer_args expected");
        row("dtype", R"({"kind": "fixed", "dtype": "int7", "scale": 1, "zero_point": 0})",
            ".dtype: unknown dtype \"int7\", uint8, int8, int16, int32, int64, float16, float32, float64, complex32, "
            "complex64, complex128, bool, bfloat16, float8_e4m3fn, float8_e5m2, uint16, uint32 or uint64 expected");
        row("qscheme",
            R"({"kind": "quantization", "dtype": "int8", "qscheme": "per_row", "observer": "MinMaxObserver"})",
            ".qscheme: unknown qscheme \"per_row\", per_tensor_affine, per_tensor_symmetric, per_channel_affine, "
            "per_channel_symmetric or per_channel_affine_float_qparams expected");
        row("no observer", R"({"kind": "quantization", "dtype": "int8"})", ": no key \"observer\" found, one expected");
        row("nested observer",
            R"({"kind": "quantization", "dtype": "int8", "observer": "FakeQuantize",
                "observer_args": {"observer": {"observer": "MinMaxObserver", "arg": {}}}})",
            ".observer_args.observer.arg: unknown key, observer or args expected");
        row("derive",
            R"({"kind": "derived", "from": [{"node": "a"}, {"node": "b"}], "derive": "scale", "dtype": "int32"})",
            ".derive: unknown function \"scale\", bias expected");
        row("derived from one", R"({"kind": "derived", "from": [{"node": "a"}], "derive": "bias", "dtype": "int32"})",
            ".from: found list of 1, list of 2 positions (activation, weight) or more expected");
        row("position", R"({"kind": "shared", "with": {"edge": {"of": 0, "arg": 0}, "node": "x"}})",
            ".with: found object of 2, object of one key expected");
        row("position key", R"({"kind": "shared", "with": {"input": 1}})",
            ".with.input: unknown key, edge, output or node expected");
        row("scale", R"({"kind": "fixed", "dtype": "int8", "scale": "1", "zero_point": 0})",
            ".scale: found text \"1\", number expected");
        row("huge number", R"({"kind": "fixed", "dtype": "int8", "scale": 1, "zero_point": 18446744073709551615})",
            ".zero_point: found integer 18446744073709551615, integer of 64 bits with sign expected");
    }
    void refusesSpecs() { check(); }

    void unknownObserverSaysWhichThereAre()
    {
        const auto r = io::parseRecipe(
            specText(R"({"kind": "quantization", "dtype": "int8", "observer": "MaxObserver"})"), "r.json");
        QVERIFY(!r);
        const std::string text = r.error().text();
        QVERIFY2(text.starts_with("r.json: specs.s.observer: unknown observer \"MaxObserver\", "), text.c_str());
        QVERIFY2(text.find("HistogramObserver") != std::string::npos, text.c_str());
    }

    void refusesBrokenAndDeepText()
    {
        const auto broken = io::parseRecipe(R"({"quantizer": )", "r.json");
        QVERIFY(!broken);
        QVERIFY2(broken.error().text().starts_with("r.json: broken JSON at byte 1"), broken.error().text().c_str());
        std::string deep;
        for (int i = 0; i < 500; ++i)
            deep += R"({"quantizer": "composable", "quantizers": [)";
        QCOMPARE(io::parseRecipe(deep, "r.json").error().text(),
                 std::string("r.json: JSON nested deeper than 200 levels, at most 200 expected"));
    }

    void refusesAnUnreadableFile()
    {
        QCOMPARE(io::readRecipe("/nowhere/r.json").error().text(),
                 std::string("/nowhere/r.json: cannot read: No such file or directory"));
        QTemporaryDir folder;
        QCOMPARE(io::readRecipe(folder.path().toStdString()).error().code, base::ErrorCode::Io);
    }

    void refusesAFileLargerThanARecipe()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath("big.json"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize((qint64{16} << 20) + 1));
        file.close();
        const auto r = io::readRecipe(file.fileName().toStdString());
        QVERIFY(!r);
        QCOMPARE(r.error().sentence, std::string("16,777,217 bytes, at most 16,777,216 expected for a recipe"));
    }

private:
    static void check()
    {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        const auto recipe = io::parseRecipe(text.toStdString(), "r.json");
        QVERIFY(!recipe);
        QCOMPARE(QString::fromStdString(recipe.error().text()), sentence);
    }
};

QTEST_GUILESS_MAIN(TestRecipe)
#include "tst_recipe.moc"
