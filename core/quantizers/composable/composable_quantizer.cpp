#include "quantizers/composable/composable_quantizer.h"

#include "base/message.h"

namespace gb::quantizers::composable {

using base::Error;
using base::ErrorCode;
using base::say;

ComposableQuantizer::ComposableQuantizer(std::vector<std::unique_ptr<Quantizer>> members)
    : m_members(std::move(members))
{
    setPlace({});
}

void ComposableQuantizer::setPlace(std::string place)
{
    for (std::size_t i = 0; i < m_members.size(); ++i)
        m_members[i]->setPlace((place.empty() ? "" : place + ".") + std::to_string(i));
    Quantizer::setPlace(std::move(place));
}

base::Status ComposableQuantizer::transformForAnnotation(ir::GraphModule& model, trace::Recorder& recorder)
{
    for (const auto& member : m_members)
        GB_TRY(member->transformForAnnotation(model, recorder));
    return {};
}

base::Status ComposableQuantizer::annotate(ir::GraphModule& model, trace::Recorder& recorder)
{
    for (const auto& member : m_members) {
        GB_TRY(member->annotate(model, recorder));
        GB_TRY(recordAndValidate(model.graph(), *member));
    }
    return {};
}

base::Status ComposableQuantizer::recordAndValidate(const ir::Graph& graph, const Quantizer& member)
{
    for (const ir::Node* node = graph.first(); node; node = node->next()) {
        const auto seen = m_objects.find(node->id());
        if (!node->annotation()) {
            if (seen != m_objects.end())
                return Error{ErrorCode::RuntimeError,
                             say("{0} (quantizer {1}) has removed the annotation of an earlier quantizer",
                                 member.className(), member.place()),
                             "node " + node->name()};
            continue;
        }
        if (seen == m_objects.end())
            m_objects.emplace(node->id(), node->annotation()->object);
        else if (seen->second != node->annotation()->object)
            return Error{ErrorCode::RuntimeError,
                         say("{0} (quantizer {1}) has put a new annotation in the place of an earlier quantizer's, "
                             "an edit of it expected",
                             member.className(), member.place()),
                         "node " + node->name()};
    }
    return {};
}

} // namespace gb::quantizers::composable
