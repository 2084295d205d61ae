// Unique names as torch.fx gives them.
//
// Source: torch/fx/graph.py, class _Namespace (create_name) and Graph._target_to_str.
//
// Thread: one at a time.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace gb::ir {

class Namespace {
public:
    /// A name not given before: `candidate` with illegal characters made "_", with a number appended where it is taken.
    std::string create(std::string_view candidate);
    /// Marks a name as taken without changing the counters (associate_name_with_obj on a copied graph).
    void reserve(const std::string& name) { m_used.insert(name); }
    [[nodiscard]] bool used(const std::string& name) const { return m_used.contains(name); }

private:
    std::unordered_set<std::string> m_used;
    std::unordered_map<std::string, long long> m_baseCount;
};

/// _target_to_str: the candidate name of a node without one. Functions give their __name__
/// ("aten.conv2d.default" -> "conv2d_default", "<built-in function getitem>" -> "getitem"), text its snake case.
std::string candidateFromTarget(std::string_view op, std::string_view target);

} // namespace gb::ir
