#include "window/cards.h"

#include "base/message.h"
#include "inspector/reasons.h"
#include "observers/observer_source.h"
#include "plots/histogram_card.h"

#include <optional>

namespace gb::app {
namespace {

using base::Error;
using base::ErrorCode;

struct Found {
    std::shared_ptr<const ir::Graph> graph;
    QString name;
    QString target;
};

/// The node at the cursor, else in the last stage that has it.
std::optional<Found> find(views::Session& session, ir::NodeId id)
{
    std::vector<trace::MomentPtr> moments{session.moment()};
    const QStringList stages = views::stageNames();
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
        if (const trace::MomentPtr moment = session.momentOfStage(*stage))
            moments.push_back(moment);
    for (const trace::MomentPtr& moment : moments)
        for (const auto& [path, facts] : moment->graphs)
            if (const ir::Node* node = facts->graph->find(id))
                return Found{facts->graph, QString::fromStdString(node->name()),
                             QString::fromStdString(node->target())};
    return std::nullopt;
}

} // namespace

base::Result<views::Card> histogramCardOf(views::Session& session, ir::NodeId node)
{
    views::ObserverSource source(&session);
    const views::ObserverRow* row = source.find({views::Selected::Kind::Node, node, {}, -1});
    if (!row)
        return Error{ErrorCode::NotFound, "no observer serves the node", session.recording()->header.model};
    return views::histogramCard(*row, source.when());
}

base::Result<views::Card> whyCardOf(views::Session& session, const views::Explanation& explanation, ir::NodeId node)
{
    const auto found = find(session, node);
    if (!found)
        return Error{ErrorCode::NotFound, "no moment has the node", session.recording()->header.model};
    const std::vector<views::Reason> reasons = views::ReasonSource(&explanation).of(node);
    const auto html = [recording = session.recording(), graph = found->graph, node,
                       reasons](const views::Theme& theme) {
        return views::whyHtml(*recording, *graph, node, reasons, theme);
    };
    if (html(views::Theme::of(views::ThemeKind::Print)).isEmpty())
        return Error{ErrorCode::NotFound,
                     explanation.problem().isEmpty() ? "nothing is said of the node"
                                                     : explanation.problem().toStdString(),
                     found->name.toStdString()};
    return views::whyCard(QStringLiteral("%1 · %2").arg(found->name, found->target), html);
}

} // namespace gb::app
