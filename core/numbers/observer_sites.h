// The observers of a calibrated model as places where something can be tried out (what_if.h).
//
// Thread: pure functions.
#pragma once

#include "numbers/history.h"
#include "numbers/material.h"
#include "numbers/what_if.h"

#include <optional>
#include <string>
#include <vector>

namespace gb::numbers {

struct ObserverSite {
    std::string target;               ///< Change::site
    ir::ObserverConstructor observer; ///< what gives it again; empty name: it cannot be made from keywords
    std::string type;                 ///< its class
    std::optional<Extremes> range;    ///< of a per-tensor observer that has seen something: what its levels stand for
    bool perTensor = false;           ///< may be given a range
    std::vector<ir::NodeId> observed; ///< the nodes whose values it sees
    std::vector<ir::NodeId> users;    ///< the nodes that take these values through it
};

/// Of the top graph, one an object, in graph order.
std::vector<ObserverSite> observerSites(const Material& material);
/// The site of a node's own output; else the first one that it takes a value through; -1 where there is none.
int siteOf(const std::vector<ObserverSite>& sites, ir::NodeId node);

/// A change in words: "conv2d_1 in float", "activation_post_process_2: range 0 to 0.3",
/// "activation_post_process_2: MinMaxObserver(qscheme=torch.per_tensor_symmetric)". Of an observer only what differs
/// from `before` is named; empty: everything.
base::Message changeWords(const Change& change, const ir::ObserverConstructor& before = {});

/// `wanted` with what it leaves out taken over from `old`: dtype, qscheme, quant_min, quant_max, eps, and ch_axis for a
/// class that has one. quant_min and quant_max are not taken over beside reduce_range or another dtype.
ir::ObserverConstructor completed(ir::ObserverConstructor wanted, const ir::ObserverConstructor& old);

} // namespace gb::numbers
