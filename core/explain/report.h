// Everything that explain knows of a recording, worked out at once.
//
// Takes a while for a large model: the window does it as a job. Thread: pure function.
#pragma once

#include "base/progress.h"
#include "explain/coverage.h"
#include "explain/explain.h"
#include "explain/ledger.h"
#include "explain/sharing.h"

#include <memory>

namespace gb::explain {

struct Report {
    Answer answer; ///< its findings are sorted: errors, warnings, notes; each in the order of the run
    Coverage coverage;
    Sharing sharing;
    Ledger ledger;
};
using ReportPtr = std::shared_ptr<const Report>;

/// As explain(). Error also: Cancelled.
base::Result<ReportPtr> report(const trace::RecordingPtr& recording, const quantizers::Recipe& recipe,
                               const base::Work& work = {});

} // namespace gb::explain
