// The parts that events are made of, as JSON and back (grammar: io/recording.h).
//
// Internal to io. Thread: a writer or reader belongs to one thread.
#pragma once

#include "io/json.h"
#include "trace/event.h"

#include <unordered_map>

namespace gb::io {

/// Writes values; remembers metas and specs, so that one that comes again is written as {"same": n}.
/// The recording must outlive it.
class ValueWriter {
public:
    [[nodiscard]] Json argument(const ir::Argument& argument) const;
    [[nodiscard]] Json arguments(const std::vector<ir::Argument>& items) const;
    /// An object; of two with the same name the first counts, as in Event::field.
    [[nodiscard]] Json named(const std::vector<std::pair<std::string, ir::Argument>>& items) const;
    Json meta(const ir::NodeMetaPtr& meta);
    Json annotation(const ir::Annotation& annotation);
    [[nodiscard]] Json observer(const trace::ObserverInfo& info) const;
    [[nodiscard]] Json record(const trace::ObserverRecord& record) const;

private:
    Json spec(const ir::Spec& spec);

    std::unordered_map<const ir::NodeMeta*, std::size_t> m_metas;
    std::unordered_map<const ir::AnySpec*, std::size_t> m_specs;
};

/// Reads them again. Errors have the path to the key.
class ValueReader {
public:
    [[nodiscard]] base::Result<ir::Argument> argument(const JsonCursor& at) const;
    [[nodiscard]] base::Result<std::vector<ir::Argument>> arguments(const JsonCursor& at) const;
    [[nodiscard]] base::Result<std::vector<std::pair<std::string, ir::Argument>>> named(const JsonCursor& at) const;
    base::Result<ir::NodeMetaPtr> meta(const JsonCursor& at);
    base::Result<ir::AnnotationPtr> annotation(const JsonCursor& at);
    [[nodiscard]] base::Result<std::shared_ptr<const trace::ObserverInfo>> observer(const JsonCursor& at) const;
    [[nodiscard]] base::Result<std::shared_ptr<const trace::ObserverRecord>> record(const JsonCursor& at) const;
    static base::Result<ir::NodeId> node(const JsonCursor& at);
    static base::Result<ir::DType> dtype(const JsonCursor& object);
    static base::Result<ir::Shape> shape(const JsonCursor& object);
    /// A member that is an integer, null or absent.
    static base::Result<std::optional<std::int64_t>> integerOrNull(const JsonCursor& object, const char* key);
    static base::Result<std::optional<ir::QScheme>> qscheme(const JsonCursor& object);

private:
    base::Result<ir::Spec> spec(const JsonCursor& at);

    std::vector<ir::NodeMetaPtr> m_metas;
    std::vector<ir::Spec> m_specs;
};

} // namespace gb::io
