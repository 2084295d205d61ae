// One graph of one stage as a dump writes it; the reference is the oracle's dump.py, key by key.
//
// Internal to io. Thread: pure functions.
#pragma once

#include "io/json.h"
#include "trace/replay.h"

namespace gb::io {

/// {"nodes": [...], "observers": {...}, "subgraphs": {...}} of the graph at `path`; `observers` only where `observed`,
/// `subgraphs` only where a get_attr node hands one on. Error (Format) when the moment has no such graph.
base::Result<Json> graphJson(const trace::Moment& moment, const std::string& path, bool observed);

/// {"observers": {...}, "subgraphs": {...}} with states and qparams.
base::Result<Json> calibratedJson(const trace::Moment& moment, const std::string& path);

/// Name -> {"dtype", "shape", "sha256"} of every parameter and buffer of all graphs, sorted by name.
Json tensorsJson(const trace::Moment& moment);

} // namespace gb::io
