// Where a command prints, what it exits with, and how it is stopped.
//
// Thread: Console and exit statuses: the main thread. Interrupt: see there.
#pragma once

#include "base/progress.h"
#include "base/result.h"

#include <iosfwd>
#include <memory>
#include <stop_token>

namespace gb::cli {

/// formats.md, section 6.
enum ExitStatus : int {
    kDone = 0,
    kRefused = 1, ///< the flow refused, dumps differ, a wanted code occurs, or the user stopped it
    kUnusable = 2 ///< bad usage, or a file that cannot be read or written
};

/// kRefused for what torch or torchao raises, for an op without a kernel and for a stop; else kUnusable.
ExitStatus statusOf(const base::Error& error);

struct Console {
    std::ostream& out;
    std::ostream& err;

    /// Prints "greenbox: PLACE: SENTENCE" to `err`; returns statusOf(error).
    ExitStatus fail(const base::Error& error) const;
};

/// Turns SIGINT and SIGTERM into a stop request while it lives, so that a command ends in order and leaves no
/// half-written file. The second signal ends the program at once. One at a time, made before other threads are.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    [[nodiscard]] std::stop_token token() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// A progress sink that prints "progress  12 % annotate" lines, each percentage or stage once. Any thread may report.
base::Work workOf(std::stop_token stop, bool showProgress, std::ostream& err);

} // namespace gb::cli
