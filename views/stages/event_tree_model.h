// The events of a recording as a tree: stage -> pass, rule, batch -> event. Events that changed nothing are folded into
// one row a scope ("38 without effect").
//
// Thread: the UI thread.
#pragma once

#include "models/tree_model.h"
#include "trace/recording.h"

namespace gb::views {

class EventTreeModel final : public TreeModel {
    Q_OBJECT

public:
    enum Column { Sentence, Delta, ColumnCount };
    enum Role {
        EventRole = Qt::UserRole, ///< int: index of the event; of a stage row the stage's own event; -1 for a fold row
        KindRole,                 ///< QString: "stage", "pass", ..., "fold" for a row of folded events
        EffectRole,               ///< bool: it changes something, or something inside it does
    };

    explicit EventTreeModel(QObject* parent = nullptr);
    void setRecording(trace::RecordingPtr recording);
    /// The row that shows an event; invalid when there is none.
    [[nodiscard]] QModelIndex indexOfEvent(int event) const;

private:
    struct Row {
        int event = -1;
        int parent = kRoot;
        int place = 0;
        std::vector<int> children;
        bool fold = false;
        int attempts = 0; ///< of a fold: refused chains in it
        bool effect = false;
        int labels = 0;    ///< annotations written inside
        int observers = 0; ///< observers inserted inside
        int added = 0;     ///< nodes
        int erased = 0;
    };

    [[nodiscard]] int parentOf(int number) const override;
    [[nodiscard]] int placeOf(int number) const override;
    [[nodiscard]] const std::vector<int>& childrenOf(int number) const override;
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] QVariant cell(int number, int column, int role) const override;
    [[nodiscard]] QVariant header(int column, int role) const override;

    void build();
    int addRow(Row row);
    void addEvents(int first, int last, int parent);
    void count(Row& row, int event) const;
    void sumUp(int number);
    [[nodiscard]] QString sentenceOf(const Row& row) const;
    [[nodiscard]] QString deltaOf(const Row& row) const;

    trace::RecordingPtr m_recording;
    std::vector<Row> m_rows;
    std::vector<int> m_top;
    std::vector<int> m_rowOfEvent;
};

} // namespace gb::views
