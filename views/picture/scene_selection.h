// A part of a scene by patterns: what a slide or a filter shows.
//
// Thread: pure functions.
#pragma once

#include "picture/scene.h"

namespace gb::views {

/// True where `text` matches a pattern with * and ?.
bool matches(std::string_view pattern, std::string_view text);

/// `folding` with only the cells shown that lie at most `radius` ops away from a match. A pattern is a node's name, or
/// "op:" and a target ("op:*conv2d*"), or "module:" and a path ("module:layer1.*"); * and ? stand for any text and any
/// character. Error: NotFound for a pattern that matches nothing.
base::Result<Folding> onlyAround(const Scene& scene, const std::vector<std::string>& patterns, int radius,
                                 Folding folding);

} // namespace gb::views
