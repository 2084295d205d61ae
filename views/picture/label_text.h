// From a quantization spec to what a label says: the short form beside an edge, and the words for tooltips and screen
// readers.
//
// Short form, fixed order: dtype, scheme·granularity, [qmin,qmax] where it is not the dtype's full range, observer,
// sharing. "i8 aff·T Hist ⛓3", "i8 sym·C0 [−127,127] PCMinMax", "u8 aff·T 🔒 s=1/256 z=0", "i32 sym·C0
// ƒ(x,conv_weight)". Three absences stay apart: "—" the key is absent, "None" the key is there and says "do not
// quantize", "?" not recorded.
//
// Thread: pure functions.
#pragma once

#include "ir/spec.h"

#include <QString>

#include <functional>
#include <vector>

namespace gb::views {

/// A small drawn sign: never a character, since few fonts have these.
enum class Glyph : unsigned char { None, Chain, ChainDashed, Lock, Gauge, Bar };

/// A piece of a line: a glyph or a text.
struct Run {
    Glyph glyph = Glyph::None;
    QString text; ///< empty for a glyph
    friend bool operator==(const Run&, const Run&) = default;
};
using Runs = std::vector<Run>;
/// Glyphs as characters (⛓ for a chain, ⛓? for a dashed one, 🔒): for DOT, clipboard, tests.
QString plainText(const Runs& runs);

enum class LabelKind : unsigned char {
    Quantization, ///< has an observer of its own
    Shared,       ///< takes another position's observer (SharedQuantizationSpec)
    Fixed,        ///< given scale and zero point
    Derived,      ///< computed from other positions' qparams
    None,         ///< present, but None: "annotated as not quantized"
    Absent,       ///< no entry for this edge or output
    NotRecorded,  ///< the recording does not say
};

/// Which sharing group a position is in, as prepare makes them.
struct GroupInfo {
    int number = -1;        ///< -1: shares with nobody
    int size = 1;           ///< positions in it, this one included
    bool isExplicit = true; ///< false: nobody asked for it (allow_implicit_sharing)
};

/// What the text needs besides the spec.
struct LabelContext {
    std::function<QString(ir::NodeId)> nameOf;           ///< for positions; may be empty (numbers stand in then)
    std::function<ir::Spec(const ir::Position&)> specAt; ///< to look through shared specs; may be empty
    GroupInfo group;
};

struct LabelText {
    LabelKind kind = LabelKind::Absent;
    Runs full;     ///< "i8 aff·T Hist ⛓3"
    Runs brief;    ///< "i8 aff ⛓3": for 60 to 100 %
    QString chip;  ///< "i8": for 35 to 60 %; empty where there is nothing to show
    QString words; ///< "int8, affine, per tensor, histogram observer, shared group 3 with 2 others"
};

/// The label of a spec that is there; a null spec is None.
LabelText labelText(const ir::Spec& spec, const LabelContext& context);
LabelText absentLabel();
LabelText notRecordedLabel();

/// "i8", "u8", "i32", "f32", "bf16", "f8e4m3"
QString shortName(ir::DType dtype);
/// "HistogramObserver" -> "Hist"; a fake quantize is "FQ(...)"; an unknown class keeps its name without "Observer".
QString shortObserver(const ir::ObserverConstructor& observer);
QString shortObserver(const std::string& className);
/// "HistogramObserver" -> "histogram observer"
QString observerWords(const std::string& className);
/// 4 significant digits and a true minus sign.
QString displayNumber(double value);

} // namespace gb::views
