// Why nodes have no label, no observer or no q/dq: the answers of explain, in the user's language, once a report.
//
// Thread: the UI thread.
#pragma once

#include "session/explanation.h"

#include "theme/theme.h"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace gb::views {

/// A rule that looked at the node and left it alone.
struct RefusedRule {
    QString rule;
    QString failed; ///< "has_other_users: found 2 users of conv2d, one user expected"
    int event = -1; ///< the attempt
};

struct Reason {
    ir::NodeId node = ir::kNoNode;
    QString name;
    QString graph; ///< path of the sub-graph, empty for the top graph
    QString target;
    QString code;    ///< "R5"; not translated
    QString verdict; ///< "by design"
    QString sentence;
    QString toChange; ///< empty where there is nothing to change
    QString nearest;  ///< the rule that came closest; empty where none looked
    std::vector<RefusedRule> rules;
    QStringList evidence;  ///< "users of conv2d: relu and add"
    bool isCompute = true; ///< false for placeholders, attributes, outputs, getitem

    /// True for a compute op without a label (R1 to R18), false for what is labelled and still has no observer or q/dq.
    [[nodiscard]] bool isUnlabelled() const { return code.startsWith(QLatin1Char('R')); }
};

class ReasonSource final {
public:
    explicit ReasonSource(const Explanation* explanation)
        : m_explanation(explanation)
    {
    }

    /// All of them, in explain's order; none while explain is at work.
    const std::vector<Reason>& all();
    /// Those of one node.
    std::vector<Reason> of(ir::NodeId node);
    /// Why there are none although there is a recording: it is broken, or its quantizer is none that is known here.
    [[nodiscard]] const QString& problem() const { return m_explanation->problem(); }

private:
    void refresh();

    const Explanation* m_explanation;
    explain::ReportPtr m_report; ///< what m_reasons was made of
    std::vector<Reason> m_reasons;
};

/// The events that touched a node, but for its loading: labels written, attempts, what passes did to it; ascending.
std::vector<int> eventsOf(const trace::Recording& recording, ir::NodeId node);
/// The event that wrote the node's label last, up to `cursor`; -1 where none did.
int labelledBy(const trace::Recording& recording, ir::NodeId node, int cursor);
/// What is said of a node, as HTML with links event:N: reasons (verdict, sentence, evidence, rules tried, what would
/// change it), the history of its label, the settings that came to it. `graph` is for names.
QString whyHtml(const trace::Recording& recording, const ir::Graph& graph, ir::NodeId node,
                const std::vector<Reason>& reasons, const Theme& theme);
/// The event that erased a node, -1 where none did.
int erasedBy(const trace::Recording& recording, ir::NodeId node);

} // namespace gb::views
