// Why nodes have no label, no observer or no q/dq: the answers of explain, in the user's language, once a recording.
//
// Thread: the UI thread.
#pragma once

#include "session/session.h"

#include <QString>

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
    std::vector<RefusedRule> rules;

    /// True for a compute op without a label (R1 to R18), false for what is labelled and still has no observer or q/dq.
    [[nodiscard]] bool isUnlabelled() const { return code.startsWith(QLatin1Char('R')); }
};

class ReasonSource final {
public:
    explicit ReasonSource(Session* session)
        : m_session(session)
    {
    }

    /// All of them, in explain's order. Worked out again only when there is another recording.
    const std::vector<Reason>& all();
    /// Those of one node.
    std::vector<Reason> of(ir::NodeId node);
    /// Why there are none although there is a recording: it is broken, or its quantizer is none that is known here.
    const QString& problem();

private:
    void refresh();

    Session* m_session;
    trace::RecordingPtr m_recording;
    std::vector<Reason> m_reasons;
    QString m_problem;
};

/// The events that touched a node, but for its loading: labels written, attempts, what passes did to it; ascending.
std::vector<int> eventsOf(const trace::Recording& recording, ir::NodeId node);
/// The event that wrote the node's label last, up to `cursor`; -1 where none did.
int labelledBy(const trace::Recording& recording, ir::NodeId node, int cursor);
/// The event that erased a node, -1 where none did.
int erasedBy(const trace::Recording& recording, ir::NodeId node);

} // namespace gb::views
