"""The `rules` quantizer: a Quantizer from a recipe's ordered list of rules, as formats.md section 1 fixes it."""
from __future__ import annotations

from torch.fx import Node
from torchao.quantization.pt2e.quantizer import QuantizationAnnotation, Quantizer

import specs

KEY = "quantization_annotation"


class RulesQuantizer(Quantizer):
    """Labels chains of nodes; rules run one after the other, each over the nodes in graph order."""

    def __init__(self, recipe):
        super().__init__()
        self.named_specs = recipe.get("specs", {})
        self.rules = recipe["rules"]

    def annotate(self, model):
        for rule in self.rules:
            for node in model.graph.nodes:
                chain = chain_from(node, rule["pattern"])
                if chain and lies_where(chain, rule.get("where", {})) and may_label(chain, rule):
                    self.label(chain, rule)
        return model

    def validate(self, model):
        """Every label that a recipe can express is allowed; prepare refuses what it cannot do."""

    def label(self, chain, rule):
        """Writes the rule's rows on the nodes of a chain that it matched."""
        if rule.get("replace", False):
            for node in chain:
                node.meta[KEY] = QuantizationAnnotation()
        for row in rule.get("inputs", []):
            user = chain[row["of"]]
            upstream = argument(user, row["arg"])
            if isinstance(upstream, Node):  # a number or None has no edge
                annotation_of(user).input_qspec_map[upstream] = self.spec(row["spec"], chain)
        for row in rule.get("outputs", []):
            node = chain[row["of"]]
            annotation_of(node).output_qspec = self.spec(row["spec"], chain)
        for node in chain:
            if "allow_implicit_sharing" in rule and KEY in node.meta:
                node.meta[KEY].allow_implicit_sharing = rule["allow_implicit_sharing"]
            if rule.get("mark", True):
                annotation_of(node)._annotated = True

    def spec(self, row, chain):
        """torchao's spec for a name, an inline object or null."""
        if isinstance(row, str):
            row = self.named_specs[row]
        return row and specs.to_torchao(row, lambda place: position(place, chain))


def annotation_of(node):
    """The node's annotation; an empty one is put there first where it has none."""
    return node.meta.setdefault(KEY, QuantizationAnnotation())


def chain_from(node, pattern):
    """The nodes that match `pattern` from `node` on, or None.

    Each next node is the only user of the one before, and takes it as its first argument.
    """
    if not is_call_of(node, pattern[0]):
        return None
    chain = [node]
    for targets in pattern[1:]:
        users = list(chain[-1].users)
        if len(users) != 1 or not is_call_of(users[0], targets) or users[0].args[:1] != (chain[-1],):
            return None
        chain.append(users[0])
    return chain


def is_call_of(node, targets):
    """Whether the node calls the target, or one of several alternatives."""
    return node.op == "call_function" and str(node.target) in ([targets] if isinstance(targets, str) else targets)


def lies_where(chain, where):
    """Whether one node has the name that `where` asks for, and every node the module and the module type."""
    if "name" in where and where["name"] not in [node.name for node in chain]:
        return False
    for node in chain:
        stack = list((node.meta.get("nn_module_stack") or {}).values())
        if "module" in where and not any(is_inside(path, where["module"]) for path, _ in stack):
            return False
        if "module_type" in where and where["module_type"] not in [type_name(kind) for _, kind in stack]:
            return False
    return True


def is_inside(path, module):
    """Whether a path of nn_module_stack is the module or lies below it."""
    path = path.removeprefix("L['self'].")
    return path == module or path.startswith(module + ".")


def type_name(kind):
    """The dotted name of a module type; a loaded program has text, a live one may have the class."""
    return kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__qualname__}"


def may_label(chain, rule):
    """A chain with a marked node is left alone, unless the rule says otherwise."""
    marked = any(KEY in node.meta and node.meta[KEY]._annotated for node in chain)
    return not (marked and rule.get("skip_marked", True))


def argument(node, path):
    """The argument at an index, or at a path of indices into lists."""
    first, *rest = path if isinstance(path, list) else [path]
    value = node.args[first]
    for index in rest:
        value = value[index]
    return value


def position(place, chain):
    """The edge or node that a shared or derived spec refers to."""
    if "node" in place:
        return next(node for node in chain[0].graph.nodes if node.name == place["node"])
    if "edge" in place:
        user = chain[place["edge"]["of"]]
        return argument(user, place["edge"]["arg"]), user
    return chain[place["output"]["of"]]
