// What-if as the command line writes it.
//
// Thread: the main thread.
#pragma once

#include "numbers/what_if.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gb::cli {

/// --float OP, --range OBSERVER=MIN,MAX, --replace OBSERVER=CLASS[,KEY=VALUE...], each as often as wanted.
struct ChangeOptions {
    std::vector<std::string> floats;
    std::vector<std::string> ranges;
    std::vector<std::string> observers;

    void declare(CLI::App& app);
    [[nodiscard]] bool empty() const { return floats.empty() && ranges.empty() && observers.empty(); }
    /// In this order. A site of --float is an op, or an observer. What --replace leaves out is the old observer's.
    /// Errors (Usage): a text of another form, an observer that is not there.
    [[nodiscard]] base::Result<std::vector<numbers::Change>> changes(const numbers::Material& material) const;
};

} // namespace gb::cli
