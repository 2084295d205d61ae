#include "session/session.h"

#include "session/translate.h"

#include <QCoreApplication>

#include <algorithm>

namespace gb::views {

using trace::EventKind;

QStringList stageNames()
{
    return {QStringLiteral("exported"), QStringLiteral("folded"),     QStringLiteral("annotated"),
            QStringLiteral("prepared"), QStringLiteral("calibrated"), QStringLiteral("converted")};
}

QString stageTitle(const QString& stage)
{
    static const std::pair<const char*, const char*> kTitles[] = {
        {"exported", QT_TRANSLATE_NOOP("stages", "Exported")},
        {"folded", QT_TRANSLATE_NOOP("stages", "BN folded")},
        {"annotated", QT_TRANSLATE_NOOP("stages", "Annotated")},
        {"prepared", QT_TRANSLATE_NOOP("stages", "Prepared")},
        {"calibrated", QT_TRANSLATE_NOOP("stages", "Calibrated")},
        {"converted", QT_TRANSLATE_NOOP("stages", "Converted")},
    };
    for (const auto& [name, title] : kTitles)
        if (stage == QLatin1String(name))
            return QCoreApplication::translate("stages", title);
    return stage;
}

Session::Session(QObject* parent)
    : QObject(parent)
{
}

Session::~Session() = default;

void Session::setRecording(trace::RecordingPtr recording, const QString& stage, std::shared_ptr<trace::Replay> replay)
{
    m_recording = std::move(recording);
    m_replay = replay || !m_recording ? std::move(replay) : std::make_shared<trace::Replay>(m_recording);
    m_insides.reset();
    m_inside.clear();
    m_insideOf = m_inner = -1;
    findStops();
    m_cursor = eventCount() - 1;
    if (m_recording && !stage.isEmpty())
        if (const int wanted = m_recording->stageEvent(stage.toStdString()); wanted >= 0)
            m_cursor = wanted;
    Q_EMIT recordingChanged();
    Q_EMIT cursorChanged(m_cursor);
}

int Session::eventCount() const
{
    return m_recording ? static_cast<int>(m_recording->events.size()) : 0;
}

const trace::Event* Session::current() const
{
    return m_cursor >= 0 && m_cursor < eventCount() ? &m_recording->events[static_cast<std::size_t>(m_cursor)]
                                                    : nullptr;
}

trace::MomentPtr Session::momentAt(int event)
{
    static const auto kEmpty = std::make_shared<const trace::Moment>();
    if (!m_replay)
        return kEmpty;
    auto moment = m_replay->at(event);
    if (!moment) {
        Q_EMIT failed(QString::fromStdString(moment.error().text()));
        return kEmpty;
    }
    return *moment;
}

trace::MomentPtr Session::moment()
{
    return momentAt(m_cursor);
}

trace::MomentPtr Session::momentOfStage(const QString& stage)
{
    const int event = m_recording ? m_recording->stageEvent(stage.toStdString()) : -1;
    return event < 0 ? nullptr : momentAt(event);
}

QString Session::stageAt(int event) const
{
    for (int i = std::min(event, eventCount() - 1); i >= 0; --i)
        if (const auto& e = m_recording->events[static_cast<std::size_t>(i)]; e.kind == EventKind::Stage)
            return QString::fromStdString(e.name);
    return {};
}

void Session::findStops()
{
    m_stops.clear();
    for (int i = 0; i < eventCount(); ++i)
        if (m_stepInert || m_recording->events[static_cast<std::size_t>(i)].changesSomething())
            m_stops.push_back(i);
}

int Session::firstStopAfter(int event) const
{
    const auto found = std::upper_bound(m_stops.begin(), m_stops.end(), event);
    return found == m_stops.end() ? -1 : *found;
}

int Session::lastStopBefore(int event) const
{
    const auto found = std::lower_bound(m_stops.begin(), m_stops.end(), event);
    return found == m_stops.begin() ? -1 : *std::prev(found);
}

int Session::stepNumber() const
{
    return static_cast<int>(std::upper_bound(m_stops.begin(), m_stops.end(), m_cursor) - m_stops.begin());
}

bool Session::canStepBack() const
{
    return m_inner >= 0 || lastStopBefore(m_cursor) >= 0;
}

bool Session::canStepForward() const
{
    return firstStopAfter(m_cursor) >= 0;
}

void Session::setCursor(int event)
{
    event = std::clamp(event, -1, eventCount() - 1);
    setInner(-1);
    if (event == m_cursor)
        return;
    m_cursor = event;
    Q_EMIT cursorChanged(m_cursor);
}

const std::vector<explain::InnerStep>& Session::inside()
{
    if (m_insideOf == m_cursor)
        return m_inside;
    m_insideOf = m_cursor;
    if (m_recording && !m_insides)
        m_insides = std::make_unique<explain::Insides>(m_recording);
    m_inside = m_insides ? m_insides->of(m_cursor) : std::vector<explain::InnerStep>();
    return m_inside;
}

void Session::setInner(int step)
{
    if (step == m_inner || step < -1 || (step >= 0 && step >= static_cast<int>(inside().size())))
        return;
    m_inner = step;
    Q_EMIT innerChanged(m_inner);
}

QString Session::sentence()
{
    if (m_inner >= 0)
        return translated(inside()[static_cast<std::size_t>(m_inner)].sentence);
    return current() ? translated(current()->sentence) : QString();
}

void Session::stepForward()
{
    if (const int stop = firstStopAfter(m_cursor); stop >= 0)
        setCursor(stop);
}

/// Where "into" goes when nothing is left inside the event: a scope is entered even where nothing in it has an effect,
/// and then walked through; else the next stop.
int Session::nextInto() const
{
    const trace::Event* e = current();
    const int stop = firstStopAfter(m_cursor);
    if (!e)
        return stop;
    if (e->last > m_cursor)
        return stop >= 0 && stop <= e->last ? stop : m_cursor + 1;
    const int scope = e->changesSomething() ? -1 : e->parent;
    if (scope < 0)
        return stop;
    const int end = m_recording->events[static_cast<std::size_t>(scope)].last;
    const int first = firstStopAfter(scope);
    return m_cursor < end && (first < 0 || first > end) ? m_cursor + 1 : stop;
}

bool Session::canStepInto()
{
    return m_inner + 1 < static_cast<int>(inside().size()) || nextInto() >= 0;
}

void Session::stepInto()
{
    if (m_inner + 1 < static_cast<int>(inside().size()))
        setInner(m_inner + 1);
    else if (const int next = nextInto(); next >= 0)
        setCursor(next);
}

void Session::stepBack()
{
    if (m_inner >= 0) {
        setInner(m_inner - 1);
        return;
    }
    if (const int stop = lastStopBefore(m_cursor); stop >= 0)
        setCursor(stop);
}

void Session::stepOver()
{
    if (m_inner >= 0) {
        stepInto();
        return;
    }
    const trace::Event* e = current();
    const int after = e ? firstStopAfter(std::max(e->last, m_cursor)) : firstStopAfter(m_cursor);
    setCursor(after >= 0 ? after : eventCount() - 1);
}

void Session::stepOut()
{
    const trace::Event* e = current();
    if (m_inner >= 0) { // out of the event alone: what lies in its scope comes next
        const int after = firstStopAfter(m_cursor);
        setCursor(after >= 0 ? after : eventCount() - 1);
        return;
    }
    if (!e || e->parent < 0) {
        stepOver();
        return;
    }
    const int end = m_recording->events[static_cast<std::size_t>(e->parent)].last;
    const int after = firstStopAfter(end);
    setCursor(after >= 0 ? after : eventCount() - 1);
}

void Session::toFirst()
{
    setCursor(m_stops.empty() ? eventCount() - 1 : m_stops.front());
}

void Session::toLast()
{
    setCursor(eventCount() - 1);
}

void Session::toNextStage()
{
    for (int i = m_cursor + 1; i < eventCount(); ++i)
        if (m_recording->events[static_cast<std::size_t>(i)].kind == EventKind::Stage) {
            setCursor(i);
            return;
        }
}

void Session::toPreviousStage()
{
    for (int i = m_cursor - 1; i >= 0; --i)
        if (m_recording->events[static_cast<std::size_t>(i)].kind == EventKind::Stage) {
            setCursor(i);
            return;
        }
}

void Session::toStage(const QString& stage)
{
    if (const int event = m_recording ? m_recording->stageEvent(stage.toStdString()) : -1; event >= 0)
        setCursor(event);
}

void Session::setStepInert(bool inert)
{
    if (inert == m_stepInert)
        return;
    m_stepInert = inert;
    findStops();
    Q_EMIT cursorChanged(m_cursor); // the step number is another one
}

} // namespace gb::views
