// Recipes as JSON, for graphs built by hand. In a header of its own: moc stumbles over raw strings beside a class.
#pragma once

#include <string>

namespace gb::test {

inline constexpr const char* kXnnpack = R"({"quantizer": "xnnpack", "global": {}})";
inline constexpr const char* kXnnpackPerChannel = R"({"quantizer": "xnnpack", "global": {"is_per_channel": true}})";
inline constexpr const char* kTwoSettings =
    R"({"quantizer": "xnnpack", "global": {}, "module_name": {"head": {}, "fc": {}}})";
inline constexpr const char* kOtherName = R"({"quantizer": "xnnpack", "module_name": {"fc": {}}})";
inline constexpr const char* kRightName = R"({"quantizer": "xnnpack", "module_name": {"net.fc": {}}})";
inline constexpr const char* kOperatorType = R"({"quantizer": "xnnpack", "operator_type": {"aten.linear": {}}})";
inline constexpr const char* kNoSetting = R"({"quantizer": "xnnpack"})";
inline constexpr const char* kX86 = R"({"quantizer": "x86_inductor", "global": {}})";
inline const std::string kInt8 =
    R"({"kind": "quantization", "dtype": "int8", "quant_min": -128, "quant_max": 127, "qscheme": "per_tensor_affine", )"
    R"("ch_axis": null, "is_dynamic": false, "observer": "MinMaxObserver", "observer_args": {}})";

inline const std::string kUint8 =
    R"({"kind": "quantization", "dtype": "uint8", "quant_min": 0, "quant_max": 255, "qscheme": "per_tensor_affine", )"
    R"("ch_axis": null, "is_dynamic": false, "observer": "MinMaxObserver", "observer_args": {}})";

/// A rules recipe with one rule that labels the output of the last node of a chain.
inline std::string outputRule(const std::string& pattern, const std::string& spec = kInt8, int of = 0)
{
    return R"({"quantizer": "rules", "specs": {}, "rules": [{"name": "r", "pattern": )" + pattern
           + R"(, "inputs": [], "outputs": [{"of": )" + std::to_string(of) + R"(, "spec": )" + spec + "}]}]}";
}

/// A rules recipe that labels the first input of an op.
inline std::string inputRule(const std::string& pattern)
{
    return R"({"quantizer": "rules", "specs": {}, "rules": [{"name": "r", "pattern": )" + pattern
           + R"(, "outputs": [], "inputs": [{"of": 0, "arg": 0, "spec": )" + kInt8 + "}]}]}";
}

inline const std::string kRelu = outputRule("[\"aten.relu.default\"]");

/// kRelu, and kRelu again although the node is marked.
inline std::string reluTwice(bool twice)
{
    std::string second = kRelu;
    second.replace(second.find("\"pattern\""), 0, "\"skip_marked\": false, ");
    return R"({"quantizer": "composable", "quantizers": [)" + kRelu + (twice ? ", " + second : std::string()) + "]}";
}

/// kRelu with an observer that only stands there.
inline std::string reluPlaceholder(const std::string& dtype)
{
    return outputRule("[\"aten.relu.default\"]", R"({"kind": "quantization", "observer": "PlaceholderObserver", )"
                                                 R"("observer_args": {}, "dtype": ")"
                                                     + dtype + "\"}");
}

/// A rules recipe from the text of its rules.
inline std::string rulesRecipe(const std::string& rules)
{
    return R"({"quantizer": "rules", "specs": {"q": )" + kInt8 + R"(}, "rules": [)" + rules + "]}";
}

/// A rule over one op with input and output rows, as JSON text.
inline std::string rule(const std::string& op, const std::string& inputs, const std::string& outputs)
{
    return R"({"name": "label )" + op + R"(", "pattern": ["aten.)" + op + R"("], "inputs": [)" + inputs
           + R"(], "outputs": [)" + outputs + "]}";
}

inline std::string input(int arg, const std::string& spec)
{
    return R"({"of": 0, "arg": )" + std::to_string(arg) + R"(, "spec": )" + spec + "}";
}

inline std::string output(const std::string& spec)
{
    return R"({"of": 0, "spec": )" + spec + "}";
}

/// Shares with the output of a node of this name.
inline std::string sharedWith(const std::string& node)
{
    return R"({"kind": "shared", "with": {"node": ")" + node + "\"}}";
}

/// Shares with input `arg` of the rule's own op.
inline std::string sharedWithInput(int arg)
{
    return R"({"kind": "shared", "with": {"edge": {"of": 0, "arg": )" + std::to_string(arg) + "}}}";
}

inline const std::string kQ = "\"q\"";

inline constexpr const char* kFunctionType =
    R"({"quantizer": "x86_inductor", "function_type": {"torch.nn.functional.linear": {}}})";

inline constexpr const char* kOperatorTypeNull =
    R"({"quantizer": "xnnpack", "global": {}, "operator_type": {"aten.add": null}})";

/// XNNPACK with one setting, for a module of this name.
inline std::string moduleName(const std::string& name)
{
    return R"({"quantizer": "xnnpack", "module_name": {")" + name + R"(": {}}})";
}

/// A fixed spec of uint8 with this zero point on the output of sigmoid.
inline std::string fixedZeroPoint(int zero)
{
    return outputRule("[\"aten.sigmoid.default\"]",
                      R"({"kind": "fixed", "dtype": "uint8", "scale": 0.00390625, "zero_point": )"
                          + std::to_string(zero)
                          + R"(, "quant_min": 0, "quant_max": 255, "qscheme": "per_tensor_affine"})");
}

/// relu -> tanh in one rule: the edge shares with relu's output, and that with the edge where `cycle`.
inline std::string edgeAndOutput(bool cycle)
{
    const std::string edge = R"({"kind": "shared", "with": {"edge": {"of": 1, "arg": 0}}})";
    return rulesRecipe(R"({"name": "r", "pattern": ["aten.relu.default", "aten.tanh.default"], "inputs": [{"of": 1, )"
                       R"("arg": 0, "spec": )"
                       + sharedWith("relu") + R"(}], "outputs": [)" + output(cycle ? edge : kQ) + "]}");
}

} // namespace gb::test
