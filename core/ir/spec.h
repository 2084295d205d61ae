// The four kinds of quantization spec, and the annotation that carries them.
//
// Source: torchao/quantization/pt2e/quantizer/quantizer.py (QuantizationSpec, SharedQuantizationSpec,
// DerivedQuantizationSpec, FixedQParamsQuantizationSpec, QuantizationAnnotation).
//
// These are data of a node (node.meta["quantization_annotation"]), so they live beside the graph. Annotations are
// immutable once set on a node; a change is a new annotation (Node::setAnnotation).
//
// Thread: values.
#pragma once

#include "ir/argument.h"
#include "ir/dtype.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gb::ir {

enum class QScheme : std::uint8_t {
    PerTensorAffine,
    PerTensorSymmetric,
    PerChannelAffine,
    PerChannelSymmetric,
    PerChannelAffineFloatQParams,
};
const char* name(QScheme scheme);
std::optional<QScheme> qschemeFromName(std::string_view text);
bool isPerChannel(QScheme scheme);
bool isSymmetric(QScheme scheme);

/// torchao's EdgeOrNode: an edge (upstream, consumer), or the output of a node (consumer is kNoNode).
struct Position {
    NodeId node = kNoNode;     ///< upstream of the edge, or the node
    NodeId consumer = kNoNode; ///< kNoNode: the output of `node`
    [[nodiscard]] bool isEdge() const { return consumer != kNoNode; }
    friend bool operator==(const Position&, const Position&) = default;
    friend auto operator<=>(const Position&, const Position&) = default;
};

/// Class name and keyword arguments of an observer or fake-quantize constructor (what `with_args` collected).
struct ObserverConstructor {
    std::string name; ///< "HistogramObserver", "FusedMovingAvgObsFakeQuantize"
    /// In Python's keyword order. A nested constructor (FakeQuantize's observer=...) is a Mapping
    /// {"observer": name, "args": Mapping}.
    std::vector<std::pair<std::string, Argument>> arguments;
    friend bool operator==(const ObserverConstructor&, const ObserverConstructor&) = default;
};

struct QuantizationSpec {
    DType dtype = DType::Int8;
    std::optional<std::int64_t> quantMin;
    std::optional<std::int64_t> quantMax;
    std::optional<QScheme> qscheme;
    std::optional<std::int64_t> chAxis;
    bool isDynamic = false;
    ObserverConstructor observer;
    friend bool operator==(const QuantizationSpec&, const QuantizationSpec&) = default;
};

struct SharedQuantizationSpec {
    Position with;
    friend bool operator==(const SharedQuantizationSpec&, const SharedQuantizationSpec&) = default;
};

struct DerivedQuantizationSpec {
    std::vector<Position> from;
    std::string derive; ///< which function: "bias" (scale = activation scale x weight scale, zero point 0)
    DType dtype = DType::Int32;
    std::optional<std::int64_t> quantMin;
    std::optional<std::int64_t> quantMax;
    std::optional<QScheme> qscheme;
    std::optional<std::int64_t> chAxis;
    bool isDynamic = false;
    friend bool operator==(const DerivedQuantizationSpec&, const DerivedQuantizationSpec&) = default;
};

struct FixedQParamsQuantizationSpec {
    DType dtype = DType::UInt8;
    double scale = 1.0;
    std::int64_t zeroPoint = 0;
    std::optional<std::int64_t> quantMin;
    std::optional<std::int64_t> quantMax;
    std::optional<QScheme> qscheme;
    bool isDynamic = false;
    friend bool operator==(const FixedQParamsQuantizationSpec&, const FixedQParamsQuantizationSpec&) = default;
};

using AnySpec =
    std::variant<QuantizationSpec, SharedQuantizationSpec, DerivedQuantizationSpec, FixedQParamsQuantizationSpec>;
/// Null is Python's None: named, but "do not quantize". Shared, so that two labels may hold the same spec object.
using Spec = std::shared_ptr<const AnySpec>;

template <class T>
Spec makeSpec(T spec)
{
    return std::make_shared<const AnySpec>(std::move(spec));
}
template <class T>
const T* as(const Spec& spec)
{
    return spec ? std::get_if<T>(spec.get()) : nullptr;
}

/// node.meta["quantization_annotation"]
struct Annotation {
    std::vector<std::pair<NodeId, Spec>> inputs; ///< input_qspec_map, in insertion order; one entry an upstream node
    Spec output;                                 ///< output_qspec
    bool annotated = false;                      ///< _annotated
    bool allowImplicitSharing = true;            ///< allow_implicit_sharing
    /// Fields that a backend adds (x86: _is_output_of_quantized_pattern, ...), name -> value, in order.
    std::vector<std::pair<std::string, Argument>> extra;
    /// Stands for Python's id() of the annotation object: a copy that is edited is still the same object, a new
    /// Annotation is another one. ComposableQuantizer refuses a member that puts another object in place.
    std::shared_ptr<const char> object = std::make_shared<const char>();

    /// The entry for an upstream node, or null when the key is absent (which is not the same as a null Spec).
    [[nodiscard]] const Spec* input(NodeId upstream) const;
    /// Sets as Python's dict does: an existing key keeps its place.
    void setInput(NodeId upstream, Spec spec);
};
using AnnotationPtr = std::shared_ptr<const Annotation>;

} // namespace gb::ir
