// Recordings (formats.md, section 4) as JSON Lines: how a run came about. What the kinds of event mean and which
// fields they have is documented in trace/event.h; this is how they are written down.
//
// Line 1, the header:
//   {"format": "greenbox-recording", "version": 1, "producer": {"name", "version", "torch"}, "model": text,
//    "mode": "ptq"|"qat", "recipe": JSON, "options": {"calibrate": [positions], "fold_quantize": false}}
//   `options` and its keys stand only where the run differs from the default.
// Each further line, an event; line n + 2 is event number n. Keys with their default are left out:
//   "event"   kind
//   "parent"  number of the scope that it lies in (default: none)
//   "last"    number of the last event inside it (default: its own)
//   "name"    text
//   "say"     [pattern, argument texts...]: the sentence is the pattern with {0}, {1}, ... put in
//   "graph"   path of the graph that "nodes" are in (default "", the top one)
//   "nodes"   [node numbers]; a number is unique in the whole run and never used again
//   "fields"  {name: value}
//   "source"  {"file", "line"} of the quantizer's own rule
//   "edits"   what it did to the graphs, in order (below)
//   "record"  {"graph", "target", "state"}: an observer's state after the event. "state" has min_val, max_val,
//             histogram, scale, zero_point, used_scale, used_zero_point (tensors), no_qparams (text), batches (count)
// The last line: {"end": {"events": count of event lines, "failure": null | {"type", "message"}}}. A file without it
// was cut off.
//
// Values: null, true, false, integers, floats (with point or exponent), texts and lists stand for themselves;
//   {"node": number} {"dtype": "int8"} {"tuple": [...]} {"slice": [a, b, c]} {"dict": {...}} {"float":
//   "inf"|"-inf"|"nan"}
//   {"opaque": text} (a memory format, layout or device).
// A tensor: {"dtype", "shape", "values": [row-major]}. A type of tensor: {"dtype", "shape", "strides",
// "requires_grad"},
//   where a symbolic size is a text.
// Edits: each has "edit", "graph" (default "") and:
//   add        id name op target args kwargs meta, before (the number of the next node; default: at the end)
//   erase      id
//   move       id, before
//   inputs     id args kwargs
//   target     id target
//   rename     id name
//   meta       id meta
//   annotation id, annotation: {"inputs": [{"from": number, "spec"}], "output": spec, "annotated",
//              "allow_implicit_sharing", "extra": {name: value}}; no "annotation": it was taken away
//   attribute  name kind ("parameter" "buffer" "constant") dtype shape sha256; "present": false: it was erased
//   module     target, observer: {"instance", "type", "inner", "observer_enabled", "fake_quant_enabled", and the
//   settings
//              of a dump's observer row}; no "observer": it was taken away
// A spec is written as formats.md, section 2, says, with node numbers in place of names and values as above.
// meta: {"val", "nn_module_stack": [[key, path, type]], "source_fn_stack": [[name, what]], "torch_fn": [name, what],
//   "stack_trace", "from_node": [numbers], "other": [[key, text]]}, where val is {"tensor": type} | {"scalar": text} |
//   {"several": [val...]}.
// A meta or spec that an earlier line has already is {"same": n}: the nth meta (or spec) of the file, from 0.
//
// Reading and writing again gives the same bytes. Tensors of attributes are not in the file, only their digests.
//
// Thread: pure functions.
#pragma once

#include "base/result.h"
#include "trace/recording.h"

#include <string>
#include <string_view>
#include <vector>

namespace gb::io {

/// The whole file's text. Error (Format): the recipe in the header is no JSON.
base::Result<std::string> recordingText(const trace::Recording& recording);

/// Writes it line by line; the file appears as a whole or not at all. Errors also: Io.
base::Status writeRecording(const trace::Recording& recording, const std::string& path);

struct ReadRecording {
    trace::RecordingPtr recording;
    /// What a reader should know: event kinds that this version does not know and left out (edits that they made are
    /// kept, in a note), a missing end.
    std::vector<std::string> notes;
};

/// Errors name the line and the key: Format (broken JSON, a wrong type, a number of no event or node, edits that do
/// not fit the graph), Unsupported (another version, an edit that this version does not know).
base::Result<ReadRecording> parseRecording(std::string_view text, const std::string& place);
/// The same from a file. Errors also: Io.
base::Result<ReadRecording> readRecording(const std::string& path);

} // namespace gb::io
