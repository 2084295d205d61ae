// Where a walk over a recording stops.
//
// A breakpoint is written as text, so that it can be typed, kept and shown as one line:
//
//     node:conv2d          an event that touches the node          op:conv*       ... a node of the op
//     rule:conv_relu       the rule begins, tries or takes a chain event:fold     an event of the kind
//     reason:R5            a refusal or drop with the code         labelled:relu  the node's label is written
//     unlabelled:relu      a rule refuses the node, or the labels
//                          are complete and it has none            scale<0.001    an observer's state becomes so
//     scale<0.001 obs:activation_post_process_3                    ... of that observer node
//
// Numbers: scale, zp, min, max, batches with > >= < <= =; any channel counts. A numeric breakpoint stops where its
// condition becomes true, not at every event after that. * and ? in a text stand for any characters and for one.
//
// Thread: values.
#pragma once

#include "base/result.h"
#include "trace/recording.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gb::trace {

struct Breakpoint {
    enum class Kind : unsigned char { Node, Op, Rule, Event, Reason, Labelled, Unlabelled, Number };
    Kind kind = Kind::Node;
    std::string text;       ///< what stands behind the colon; Number: the observer node, empty for any
    std::string quantity;   ///< Number: "scale"
    std::string comparison; ///< Number: "<="
    double number = 0.0;
    bool enabled = true;

    /// Errors (Usage): "column 3", what was found and what is expected.
    static base::Result<Breakpoint> parse(std::string_view text);
    /// As parse() takes it.
    [[nodiscard]] std::string toText() const;
    friend bool operator==(const Breakpoint&, const Breakpoint&) = default;
};

/// The events of a recording at which breakpoints stop.
class BreakpointFinder {
public:
    explicit BreakpointFinder(RecordingPtr recording);

    /// All events at which a breakpoint stops, ascending.
    [[nodiscard]] std::vector<int> hits(const Breakpoint& breakpoint) const;
    /// The first event behind `from` (before it, where `forward` is false) at which an enabled one stops; -1 for none.
    [[nodiscard]] int next(const std::vector<Breakpoint>& breakpoints, int from, bool forward = true) const;

private:
    struct Name {
        std::string name;
        std::string target;
        std::string graph;
        std::size_t since = 0; ///< the event that added it
    };
    [[nodiscard]] bool touches(const Event& event, const Breakpoint& breakpoint) const;
    [[nodiscard]] bool matches(ir::NodeId node, const Breakpoint& breakpoint) const;
    [[nodiscard]] bool isLeftOut(const Event& stage, std::size_t at, const Breakpoint& breakpoint) const;

    RecordingPtr m_recording;
    std::unordered_map<ir::NodeId, Name> m_names;
};

} // namespace gb::trace
