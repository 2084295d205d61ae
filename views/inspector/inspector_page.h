// One page of the inspector: a header and the tabs Facts, Why, Qparams and Code of one selection.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "inspector/reasons.h"
#include "observers/observer_source.h"
#include "session/session.h"
#include "theme/theme.h"

#include <QUrl>
#include <QWidget>

#include <optional>

class QLabel;
class QPlainTextEdit;
class QTabWidget;
class QTextBrowser;
class QTableView;

namespace gb::views {

class EventListModel;
class QParamsModel;

class InspectorPage final : public QWidget {
    Q_OBJECT

public:
    /// `selection` is written to when a link is followed; what the page shows is set by showSelected().
    InspectorPage(Session* session, Selection* selection, const Explanation* explanation, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void showSelected(const Selected& selected);
    [[nodiscard]] const Selected& selected() const { return m_selected; }
    void showTab(int tab);
    void showHistory();
    [[nodiscard]] int tab() const;
    /// Header and the facts, as indented text.
    [[nodiscard]] QString text() const;
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] QString code() const;
    [[nodiscard]] const EventListModel& events() const { return *m_events; }
    [[nodiscard]] const QParamsModel& qparams() const { return *m_qparams; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeTabs();
    void refresh();
    void showFacts();
    void showWhy();
    [[nodiscard]] QString verdictHtml(ir::NodeId id);
    void showQParams();
    void follow(const QUrl& link);
    [[nodiscard]] ir::NodeId node();

    Session* m_session;
    Selection* m_selection;
    const Explanation* m_explanation;
    const Theme* m_theme;
    ObserverSource m_source;
    ReasonSource m_reasons;
    Selected m_selected;
    QString m_text;
    QString m_shownName; ///< whose facts stand there
    struct WhyShown {
        trace::RecordingPtr recording;
        explain::ReportPtr report;
        ir::NodeId node = ir::kNoNode;
        bool busy = false;
        friend bool operator==(const WhyShown&, const WhyShown&) = default;
    };
    trace::RecordingPtr m_labelsOf; ///< what m_labels is of
    trace::MomentPtr m_labels;      ///< where the labels are complete; null where the run did not get there
    std::optional<WhyShown> m_whyShown; ///< what the Why page was made of: a step of the cursor changes none of it
    QLabel* m_title;
    QLabel* m_role;
    QTabWidget* m_tabs;
    QTextBrowser* m_facts;
    QTextBrowser* m_verdict;
    QTableView* m_why;
    EventListModel* m_events;
    QLabel* m_formula;
    QTableView* m_cards;
    QParamsModel* m_qparams;
    QPlainTextEdit* m_code;
};

} // namespace gb::views
