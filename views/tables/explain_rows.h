// Parts of explain's report as rows of tables.
//
// Thread: the UI thread (they translate).
#pragma once

#include "explain/report.h"
#include "explain/search_index.h"
#include "tables/rows_model.h"

#include <QStringList>

namespace gb::views {

/// One table: what stands above its columns, how a report becomes rows, what is said above the table.
struct ExplainPart {
    QString name;        ///< accessible name
    QStringList headers; ///< one for each column
    std::vector<RowItem> (*rows)(const explain::Report&);
    QString (*banner)(const explain::Report&); ///< "" for none
    bool alarm = false;                        ///< the banner is an error
    QString empty;                             ///< where there is no row
};

ExplainPart problemsPart();
ExplainPart coveragePart();
ExplainPart settingsPart();
ExplainPart sharingPart();
ExplainPart ledgerPart();

/// Headers and rows of a search's results, in the index's order.
QStringList searchHeaders();
std::vector<RowItem> searchRows(const explain::SearchIndex& index, const std::vector<ir::NodeId>& found);

} // namespace gb::views
