#include "theme/theme.h"

#include <cmath>

namespace gb::views {
namespace {

using Rgb = unsigned;

struct NodeColours {
    std::array<Rgb, kNodeRoles> fill;
    std::array<Rgb, kNodeRoles> border;
};

// Op, Observer, Quantize, Dequantize, Weight, Input, Output, NotAnnotated
constexpr NodeColours kLight{{0xF6F9FB, 0x46A083, 0x60AAFD, 0xFFCE67, 0xCEB5C7, 0xE6EBF0, 0xE6EBF0, 0xFFFFFF},
                             {0x5B6470, 0x00795A, 0x0072B2, 0xA66F00, 0xA8477F, 0x5B6470, 0x5B6470, 0xB84A00}};
constexpr NodeColours kDark{{0x2C2E34, 0x0E442C, 0x0B53A3, 0x5A450A, 0x864F6A, 0x3A3E46, 0x3A3E46, 0x1E1E1E},
                            {0x9AA5B1, 0x2FC79A, 0x56B4E9, 0xE6A72E, 0xE29AC4, 0x9AA5B1, 0x9AA5B1, 0xFF8A4C}};
constexpr NodeColours kHighContrast{{0xFFFFFF, 0x7FD1B3, 0x9CCBFF, 0xFFDE8F, 0xE6D3E0, 0xFFFFFF, 0xFFFFFF, 0xFFFFFF},
                                    {0x000000, 0x004D38, 0x003E66, 0x5E3F00, 0x6B1F4B, 0x000000, 0x000000, 0x7A2F00}};
constexpr NodeColours kPrint{{0xFFFFFF, 0xA9DCC8, 0xB7D8FF, 0xFFE7B3, 0xE9DCE5, 0xF2F4F6, 0xF2F4F6, 0xFFFFFF},
                             {0x3A424C, 0x00795A, 0x0072B2, 0x8A5C00, 0xA8477F, 0x3A424C, 0x3A424C, 0xB84A00}};

// In the order of Ink.
constexpr std::array<Rgb, kInks> kLightInk{0xFFFFFF, 0xF7F8FA, 0xEDF0F4, 0x101418, 0x55606C, 0xC9D0D8, 0x6B7682,
                                           0x101418, 0x0B5CAD, 0xFFFFFF, 0x0B5CAD, 0xD95F02, 0x0B5CAD, 0x6B7682,
                                           0x101418, 0xFBFCFD, 0x55606C, 0xB84A00, 0xB3261E, 0x1F6F43, 0x55606C,
                                           0x0072B2, 0x8A5C00, 0xB84A00, 0x9FB3C8, 0xDDE3EA, 0x101418};
constexpr std::array<Rgb, kInks> kDarkInk{0x1E1E1E, 0x25272B, 0x2C2F34, 0xF5F7FA, 0xB4BDC8, 0x4A4F57, 0x8D97A3,
                                          0xF5F7FA, 0x7CC4FF, 0x101418, 0x7CC4FF, 0xFF9F45, 0x7CC4FF, 0x9AA5B1,
                                          0xF5F7FA, 0x25272B, 0xB4BDC8, 0xFF8A4C, 0xFF9A90, 0x6FD08C, 0xB4BDC8,
                                          0x56B4E9, 0xE6A72E, 0xFF8A4C, 0x5F7389, 0x33373E, 0xF5F7FA};
constexpr std::array<Rgb, kInks> kHighContrastInk{0xFFFFFF, 0xFFFFFF, 0xF0F0F0, 0x000000, 0x2B2B2B, 0x8A8A8A, 0x000000,
                                                  0x000000, 0x003A8C, 0xFFFFFF, 0xC00000, 0xA83E00, 0x003A8C, 0x4A4A4A,
                                                  0x000000, 0xFFFFFF, 0x2B2B2B, 0x7A2F00, 0x8E0000, 0x004D1F, 0x2B2B2B,
                                                  0x003E66, 0x5E3F00, 0x7A2F00, 0x6E8196, 0xC4C4C4, 0x000000};
constexpr std::array<Rgb, kInks> kPrintInk{0xFFFFFF, 0xFFFFFF, 0xF4F5F7, 0x101418, 0x4A545F, 0xB9C1CA, 0x4A545F,
                                           0x101418, 0x0B5CAD, 0xFFFFFF, 0x0B5CAD, 0xD95F02, 0x0B5CAD, 0x6B7682,
                                           0x101418, 0xFFFFFF, 0x4A545F, 0xB84A00, 0xB3261E, 0x1F6F43, 0x4A545F,
                                           0x0072B2, 0x8A5C00, 0xB84A00, 0xB5C4D4, 0xDDE3EA, 0x101418};

constexpr std::array<Rgb, 6> kGroupTintLight{0xD6E9FF, 0xFFE3C2, 0xE5D9F2, 0xD9EFD2, 0xFAD7DC, 0xD5F0F0};
constexpr std::array<Rgb, 6> kGroupTintDark{0x1F3A57, 0x523A18, 0x40305A, 0x27452A, 0x55282F, 0x1D4747};
constexpr std::array<Rgb, 6> kSeriesLight{0x0072B2, 0xD95F02, 0x6B4C9A, 0x8A5C00, 0xA8477F, 0x3B3B3B};
constexpr std::array<Rgb, 6> kSeriesDark{0x56B4E9, 0xFF9F45, 0xB79CE8, 0xE6C35C, 0xE29AC4, 0xE0E0E0};

const NodeColours& nodeColours(ThemeKind kind)
{
    switch (kind) {
    case ThemeKind::Dark: return kDark;
    case ThemeKind::HighContrast: return kHighContrast;
    case ThemeKind::Print: return kPrint;
    case ThemeKind::Light: break;
    }
    return kLight;
}

const std::array<Rgb, kInks>& inks(ThemeKind kind)
{
    switch (kind) {
    case ThemeKind::Dark: return kDarkInk;
    case ThemeKind::HighContrast: return kHighContrastInk;
    case ThemeKind::Print: return kPrintInk;
    case ThemeKind::Light: break;
    }
    return kLightInk;
}

double luminance(const QColor& colour)
{
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

QColor mixed(const QColor& a, const QColor& b, double share)
{
    const auto mix = [&](float x, float y) { return static_cast<float>(x * (1 - share) + y * share); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

} // namespace

QString name(ThemeKind kind)
{
    switch (kind) {
    case ThemeKind::Dark: return QStringLiteral("dark");
    case ThemeKind::HighContrast: return QStringLiteral("high-contrast");
    case ThemeKind::Print: return QStringLiteral("print");
    case ThemeKind::Light: break;
    }
    return QStringLiteral("light");
}

ThemeKind themeKindFromName(const QString& text, ThemeKind fallback)
{
    for (const ThemeKind kind : kThemeKinds)
        if (name(kind) == text)
            return kind;
    return fallback;
}

const Theme& Theme::of(ThemeKind kind)
{
    static const std::array<Theme, 4> kThemes{Theme(ThemeKind::Light), Theme(ThemeKind::Dark),
                                              Theme(ThemeKind::HighContrast), Theme(ThemeKind::Print)};
    return kThemes[static_cast<std::size_t>(kind)];
}

Theme::Theme(ThemeKind kind)
    : m_kind(kind)
{
    const NodeColours& nodes = nodeColours(kind);
    for (std::size_t i = 0; i < kNodeRoles; ++i) {
        m_fill[i] = QColor::fromRgb(nodes.fill[i]);
        m_border[i] = QColor::fromRgb(nodes.border[i]);
    }
    for (std::size_t i = 0; i < kInks; ++i)
        m_ink[i] = QColor::fromRgb(inks(kind)[i]);
    // print: 1.5 pt at 96 dots an inch
    m_borderWidth = kind == ThemeKind::HighContrast ? 2.0 : kind == ThemeKind::Print ? 1.5 : 1.2;
}

QColor Theme::frame(int depth) const
{
    return depth % 2 == 0 ? ink(Ink::Page) : ink(Ink::Panel);
}

QColor Theme::text(NodeRole) const
{
    return ink(Ink::Text);
}

QColor Theme::mutedText(NodeRole role) const
{
    // as far towards the fill as 4.6:1 allows
    const QColor full = text(role);
    const QColor back = fill(role);
    for (double share = 0.40; share > 0; share -= 0.05) {
        const QColor softer = mixed(full, back, share);
        if (contrast(softer, back) >= 4.6)
            return softer;
    }
    return full;
}

QPen Theme::borderPen(NodeRole role) const
{
    QPen pen(border(role), m_borderWidth);
    if (role == NodeRole::NotAnnotated)
        pen.setDashPattern({4, 3});
    pen.setJoinStyle(Qt::MiterJoin);
    return pen;
}

QPen Theme::pen(Ink role, double width) const
{
    return QPen(ink(role), width);
}

QColor Theme::groupTint(int group) const
{
    const auto& tints = isDark() ? kGroupTintDark : kGroupTintLight;
    return QColor::fromRgb(tints[static_cast<std::size_t>(std::max(0, group)) % tints.size()]);
}

QColor Theme::series(int index) const
{
    const auto& colours = isDark() ? kSeriesDark : kSeriesLight;
    return QColor::fromRgb(colours[static_cast<std::size_t>(std::max(0, index)) % colours.size()]);
}

QFont Theme::font(FontRole role)
{
    static const QStringList kSans{QStringLiteral("DejaVu Sans"), QStringLiteral("Verdana"),
                                   QStringLiteral("Noto Sans"), QStringLiteral("Liberation Sans"),
                                   QStringLiteral("Arial")};
    // for what these lack: without them, a serif face may be taken
    static const QStringList kOtherScripts{QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Noto Sans CJK JP"),
                                           QStringLiteral("Noto Sans CJK KR"), QStringLiteral("Microsoft YaHei"),
                                           QStringLiteral("Hiragino Sans"),    QStringLiteral("PingFang SC")};
    static const QStringList kMono{QStringLiteral("DejaVu Sans Mono"), QStringLiteral("Menlo"),
                                   QStringLiteral("Noto Sans Mono"), QStringLiteral("Liberation Mono"),
                                   QStringLiteral("Courier New")};
    const bool mono = role == FontRole::Label || role == FontRole::Code;
    QFont font;
    font.setFamilies((mono ? kMono : kSans) + kOtherScripts);
    font.setStyleHint(mono ? QFont::Monospace : QFont::SansSerif);
    // unhinted advances scale with the zoom: what fits at 100 % fits at every size
    font.setHintingPreference(QFont::PreferNoHinting);
    switch (role) {
    case FontRole::NodeName:
        font.setPixelSize(14);
        font.setBold(true);
        break;
    case FontRole::Title:
        font.setPixelSize(16);
        font.setBold(true);
        break;
    case FontRole::NodeText:
    case FontRole::Label:
    case FontRole::Code: font.setPixelSize(12); break;
    case FontRole::Caption: font.setPixelSize(11); break;
    }
    return font;
}

QString Theme::cssFamilies(FontRole role)
{
    return role == FontRole::Label || role == FontRole::Code
               ? QStringLiteral("DejaVu Sans Mono, Menlo, Consolas, Noto Sans CJK SC, monospace")
               : QStringLiteral("DejaVu Sans, Verdana, Arial, Noto Sans CJK SC, Microsoft YaHei, sans-serif");
}

QPalette Theme::palette() const
{
    QPalette p;
    const auto set = [&](QPalette::ColorRole role, Ink i) { p.setColor(role, ink(i)); };
    set(QPalette::Window, Ink::Panel);
    set(QPalette::WindowText, Ink::Text);
    set(QPalette::Base, Ink::Page);
    set(QPalette::AlternateBase, Ink::PanelAlternate);
    set(QPalette::Text, Ink::Text);
    set(QPalette::PlaceholderText, Ink::Muted);
    set(QPalette::Button, Ink::PanelAlternate);
    set(QPalette::ButtonText, Ink::Text);
    set(QPalette::BrightText, Ink::Error);
    set(QPalette::ToolTipBase, Ink::Panel);
    set(QPalette::ToolTipText, Ink::Text);
    set(QPalette::Highlight, Ink::Selection);
    set(QPalette::HighlightedText, Ink::SelectionText);
    set(QPalette::Link, Ink::Selection);
    set(QPalette::LinkVisited, Ink::Selection);
    p.setColor(QPalette::Light, mixed(ink(Ink::PanelAlternate), ink(Ink::Page), 0.6));
    p.setColor(QPalette::Midlight, mixed(ink(Ink::PanelAlternate), ink(Ink::Faint), 0.3));
    set(QPalette::Mid, Ink::Faint);
    p.setColor(QPalette::Dark, mixed(ink(Ink::Faint), ink(Ink::Muted), 0.7)); // outlines: widget_style.h
    p.setColor(QPalette::Shadow, mixed(ink(Ink::Muted), ink(Ink::Text), 0.5));
    const QColor disabled = mixed(ink(Ink::Muted), ink(Ink::Panel), 0.35);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, disabled);
    p.setColor(QPalette::Disabled, QPalette::Highlight, ink(Ink::Faint));
    return p;
}

double contrast(const QColor& a, const QColor& b)
{
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

} // namespace gb::views
