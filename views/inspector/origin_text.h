// torch's from_node metadata in a line.
//
// Thread: pure functions.
#pragma once

#include <QString>

namespace gb::views {

/// "hardtanh (Interpreter_PropagateUnbackedSymInts) ← hardtanh (Interpreter_DynamoGraphTransformer)": which node of
/// which pass this one came from, the newest first. Text that is no such JSON comes back as it is.
QString originText(const QString& json);

} // namespace gb::views
