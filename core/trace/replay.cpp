#include "trace/replay.h"

#include "base/message.h"
#include "trace/applier.h"

#include <algorithm>
#include <limits>

namespace gb::trace {
namespace {

using base::say;
using base::Status;

/// A checkpoint costs a copy of the graphs, in time and in memory, so a large graph gets fewer of them.
constexpr std::size_t kEditsPerCheckpoint = 512;
constexpr std::size_t kEditsPerNode = 2; ///< what a copy of a node costs

/// As many as may be looked at while another is stepped with: the views let go of one after they have the next.
constexpr std::size_t kHands = 3;

/// The graphs at an event. Moments share them as they are.
struct Hand {
    int event = -1;
    Workings graphs;
    MomentPtr shown; ///< null where nobody has asked for it
    std::size_t used = 0;

    [[nodiscard]] bool isLookedAt() const
    {
        const long own = shown ? 1 : 0;
        return shown.use_count() > own
               || std::ranges::any_of(graphs, [own](const auto& entry) { return entry.second.isShared(own); });
    }
    [[nodiscard]] std::size_t nodeCount() const
    {
        std::size_t count = 0;
        for (const auto& [path, w] : graphs)
            count += w.graph->size();
        return count;
    }
    MomentPtr publish()
    {
        if (shown)
            return shown;
        auto moment = std::make_shared<Moment>();
        moment->event = event;
        for (const auto& [path, w] : graphs)
            moment->graphs[path] = w.facts;
        return shown = std::move(moment);
    }
};

bool hasEffect(const Event& event)
{
    return !event.edits.empty() || event.record;
}

} // namespace

const quant::ObserverState* GraphMoment::stateOf(const std::string& target) const
{
    const auto info = observers.find(target);
    const auto own = observerRecords.find(target);
    const ObserverRecord* newest = own == observerRecords.end() ? nullptr : own->second.get();
    if (info == observers.end())
        return newest ? &newest->state : nullptr;
    for (const auto& [other, otherInfo] : observers) {
        if (otherInfo->instance != info->second->instance) // most of them: names are not compared for these
            continue;
        const auto record = observerRecords.find(other);
        if (record != observerRecords.end() && (!newest || record->second->state.batches > newest->state.batches))
            newest = record->second.get();
    }
    return newest ? &newest->state : nullptr;
}

const GraphMoment& Moment::top() const
{
    static const GraphMoment kEmpty{std::make_shared<ir::Graph>(std::make_shared<ir::NodeIds>(), ""), {}, {}, {}};
    const auto found = graphs.find("");
    return found == graphs.end() ? kEmpty : *found->second;
}

struct Replay::Impl {
    RecordingPtr recording;
    std::vector<int> effect;       ///< by event: the newest one with an effect, itself included; -1: none yet
    std::vector<bool> isStageEnd;  ///< by event: the newest one with an effect at the end of a stage
    std::vector<std::size_t> work; ///< by event: edits and records up to and with it
    std::vector<EventUndo> undos;  ///< by event, as far as any hand has come
    std::vector<Hand> hands;       ///< those that are stepped with
    std::vector<Hand> checkpoints; ///< never stepped with; ascending
    std::size_t editsSinceCheckpoint = 0;
    std::size_t asked = 0;

    explicit Impl(RecordingPtr of)
        : recording(std::move(of))
    {
        std::size_t edits = 0;
        int newest = -1;
        for (const Event& e : recording->events) {
            if (hasEffect(e))
                newest = static_cast<int>(effect.size());
            effect.push_back(newest);
            work.push_back(edits += e.edits.size() + (e.record ? 1 : 0));
        }
        isStageEnd.resize(effect.size(), false);
        for (std::size_t i = 0; i < effect.size(); ++i)
            if (recording->events[i].kind == EventKind::Stage && effect[i] >= 0)
                isStageEnd[static_cast<std::size_t>(effect[i])] = true;
    }

    [[nodiscard]] std::size_t workTo(int event) const { return event < 0 ? 0 : work[static_cast<std::size_t>(event)]; }
    [[nodiscard]] std::size_t workBetween(int a, int b) const
    {
        return std::max(workTo(a), workTo(b)) - std::min(workTo(a), workTo(b));
    }

    Hand* standingAt(int event)
    {
        for (std::vector<Hand>* all : {&hands, &checkpoints})
            for (Hand& h : *all)
                if (h.event == event)
                    return &h;
        return nullptr;
    }

    /// A hand to go to an event with, from where that is least work.
    Hand& handFor(int event)
    {
        const Hand start;
        const Hand* from = &start;
        std::size_t least = workTo(event);
        const auto hold = [&](const Hand& h, bool copies) {
            const std::size_t cost = workBetween(h.event, event) + (copies ? kEditsPerNode * h.nodeCount() : 0);
            if (cost < least || (from == &start && cost == least)) {
                from = &h;
                least = cost;
            }
        };
        for (const Hand& h : checkpoints)
            hold(h, true);
        Hand* own = nullptr;
        for (Hand& h : hands) {
            const bool copies = h.isLookedAt();
            hold(h, copies);
            if (from == &h)
                own = copies ? nullptr : &h;
        }
        if (own && from == own) {
            own->shown.reset();
            return *own;
        }
        Hand copy{from->event, from->graphs, {}, 0};
        if (hands.size() < kHands)
            return hands.emplace_back(std::move(copy));
        return *std::ranges::min_element(hands, {}, &Hand::used) = std::move(copy);
    }

    Status go(Hand& hand, int event)
    {
        while (hand.event < event) {
            const auto next = static_cast<std::size_t>(hand.event) + 1;
            const Event& e = recording->events[next];
            auto undo = applyEvent(hand.graphs, e);
            if (!undo)
                return undo.error().in(say("event {0}", next));
            ++hand.event;
            if (next < undos.size())
                continue;
            undos.push_back(std::move(*undo));
            keepCheckpoint(hand);
        }
        for (; hand.event > event; --hand.event) {
            const auto newest = static_cast<std::size_t>(hand.event);
            takeBackEvent(hand.graphs, recording->events[newest], undos[newest]);
        }
        for (auto& [path, w] : hand.graphs)
            if (!w.isShared(0))
                w.graph->freeErased();
        return {};
    }

    /// Stages are what people jump to most; between them a jump should be less work than a copy.
    void keepCheckpoint(const Hand& hand)
    {
        editsSinceCheckpoint += workBetween(hand.event - 1, hand.event);
        const bool far = editsSinceCheckpoint >= std::max(kEditsPerCheckpoint, kEditsPerNode * hand.nodeCount());
        if (!far && !isStageEnd[static_cast<std::size_t>(hand.event)])
            return;
        checkpoints.push_back({hand.event, hand.graphs, {}, 0});
        editsSinceCheckpoint = 0;
    }
};

Replay::Replay(RecordingPtr recording)
    : m_impl(std::make_unique<Impl>(std::move(recording)))
{
}

Replay::~Replay() = default;

base::Result<MomentPtr> Replay::at(int index)
{
    Impl& my = *m_impl;
    index = std::min(index, static_cast<int>(my.effect.size()) - 1);
    const int event = index < 0 ? -1 : my.effect[static_cast<std::size_t>(index)];
    Hand* hand = my.standingAt(event);
    if (!hand) {
        hand = &my.handFor(event);
        if (Status went = my.go(*hand, event); !went) {
            my.hands.clear(); // what the edits were half done to is no moment
            return went.error();
        }
    }
    hand->used = ++my.asked;
    return hand->publish();
}

} // namespace gb::trace
