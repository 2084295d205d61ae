// Which settings of the recipe some rule read, and which nodes they reached.
#include "explain/codes.h"
#include "explain/view.h"
#include "quantizers/inductor/backend.h"

#include <algorithm>
#include <set>

namespace gb::explain {
namespace {

using base::message;
using base::say;
using quantizers::Config;
using quantizers::Recipe;
using trace::EventKind;

/// How much two names look alike: the edit distance, small where one is a dotted part of the other.
std::size_t distance(const std::string& a, const std::string& b)
{
    if (b.ends_with("." + a) || a.ends_with("." + b) || b.starts_with(a + ".") || a.starts_with(b + "."))
        return 1;
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j)
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])}));
    }
    return row.back();
}

std::optional<std::string> nearestOf(const std::string& wanted, const std::set<std::string>& names)
{
    std::optional<std::string> best;
    std::size_t least = 0;
    for (const std::string& name : names)
        if (const std::size_t d = distance(wanted, name); !best || d < least) {
            best = name;
            least = d;
        }
    const bool alike = best && least <= std::max<std::size_t>(2, wanted.size() / 3);
    return alike ? best : std::nullopt;
}

class SettingsExplainer {
public:
    SettingsExplainer(const RunView& run, Answer& answer)
        : m_run(run)
        , m_answer(answer)
    {
        for (const GraphView& graph : run.graphs)
            for (const ir::Node* n = graph.moment->graph->first(); n; n = n->next()) {
                m_order.push_back(n->id());
                for (const ir::ModuleFrame& frame : n->meta().nnModuleStack) {
                    constexpr std::string_view kSelf = "L['self'].";
                    m_paths.insert(frame.path.starts_with(kSelf) ? frame.path.substr(kSelf.size()) : frame.path);
                    m_types.insert(frame.type);
                }
            }
        m_paths.erase("");
    }

    /// `place` is the recipe's place among composed ones: "", "0", "0.1".
    void add(const Recipe& recipe, const std::string& place, const std::string& label)
    {
        for (std::size_t i = 0; i < recipe.quantizers.size(); ++i)
            add(recipe.quantizers[i], (place.empty() ? "" : place + ".") + std::to_string(i),
                say("{0}quantizers[{1}] ", label, i));
        for (const quantizers::Rule& rule : recipe.rules)
            addOne({label + "rule " + rule.name, "rules", rule.name, place, {}}, Config(quantizers::ConfigArguments{}));
        if (recipe.global)
            addOne({label + "global", "global", {}, place, {}}, *recipe.global);
        addGroup(recipe.operatorType, "operator_type", place, label);
        if (recipe.quantizer == "x86_inductor" || recipe.quantizer == "arm_inductor") {
            addOpTypes(recipe, recipe.functionType, "function_type", place, label);
            addOpTypes(recipe, recipe.moduleType, "module_type", place, label);
        } else {
            addGroup(recipe.functionType, "function_type", place, label);
            addGroup(recipe.moduleType, "module_type", place, label);
        }
        addGroup(recipe.moduleName, "module_name", place, label);
        addModes(recipe, label);
    }

private:
    struct Setting {
        std::string shown;
        std::string event; ///< the `setting` field of its rule events
        std::string rule;  ///< for a rule of a rules recipe: its name
        std::string place;
        std::string name;       ///< what follows the group's word
        bool neverRead = false; ///< the quantizer has no use for it, whatever it says
    };

    void addGroup(const quantizers::Settings& group, const char* word, const std::string& place,
                  const std::string& label)
    {
        for (const auto& [name, config] : group)
            addOne({say("{0}{1} {2}", label, word, name),
                    say("{0} {1}", word, name),
                    {},
                    place,
                    name,
                    std::string_view(word) == "operator_type"}, // XNNPACKQuantizer stores it, and that is all
                   config);
    }

    /// The inductor quantizers keep a function or a module type under the op that it stands for.
    void addOpTypes(const Recipe& recipe, const quantizers::Settings& group, const char* word, const std::string& place,
                    const std::string& label)
    {
        namespace inductor = quantizers::inductor;
        const bool isX86 = recipe.quantizer == "x86_inductor";
        const inductor::Backend& backend = isX86 ? inductor::x86Backend() : inductor::armBackend();
        for (const auto& [name, config] : group) {
            const std::string_view op = backend.operatorFor(name);
            addOne({say("{0}{1} {2}", label, word, name), say("operator_type {0}", op), {}, place, name, op.empty()},
                   config);
        }
    }

    /// What the setting wants to reach is not in the model.
    [[nodiscard]] bool isOfNothing(const Setting& setting) const
    {
        if (setting.event.starts_with("module_name "))
            return !m_paths.contains(setting.name);
        return setting.event.starts_with("module_type ") && !m_types.contains(setting.name);
    }

    void addOne(const Setting& setting, const Config& config)
    {
        SettingReason out;
        out.setting = setting.shown;
        bool ran = false;
        const trace::Event* best = nullptr; ///< the most telling refusal
        int bestEvent = -1;
        std::set<ir::NodeId> reached;
        for (const int index : m_run.rules) {
            const trace::Event& rule = m_run.event(index);
            if (rule.text("setting") != setting.event || rule.text("place") != setting.place
                || (!setting.rule.empty() && rule.name != setting.rule))
                continue;
            ran = true;
            for (int i = index; i <= rule.last; ++i) {
                const trace::Event& e = m_run.event(i);
                if (e.kind == EventKind::Annotate)
                    reached.insert(e.nodes.begin(), e.nodes.end());
                if (e.kind == EventKind::Attempt && (!best || rankOf(e.text("code")) < rankOf(best->text("code")))) {
                    best = &e;
                    bestEvent = i;
                }
            }
        }
        for (const ir::NodeId id : m_order)
            if (reached.contains(id))
                out.reached.push_back(m_run.nameOf(id));
        out.read = ran || (!config && !setting.neverRead); // without a config there is nothing to read
        word(out, setting, config);
        if (!out.read)
            m_answer.findings.push_back(
                {"R13", Severity::Warning, {}, out.sentence, -1, ir::kNoNode, "setting not read"});
        else if (config && out.reached.empty() && isOfNothing(setting))
            m_answer.findings.push_back(
                {"R4", Severity::Warning, {}, out.sentence, -1, ir::kNoNode, "setting of nothing"});
        else if (best && out.reached.empty())
            m_answer.findings.push_back({best->text("code"), Severity::Note,
                                         best->nodes.empty() ? std::string() : m_run.nameOf(best->nodes.front()),
                                         message("{0} labelled nothing: {1}", out.setting, best->sentence.text()),
                                         bestEvent, best->nodes.empty() ? ir::kNoNode : best->nodes.front(),
                                         "setting reached nothing"});
        m_answer.settings.push_back(std::move(out));
    }

    void word(SettingReason& out, const Setting& setting, const Config& config) const
    {
        if (!out.read) {
            out.sentence = message("{0} is stored, but no rule of this quantizer reads it", out.setting);
        } else if (!config) {
            out.sentence = message("{0} is null: what it reaches stays in float", out.setting);
        } else if (!out.reached.empty()) {
            out.sentence = message("{0} labelled {1} nodes", out.setting, out.reached.size());
        } else {
            if (setting.event.starts_with("module_name "))
                out.nearest = nearestOf(setting.name, m_paths);
            else if (setting.event.starts_with("module_type "))
                out.nearest = nearestOf(setting.name, m_types);
            if (out.nearest && *out.nearest != setting.name)
                out.sentence = message("{0} reached no node; the model has {1}", out.setting, *out.nearest);
            else
                out.sentence = message("{0} reached no node", out.setting);
            if (out.nearest == setting.name)
                out.nearest.reset();
        }
    }

    /// XNNPACKQuantizer picks its set of rules by the global config alone (_xnnpack_quantizer.py, annotate).
    void addModes(const Recipe& recipe, const std::string& label)
    {
        if (recipe.quantizer != "xnnpack")
            return;
        const auto dynamic = [](const Config& config) { return config && config->flag("is_dynamic", false); };
        const bool global = recipe.global && dynamic(*recipe.global);
        if (global)
            m_answer.findings.push_back({"R13",
                                         Severity::Note,
                                         {},
                                         message("{0}global is dynamic, so only the linear rule ran", label),
                                         -1,
                                         ir::kNoNode,
                                         "mode of the rules"});
        for (const auto* group : {&recipe.moduleName, &recipe.moduleType})
            for (const auto& [name, config] : *group)
                if (config && dynamic(config) != global)
                    m_answer.findings.push_back(
                        {"R13",
                         Severity::Warning,
                         {},
                         global
                             ? message("{0}{1} is static, but the dynamic rules ran: the global config decides which",
                                       label, name)
                             : message("{0}{1} is dynamic, but the static rules ran: the global config decides which",
                                       label, name),
                         -1,
                         ir::kNoNode,
                         "mode of the rules"});
    }

    const RunView& m_run;
    Answer& m_answer;
    std::vector<ir::NodeId> m_order;
    std::set<std::string> m_paths;
    std::set<std::string> m_types;
};

} // namespace

void addSettings(const RunView& run, const quantizers::Recipe& recipe, Answer& answer)
{
    SettingsExplainer(run, answer).add(recipe, "", "");
}

} // namespace gb::explain
