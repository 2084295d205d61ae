#include "quantizers/rules/chain.h"

#include <algorithm>

namespace gb::quantizers::rules {

using base::message;
using base::say;

namespace {

std::string alternatives(const std::vector<std::string>& targets)
{
    std::string out;
    for (const std::string& target : targets)
        out += (out.empty() ? "" : " or ") + target;
    return out;
}

bool isIn(const ir::Node& node, const std::string& module)
{
    return std::ranges::any_of(node.meta().nnModuleStack, [&](const ir::ModuleFrame& frame) {
        const std::string path = normalizedPath(frame.path);
        return path == module || path.starts_with(module + ".");
    });
}

bool isInType(const ir::Node& node, const std::string& type)
{
    return std::ranges::any_of(node.meta().nnModuleStack,
                               [&](const ir::ModuleFrame& frame) { return frame.type == type; });
}

void refuseWhere(RuleRun& run, const Chain& chain, const char* condition, const std::string& found,
                 const std::string& expected)
{
    run.refuse(chain, {condition, "R4", found, expected,
                       message("{0} leaves {1} alone: it wants {2}, found {3}", run.info().name, nameList(chain),
                               expected, found)});
}

} // namespace

std::optional<Chain> chainAt(RuleRun& run, const Rule& rule, ir::Node* node)
{
    Chain chain = {node};
    for (std::size_t i = 1; i < rule.pattern.size(); ++i) {
        ir::Node* last = chain.back();
        const std::string wanted = alternatives(rule.pattern[i]);
        if (last->users().size() != 1) {
            const std::string found = say("{0} users of {1}", last->users().size(), last->name());
            run.refuse(chain, {"one_user", last->users().empty() ? "R1" : "R6", found, "one user: " + wanted,
                               message("{0} stops behind {1}: it has {2} users, one expected ({3})", rule.name,
                                       last->name(), last->users().size(), wanted)});
            return std::nullopt;
        }
        ir::Node* user = last->users().front();
        if (user->op() != ir::Op::CallFunction
            || std::ranges::find(rule.pattern[i], user->target()) == rule.pattern[i].end()) {
            run.refuse(chain, {"next_target", "R1", say("{0} ({1})", user->name(), user->target()), wanted,
                               message("{0} stops behind {1}: {2} ({3}) follows, {4} expected", rule.name, last->name(),
                                       user->name(), user->target(), wanted)});
            return std::nullopt;
        }
        if (user->arg(0).nodeId() != last->id()) {
            run.refuse(chain, {"first_argument", "R1",
                               say("{0} is another argument of {1}", last->name(), user->name()), "the first argument",
                               message("{0} stops behind {1}: it is not the first argument of {2}", rule.name,
                                       last->name(), user->name())});
            return std::nullopt;
        }
        chain.push_back(user);
    }
    return chain;
}

bool isAllowed(RuleRun& run, const Rule& rule, const Chain& chain)
{
    if (rule.whereName
        && std::ranges::none_of(chain, [&](const ir::Node* node) { return node->name() == *rule.whereName; })) {
        refuseWhere(run, chain, "where_name", nameList(chain), "a node named " + *rule.whereName);
        return false;
    }
    for (const ir::Node* node : chain) {
        const std::string found = say("{0}: {1}", node->name(), describeModule(*node));
        if (rule.whereModule && !isIn(*node, *rule.whereModule)) {
            refuseWhere(run, chain, "where_module", found, "all nodes in module " + *rule.whereModule);
            return false;
        }
        if (rule.whereModuleType && !isInType(*node, *rule.whereModuleType)) {
            refuseWhere(run, chain, "where_module_type", found,
                        "all nodes in a module of type " + *rule.whereModuleType);
            return false;
        }
    }
    return true;
}

} // namespace gb::quantizers::rules
