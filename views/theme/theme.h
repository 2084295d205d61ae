// The one place of colours, pens and fonts, by role.
//
// A view asks for a role and never writes a literal colour. Four themes: light, dark, high contrast (a light one with
// heavier lines and pure text), print (white page, lighter fills, 1.5 pt borders). Fill and border pairs of the node
// roles were computed to stay apart under protan, deutan and tritan vision and in greyscale; each role has a second
// cue besides its colour (form, hatch, glyph), which the painter draws.
//
// Thread: values and pure functions; fonts need a QGuiApplication.
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QPen>
#include <QString>

#include <array>
#include <vector>

namespace gb::views {

enum class ThemeKind : unsigned char { Light, Dark, HighContrast, Print };
inline constexpr std::array kThemeKinds{ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast, ThemeKind::Print};
/// "light", "dark", "high-contrast", "print": as settings and the command line write it.
QString name(ThemeKind kind);
/// The kind of this name; `fallback` for an unknown one.
ThemeKind themeKindFromName(const QString& text, ThemeKind fallback = ThemeKind::Light);

/// What a node is drawn as.
enum class NodeRole : unsigned char { Op, Observer, Quantize, Dequantize, Weight, Input, Output, NotAnnotated };
inline constexpr std::size_t kNodeRoles = 8;

/// Everything else that has a colour.
enum class Ink : unsigned char {
    Page,           ///< behind the graph
    Panel,          ///< behind docks and lists
    PanelAlternate, ///< every other row
    Text,           ///< primary text
    Muted,          ///< secondary text; still 4.5:1 on Page and Panel
    Faint,          ///< grid lines, separators, ghosts
    Edge,           ///< an edge in the graph
    EdgeLit,        ///< an edge next to the hovered or selected node
    Selection,      ///< selection ring and selected rows
    SelectionText,  ///< text on Selection
    Focus,          ///< 2 px keyboard focus ring
    Touched,        ///< marker of what the current event touched
    Added,          ///< "added" in diffs: blue outline and +
    Removed,        ///< "removed" in diffs: dashed ghost and -
    Changed,        ///< "changed" in diffs: outlined badge
    LabelStrip,     ///< behind the label lines of a node
    NoneText,       ///< a label that is None
    Warning,        ///< problems, "why?"
    Error,          ///< errors
    Good,           ///< ✓; text only, never a fill
    Observed,       ///< plots: observed range
    Chosen,         ///< plots: chosen range
    Representable,  ///< plots: representable range
    Clipped,        ///< plots: clipped mass
    HistogramBar,   ///< plots: bars
    Quantum,        ///< plots: grid of quantization levels
    Zero,           ///< plots: the zero line
};
inline constexpr std::size_t kInks = 27;

enum class FontRole : unsigned char { NodeName, NodeText, Label, Caption, Title, Code };

class Theme {
public:
    /// The theme of a kind; the same object every time. Lives as long as the program.
    static const Theme& of(ThemeKind kind);

    [[nodiscard]] ThemeKind kind() const { return m_kind; }
    [[nodiscard]] bool isDark() const { return m_kind == ThemeKind::Dark; }
    [[nodiscard]] QColor fill(NodeRole role) const { return m_fill[static_cast<std::size_t>(role)]; }
    [[nodiscard]] QColor border(NodeRole role) const { return m_border[static_cast<std::size_t>(role)]; }
    /// What an open module is filled with: two shades in turn, so that boxes in boxes stay apart.
    [[nodiscard]] QColor frame(int depth) const;
    /// Text on fill(role), at least 5.8:1.
    [[nodiscard]] QColor text(NodeRole role) const;
    /// Secondary text on fill(role), at least 4.5:1 where the fill allows it.
    [[nodiscard]] QColor mutedText(NodeRole role) const;
    [[nodiscard]] QColor ink(Ink ink) const { return m_ink[static_cast<std::size_t>(ink)]; }
    [[nodiscard]] double borderWidth() const { return m_borderWidth; }
    [[nodiscard]] QPen borderPen(NodeRole role) const;
    [[nodiscard]] QPen pen(Ink role, double width = 1.0) const;
    /// Tint of a sharing group: 6 colours, repeating. Number and chain glyph always stand beside it.
    [[nodiscard]] QColor groupTint(int group) const;
    /// A colour for series `index` of a plot, apart under colour-blind vision for 6 series.
    [[nodiscard]] QColor series(int index) const;

    /// In scene pixels at 100 %. The same families on every platform where they are installed: DejaVu Sans and DejaVu
    /// Sans Mono, else wide faces like them, so that measured text fits what is painted.
    static QFont font(FontRole role);
    /// CSS family list of a role, for SVG.
    static QString cssFamilies(FontRole role);

    /// For QApplication::setPalette, so that every stock widget follows.
    [[nodiscard]] QPalette palette() const;

private:
    explicit Theme(ThemeKind kind);

    ThemeKind m_kind;
    double m_borderWidth = 1.0;
    std::array<QColor, kNodeRoles> m_fill;
    std::array<QColor, kNodeRoles> m_border;
    std::array<QColor, kInks> m_ink;
};

/// WCAG contrast of two opaque colours, 1 to 21.
double contrast(const QColor& a, const QColor& b);

} // namespace gb::views
