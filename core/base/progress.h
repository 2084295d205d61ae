// How long work says how far it is, and how it is stopped.
//
// Thread: report() may be called from any thread that does the work; a sink must be thread-safe.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

namespace gb::base {

/// What long work gets: a place to report to and a token that says "stop". Cheap to copy.
struct Work {
    std::stop_token stop;                                       ///< asked often enough to end within 100 ms
    std::function<void(int, const std::string&)> progress = {}; ///< 0..1000 and the stage's name; may be empty

    void report(int thousandths, const std::string& stage) const
    {
        if (progress)
            progress(thousandths, stage);
    }
    [[nodiscard]] bool cancelled() const { return stop.stop_requested(); }
};

} // namespace gb::base
