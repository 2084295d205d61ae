// How all canvases behave, as the user chose it.
//
// Thread: a value.
#pragma once

namespace gb::views {

struct CanvasSettings {
    bool wheelZooms = false; ///< and Ctrl+wheel pans; else the other way round
    bool letters = true;     ///< single letters and digits are commands
    bool animate = true;     ///< what a step changed fades; false with reduced motion
    friend bool operator==(const CanvasSettings&, const CanvasSettings&) = default;
};

/// What a key in a canvas asks of the window around it.
enum class CanvasCommand : unsigned char {
    StepBack,
    StepForward,
    NextOverlay,
    ToggleLabels,
    ToggleGroups,
    ToggleDiff,
    History, ///< of the selected node, over all stages
    Hide,    ///< what is selected or marked
    Unhide,
    Shortcuts,
};

} // namespace gb::views
