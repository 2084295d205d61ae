// Names of the quantized_decomposed ops that convert writes, and tests for them.
//
// Source: torch/ao/quantization/fx/_decomposed.py; the lists of duplicate_dq_pass.py and port_metadata_pass.py.
//
// Thread: pure functions.
#pragma once

#include "ir/graph.h"

#include <string_view>

namespace gb::passes {

inline constexpr std::string_view kQuantizePerTensor = "quantized_decomposed.quantize_per_tensor.default";
inline constexpr std::string_view kDequantizePerTensor = "quantized_decomposed.dequantize_per_tensor.default";
inline constexpr std::string_view kQuantizePerTensorTensor = "quantized_decomposed.quantize_per_tensor.tensor";
inline constexpr std::string_view kDequantizePerTensorTensor = "quantized_decomposed.dequantize_per_tensor.tensor";
inline constexpr std::string_view kQuantizePerChannel = "quantized_decomposed.quantize_per_channel.default";
inline constexpr std::string_view kDequantizePerChannel = "quantized_decomposed.dequantize_per_channel.default";
inline constexpr std::string_view kChooseQParams = "quantized_decomposed.choose_qparams.tensor";
inline constexpr std::string_view kChooseQParamsSymmetric = "quantized_decomposed.choose_qparams_symmetric.tensor";
inline constexpr std::string_view kConvertElementType = "quantized_decomposed.convert_element_type.no_fuse";
inline constexpr std::string_view kGetItem = "<built-in function getitem>";

bool isQuantize(const ir::Node& node);
bool isDequantize(const ir::Node& node);
/// choose_qparams of either kind.
bool isChooseQParams(const ir::Node& node);
/// _filter_sym_size_users: the users that are not sym_size or sym_numel.
std::vector<ir::Node*> usersWithoutSymSize(const ir::Node& node);
/// is_valid_annotation: names an input or an output.
bool hasValidAnnotation(const ir::Node& node);

} // namespace gb::passes
