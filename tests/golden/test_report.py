"""What report.py must and must not say, on dumps small enough to read."""
from __future__ import annotations

import json
import struct
import unittest

import report

NODE = {"name": "relu", "target": "aten.relu.default", "args": [{"node": "x"}, 0.5], "shape": [2, 3]}
OBSERVER = {"type": "MinMaxObserver", "scale": [0.25]}
DUMP = {
    "error": None,
    "stages": {
        "exported": {"nodes": [NODE, {**NODE, "name": "relu_1"}]},
        "calibrated": {"observers": {"activation_post_process_0": OBSERVER}},
        "converted": {"nodes": [NODE], "tensors": {"conv.weight": {"dtype": "int8"}}},
    },
}


def changes(edit, relative=0.0):
    """What the report says of DUMP and a copy that `edit` has changed."""
    changed = json.loads(json.dumps(DUMP))  # nothing shared within it
    edit(changed)
    return list(report.dump_changes(DUMP, changed, relative))


class Report(unittest.TestCase):
    def test_says_nothing_of_equal_dumps(self):
        self.assertEqual(changes(lambda dump: None), [])

    def test_another_producer_is_no_change(self):
        self.assertEqual(changes(lambda dump: dump.update(producer={"name": "torchao", "version": "0.19.0"})), [])

    def test_names_the_value_that_changed(self):
        found = changes(lambda dump: dump["stages"]["exported"]["nodes"][0].update(target="aten.relu_.default"))
        sentence = 'node relu: target was "aten.relu.default", is "aten.relu_.default"'
        self.assertEqual(found, [("exported", "node target", sentence)])

    def test_names_nodes_that_came_and_went(self):
        found = changes(lambda dump: dump["stages"]["converted"]["nodes"][0].update(name="relu_2"))
        kinds = [kind for _, kind, _ in found]
        self.assertEqual(kinds, ["node gone", "node added"])

    def test_sees_another_order(self):
        found = changes(lambda dump: dump["stages"]["exported"]["nodes"].reverse())
        self.assertEqual(found, [("exported", "order", "the same nodes stand in another order")])

    def test_lets_floats_move_only_as_far_as_asked(self):
        def edit(dump):
            dump["stages"]["calibrated"]["observers"]["activation_post_process_0"]["scale"] = [0.2500001]

        self.assertEqual(changes(edit, relative=1e-5), [])
        self.assertEqual([kind for _, kind, _ in changes(edit)], ["observer scale"])

    def test_a_number_of_another_type_is_a_change(self):
        found = changes(lambda dump: dump["stages"]["exported"]["nodes"][0].update(shape=[2.0, 3]), relative=1.0)
        self.assertEqual([kind for _, kind, _ in found], ["node shape"])

    def test_names_a_stage_that_is_no_longer_reached(self):
        def edit(dump):
            del dump["stages"]["converted"]
            dump["error"] = {"type": "AssertionError", "message": "no"}

        self.assertEqual([row[:2] for row in changes(edit)], [("error", "error"), ("converted", "stage")])

    def test_looks_into_subgraphs(self):
        old, new = ({"nodes": [], "subgraphs": {"body": {"nodes": nodes}}} for nodes in ([NODE], []))
        found = list(report.graph_changes(old, new, 0.0))
        self.assertEqual(found, [("node gone", "body: - node relu aten.relu.default")])

    def test_counts_observer_cases(self):
        found = list(report.observer_changes([{"observer": "MinMaxObserver", "inputs": ["a.0"]}], [], 0.0))
        self.assertEqual(found, [("observers", "count", "1 cases before, 0 now")])


class Ops(unittest.TestCase):
    CALL = {"target": "aten.relu.default", "args": [{"tensor": {"dtype": "float32", "shape": [2], "at": 8}}], "outputs": [1.5]}

    def test_reads_the_elements_of_tensors(self):
        raw = bytes(8) + struct.pack("<2f", 0.5, float("nan"))
        found = report.with_elements([self.CALL], raw)
        self.assertEqual(found[0]["args"], [{"tensor": {"dtype": "float32", "shape": [2], "elements": [0.5, "nan"]}}])

    def test_names_the_op_that_changed(self):
        found = list(report.op_changes([self.CALL], [{**self.CALL, "outputs": [2.5]}], 0.0))
        sentence = "call 0, aten.relu.default: outputs[0] was 1.5, is 2.5"
        self.assertEqual(found, [("ops", "aten.relu.default outputs", sentence)])


if __name__ == "__main__":
    unittest.main()
