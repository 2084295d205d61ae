// Labels as the Python that would write them.
#include "inspector/python_spec.h"

#include <QTest>

using namespace gb;
using namespace gb::views;

class PythonSpecTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_graph = std::make_unique<ir::Graph>(std::make_shared<ir::NodeIds>(), "");
        m_x = m_graph->append({ir::Op::Placeholder, "x", {}, {}, "x"});
        m_relu =
            m_graph->append({ir::Op::CallFunction, "aten.relu.default", {ir::Argument::node(m_x->id())}, {}, "relu"});
    }

    void aSpecHasWhatItSets()
    {
        ir::QuantizationSpec spec;
        spec.dtype = ir::DType::Int8;
        spec.quantMin = -128;
        spec.quantMax = 127;
        spec.qscheme = ir::QScheme::PerTensorAffine;
        spec.observer = {"HistogramObserver", {{"eps", ir::Argument(0.000244140625)}}};
        QCOMPARE(python(ir::makeSpec(spec)),
                 QStringLiteral("QuantizationSpec(dtype=torch.int8, observer_or_fake_quant_ctr=HistogramObserver"
                                ".with_args(eps=0.000244140625), quant_min=-128, quant_max=127, "
                                "qscheme=torch.per_tensor_affine)"));
        spec.chAxis = 0;
        spec.isDynamic = true;
        QVERIFY(python(ir::makeSpec(spec)).endsWith(QStringLiteral(", ch_axis=0, is_dynamic=True)")));
        QCOMPARE(python(nullptr), QStringLiteral("None"));
    }

    void anObserverInsideAFakeQuantizeIsAClass()
    {
        ir::QuantizationSpec spec;
        const auto nested = [](std::vector<std::pair<std::string, ir::Argument>> args) {
            return ir::Argument(ir::Argument::Value(
                ir::Mapping{{{"observer", ir::Argument("MinMaxObserver")},
                             {"args", ir::Argument(ir::Argument::Value(ir::Mapping{std::move(args)}))}}}));
        };
        spec.observer = {"FakeQuantize", {{"observer", nested({})}}};
        QVERIFY(python(ir::makeSpec(spec)).contains(QStringLiteral("FakeQuantize.with_args(observer=MinMaxObserver)")));
        spec.observer = {"FakeQuantize", {{"observer", nested({{"eps", ir::Argument(1.0)}})}}};
        QVERIFY(python(ir::makeSpec(spec)).contains(QStringLiteral("observer=MinMaxObserver.with_args(eps=1.0)")));
    }

    void positionsAreNodesAndEdges()
    {
        QCOMPARE(python(ir::makeSpec(ir::SharedQuantizationSpec{{m_x->id(), ir::kNoNode}})),
                 QStringLiteral("SharedQuantizationSpec(x)"));
        QCOMPARE(python(ir::makeSpec(ir::SharedQuantizationSpec{{m_x->id(), m_relu->id()}})),
                 QStringLiteral("SharedQuantizationSpec((x, relu))"));
        ir::DerivedQuantizationSpec derived;
        derived.from = {{m_x->id(), m_relu->id()}, {m_relu->id(), ir::kNoNode}};
        derived.derive = "bias";
        QCOMPARE(python(ir::makeSpec(derived)),
                 QStringLiteral("DerivedQuantizationSpec(derived_from=[(x, relu), relu], "
                                "derive_qparams_fn=derive_bias, dtype=torch.int32)"));
        ir::FixedQParamsQuantizationSpec fixed;
        fixed.scale = 0.5;
        QCOMPARE(python(ir::makeSpec(fixed)),
                 QStringLiteral("FixedQParamsQuantizationSpec(dtype=torch.uint8, scale=0.5, zero_point=0)"));
    }

    void aWholeLabelIsAnAssignment()
    {
        ir::Annotation label;
        label.setInput(m_x->id(), nullptr);
        label.output = ir::makeSpec(ir::SharedQuantizationSpec{{m_x->id(), m_relu->id()}});
        label.annotated = true;
        QCOMPARE(pythonAnnotation(label, *m_graph, QStringLiteral("relu")),
                 QStringLiteral("relu.meta[\"quantization_annotation\"] = QuantizationAnnotation(\n"
                                "    input_qspec_map={\n"
                                "        x: None,\n"
                                "    },\n"
                                "    output_qspec=SharedQuantizationSpec((x, relu)),\n"
                                "    _annotated=True,\n"
                                ")\n"));
        label.allowImplicitSharing = false;
        QVERIFY(pythonAnnotation(label, *m_graph, QStringLiteral("relu"))
                    .contains(QStringLiteral("    allow_implicit_sharing=False,\n")));
    }

private:
    [[nodiscard]] QString python(const ir::Spec& spec) const { return pythonSpec(spec, *m_graph); }

    std::unique_ptr<ir::Graph> m_graph;
    ir::Node* m_x = nullptr;
    ir::Node* m_relu = nullptr;
};

QTEST_GUILESS_MAIN(PythonSpecTest)
#include "tst_python_spec.moc"
