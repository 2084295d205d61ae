// Where one has looked, back and forward, and bookmarks with numbers.
//
// Thread: UI.
#pragma once

#include "ir/argument.h"

#include <QPointF>

#include <array>
#include <optional>
#include <vector>

namespace gb::views {

struct View {
    QPointF center;
    double zoom = 1;
    ir::NodeId selected = ir::kNoNode;
    friend bool operator==(const View&, const View&) = default;
};

class ViewHistory {
public:
    static constexpr std::size_t kMost = 100;
    static constexpr int kBookmarks = 9;

    /// Call before a jump, with where one was. What lay ahead is forgotten.
    void leave(const View& from);
    /// The view before, or nothing at the end. `now` is where one is: the way forward leads back to it.
    std::optional<View> back(const View& now);
    std::optional<View> forward(const View& now);

    /// Keeps a view under the first free number (the oldest one's when all are taken); returns the number, from 1.
    int bookmark(const View& view);
    [[nodiscard]] std::optional<View> bookmarked(int number) const;
    void clear();

private:
    std::vector<View> m_back;
    std::vector<View> m_forward;
    std::array<std::optional<View>, kBookmarks> m_bookmarks;
    int m_oldest = 0;
};

} // namespace gb::views
