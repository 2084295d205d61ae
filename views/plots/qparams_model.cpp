#include "plots/qparams_model.h"

#include <QFont>

#include <algorithm>

namespace gb::views {

void QParamsModel::setCards(std::vector<QParamsEntry> selected, std::vector<QParamsEntry> pinned)
{
    beginResetModel();
    m_selected = std::move(selected);
    m_pinned = std::move(pinned);
    endResetModel();
}

void QParamsModel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    if (rows() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rows() - 1, columns() - 1));
}

int QParamsModel::rows() const
{
    return static_cast<int>(m_selected.empty() ? m_pinned.size() : m_selected.size());
}

bool QParamsModel::differs(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    return at < m_selected.size() && at < m_pinned.size() && m_selected[at].full != m_pinned[at].full;
}

QVariant QParamsModel::cell(int row, int column, int role) const
{
    const auto at = static_cast<std::size_t>(row);
    const std::vector<QParamsEntry>& side = column == Pinned || m_selected.empty() ? m_pinned : m_selected;
    const std::vector<QParamsEntry>& values = column == Selected ? m_selected : side;
    const QParamsEntry* entry = at < values.size() ? &values[at] : nullptr;
    switch (role) {
    case Qt::DisplayRole:
        if (!entry)
            return QString(QChar(0x2014));
        return column == Property ? entry->name : entry->text;
    case FullRole:
    case Qt::ToolTipRole:
        if (!entry)
            return QString();
        return column == Property ? entry->name : entry->full;
    case DiffersRole: return differs(row);
    case Qt::FontRole: {
        QFont font;
        font.setBold(differs(row) && column != Property);
        return font;
    }
    case Qt::ForegroundRole:
        return column == Property ? m_theme->ink(Ink::Muted) : m_theme->ink(differs(row) ? Ink::Changed : Ink::Text);
    case Qt::BackgroundRole: return differs(row) ? QVariant(m_theme->ink(Ink::PanelAlternate)) : QVariant();
    case Qt::AccessibleTextRole: {
        const QString text = entry ? (column == Property ? entry->name : entry->text) : QString();
        return differs(row) && column != Property ? tr("%1, differs").arg(text) : text;
    }
    default: return {};
    }
}

QVariant QParamsModel::header(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    if (column == Property)
        return tr("Property");
    return column == Selected ? tr("Selected") : tr("Pinned");
}

QString QParamsModel::tsv() const
{
    QStringList lines;
    for (int row = 0; row < rows(); ++row) {
        QStringList cells;
        for (int column = 0; column < columns(); ++column)
            cells << cell(row, column, FullRole).toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace gb::views
