#include "ops/value.h"

#include "base/message.h"

namespace gb::ops {
namespace {

struct Describer {
    std::string operator()(ir::None) const { return "None"; }
    std::string operator()(bool v) const { return v ? "True" : "False"; }
    std::string operator()(std::int64_t v) const { return base::say("int {0}", v); }
    std::string operator()(double v) const { return base::say("float {0}", v); }
    std::string operator()(const std::string& v) const { return base::say("text '{0}'", v); }
    std::string operator()(ir::DType v) const { return base::say("dtype {0}", ir::name(v)); }
    std::string operator()(const ir::Opaque& v) const { return v.text; }
    std::string operator()(const ir::Tensor& v) const { return ir::describe(v); }
    std::string operator()(const SubgraphPtr&) const { return "sub-graph"; }
    std::string operator()(const ValueList& v) const { return base::say("list of {0}", v.size()); }
};

} // namespace

std::string describe(const Value& value)
{
    return std::visit(Describer{}, value.held);
}

} // namespace gb::ops
