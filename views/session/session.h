// A recording and a cursor over it: what every view shows a moment of.
//
// Stepping moves the cursor; nothing is undone. Events that change nothing (an attempt that was refused, a group that
// was computed) are stepped over unless `stepInert` is set, but the cursor can stand on them. Inside an event (the
// chain of an attempt, an observer's update, the moves of a histogram search) a second, inner cursor walks: "into"
// enters.
//
// Thread: the UI thread.
#pragma once

#include "explain/inside.h"
#include "trace/recording.h"
#include "trace/replay.h"

#include <QObject>
#include <QString>

#include <memory>

namespace gb::views {

class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    /// Null before the first recording.
    [[nodiscard]] const trace::RecordingPtr& recording() const { return m_recording; }
    /// Swaps the recording; the cursor goes to the end of `stage` where it is there, else to the last event. `replay`:
    /// one of the recording that nobody else uses, where there is one.
    void setRecording(trace::RecordingPtr recording, const QString& stage = {},
                      std::shared_ptr<trace::Replay> replay = nullptr);

    [[nodiscard]] int cursor() const { return m_cursor; }
    [[nodiscard]] int eventCount() const;
    /// The event under the cursor, or null.
    [[nodiscard]] const trace::Event* current() const;
    /// Graphs, attributes and observers at the cursor. Never null (empty before the first recording).
    [[nodiscard]] trace::MomentPtr moment();
    /// The moment at the end of a stage, or null when the run did not get there.
    [[nodiscard]] trace::MomentPtr momentOfStage(const QString& stage);
    /// The stage whose end is nearest at or before an event, "" before the first.
    [[nodiscard]] QString stageAt(int event) const;

    /// Position of the cursor among the events that stepping stops at: 1-based, and how many there are.
    [[nodiscard]] int stepNumber() const;
    [[nodiscard]] int stepCount() const { return static_cast<int>(m_stops.size()); }
    [[nodiscard]] bool stepsInert() const { return m_stepInert; }
    [[nodiscard]] bool canStepBack() const;
    [[nodiscard]] bool canStepForward() const;

    /// What happened inside the current event; empty for most.
    [[nodiscard]] const std::vector<explain::InnerStep>& inside();
    /// The inner step that the cursor stands on; -1 on the event itself.
    [[nodiscard]] int inner() const { return m_inner; }
    [[nodiscard]] bool canStepInto();
    /// Of the inner step, else of the event, in the user's language; empty without a recording.
    [[nodiscard]] QString sentence();

public Q_SLOTS:
    void setCursor(int event);
    void stepForward(); ///< to the next stop, inside scopes too
    void stepBack();
    void stepInto(); ///< to the next inner step, or to what is first in the scope, else to the next stop
    void stepOver(); ///< to the first stop after the current scope; inside an event to the next inner step
    void stepOut();  ///< to the first stop after the enclosing scope; out of an event to the first one after it
    void setInner(int step);
    void toFirst();
    void toLast();
    void toNextStage();
    void toPreviousStage();
    void toStage(const QString& stage);
    void setStepInert(bool inert); ///< stop at events that change nothing, too

Q_SIGNALS:
    void recordingChanged();
    void cursorChanged(int event);
    /// The inner cursor moved (or is gone: -1, also when the cursor moves).
    void innerChanged(int step);
    /// The recording's edits do not fit (a broken file): the sentence.
    void failed(const QString& sentence);

private:
    void findStops();
    [[nodiscard]] int firstStopAfter(int event) const;
    [[nodiscard]] int lastStopBefore(int event) const;
    [[nodiscard]] int nextInto() const;
    trace::MomentPtr momentAt(int event);

    trace::RecordingPtr m_recording;
    std::shared_ptr<trace::Replay> m_replay;
    std::vector<int> m_stops; ///< events that stepping stops at, ascending
    int m_cursor = -1;
    int m_inner = -1;
    std::unique_ptr<explain::Insides> m_insides; ///< made when somebody looks inside
    std::vector<explain::InnerStep> m_inside;
    int m_insideOf = -1; ///< the event that m_inside is of
    bool m_stepInert = false;
};

/// The stages that a dump has, in order: exported, folded, annotated, prepared, calibrated, converted.
QStringList stageNames();
/// The stage's name for people: "Exported", "BN folded", ...
QString stageTitle(const QString& stage);

} // namespace gb::views
