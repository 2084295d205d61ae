// The core's sentences in the user's language: the pattern is looked up in the catalogue (context "core"), then the
// arguments go into the translation.
#pragma once

#include "base/message.h"

#include <QString>

namespace gb::views {

QString translated(const base::Message& message);

} // namespace gb::views
