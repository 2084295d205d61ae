// What has to hold of every picture, whatever it shows.
#pragma once

#include "picture/picture.h"
#include "picture/text_measure.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <map>

namespace gb::test {

/// Sentences about what is wrong, at most a few of each kind; empty where all is well.
class PictureChecks {
public:
    explicit PictureChecks(const views::Picture& picture)
        : m_picture(picture)
    {
        for (const views::NodeItem& node : picture.nodes)
            if (node.container == views::Container::Open)
                m_open[views::groupOfId(node.id)] = &node;
        boxes();
        lines();
        texts();
    }
    [[nodiscard]] QString text() const { return m_wrong.join(QLatin1Char('\n')); }

private:
    void complain(const QString& what)
    {
        if (m_wrong.size() < 8)
            m_wrong << what;
    }

    /// Boxes do not overlap; each lies inside the modules that it belongs to.
    void boxes()
    {
        std::vector<const views::NodeItem*> solid;
        for (const views::NodeItem& node : m_picture.nodes) {
            if (!m_picture.bounds.contains(node.area()))
                complain(node.name + QStringLiteral(" lies outside of the page"));
            if (const auto frame = m_open.find(node.module);
                frame != m_open.end() && !frame->second->box.contains(node.area()))
                complain(node.name + QStringLiteral(" lies outside of ") + frame->second->name);
            if (node.container != views::Container::Open)
                solid.push_back(&node);
        }
        std::sort(solid.begin(), solid.end(),
                  [](const auto* a, const auto* b) { return a->area().top() < b->area().top(); });
        for (std::size_t i = 0; i < solid.size(); ++i)
            for (std::size_t k = i + 1; k < solid.size() && solid[k]->area().top() < solid[i]->area().bottom(); ++k)
                if (solid[i]->area().intersects(solid[k]->area()))
                    complain(solid[i]->name + QStringLiteral(" overlaps ") + solid[k]->name);
        frames();
    }

    /// A module's frame holds what is in it and cuts nothing else.
    void frames()
    {
        for (const auto& [group, frame] : m_open)
            for (const auto& [other, second] : m_open)
                if (other > group && frame->box.intersects(second->box) && !frame->box.contains(second->box)
                    && !second->box.contains(frame->box))
                    complain(frame->name + QStringLiteral(" cuts ") + second->name);
    }

    /// Each line ends at its boxes, runs downwards, and parallel ones end apart.
    void lines()
    {
        std::map<std::pair<ir::NodeId, ir::NodeId>, std::vector<QPointF>> ends;
        for (const views::EdgeItem& e : m_picture.edges) {
            const views::NodeItem& from = *m_picture.find(e.from);
            const views::NodeItem& to = *m_picture.find(e.to);
            if (e.curve.size() < 4 || (e.curve.size() - 1) % 3 != 0) {
                complain(e.tooltip + QStringLiteral(" has no line"));
                continue;
            }
            if (e.intoSide)
                continue;
            if (from.area().bottom() > to.box.top() + 0.01)
                complain(e.tooltip + QStringLiteral(" runs upwards"));
            const QPointF a = e.curve.front();
            const QPointF b = e.curve.back();
            if (std::abs(a.y() - from.area().bottom()) > 0.01 || a.x() < from.box.left() || a.x() > from.box.right())
                complain(e.tooltip + QStringLiteral(" begins beside its box"));
            if (std::abs(b.y() - to.box.top()) > 0.01 || b.x() < to.box.left() || b.x() > to.box.right())
                complain(e.tooltip + QStringLiteral(" ends beside its box"));
            for (const QPointF& other : ends[{e.from, e.to}])
                if (std::abs(other.x() - b.x()) < 1)
                    complain(e.tooltip + QStringLiteral(" lies on a parallel line"));
            ends[{e.from, e.to}].push_back(b);
            for (std::size_t i = 3; i < e.curve.size(); i += 3)
                if (e.curve[i].y() < e.curve[i - 3].y() - 0.01)
                    complain(e.tooltip + QStringLiteral(" turns upwards"));
        }
    }

    /// Every text fits into the room that it was given, and that lies inside its box.
    void texts()
    {
        for (const views::NodeItem& node : m_picture.nodes) {
            for (const views::TextItem& t : node.texts)
                if (t.from == views::Detail::Full)
                    fits(t, node.container == views::Container::Open ? node.strip : node.box, node.name);
            for (const views::LabelItem& label : node.labels) {
                if (!node.strip.contains(label.rect))
                    complain(node.name + QStringLiteral(": a label outside of its strip"));
                for (const views::TextItem& t : label.texts)
                    fits(t, node.strip, node.name);
            }
        }
    }
    void fits(const views::TextItem& t, const QRectF& room, const QString& name)
    {
        if (views::runsWidth(t.runs, {t.font, t.scale, t.italic}) > t.rect.width() + 0.5
            || !room.adjusted(-0.5, -2.5, 0.5, 2.5).contains(t.rect))
            complain(name + QStringLiteral(": text without room: ") + views::plainText(t.runs));
    }

    const views::Picture& m_picture;
    std::map<int, const views::NodeItem*> m_open;
    QStringList m_wrong;
};

/// "" where everything that has to hold of a picture does.
inline QString whatIsWrong(const views::Picture& picture)
{
    return PictureChecks(picture).text();
}

} // namespace gb::test
