"""What the comparison on real models must and must not accept, on dumps small enough to read."""
from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import real_compare

OBSERVER = {"observes": "x", "min_val": [-1.0], "max_val": [1.0], "scale": [0.0078], "zero_point": [0]}


def dump(**observer):
    return {"stages": {"calibrated": {"observers": {"activation_post_process_0": {**OBSERVER, **observer}}}}}


def judged(mine, theirs):
    row = real_compare.Row("model.xnnpack")
    real_compare.calibrated(row, mine, theirs)
    return row


class Calibrated(unittest.TestCase):
    def test_accepts_the_same(self):
        self.assertEqual(judged(dump(), dump()).differences, [])

    def test_accepts_a_scale_within_the_limit(self):
        row = judged(dump(scale=[0.0078 * (1 + 1e-5)]), dump())
        self.assertEqual(row.differences, [])
        self.assertAlmostEqual(row.scale, 1e-5, places=7)

    def test_refuses_a_scale_beyond_it(self):
        self.assertEqual(len(judged(dump(scale=[0.00781]), dump()).differences), 1)

    def test_a_zero_point_may_be_one_apart_next_to_a_half_only(self):
        near, far = {"min_val": [-1.0], "scale": [1 / 12.5]}, {"min_val": [-1.0], "scale": [1 / 12.3]}
        for state, differences in ((near, 0), (far, 1)):
            row = judged(dump(zero_point=[1], **state), dump(**state))
            self.assertEqual((row.off_by_one, len(row.differences)), (1, differences))

    def test_refuses_a_zero_point_two_apart(self):
        state = {"min_val": [-1.0], "scale": [1 / 12.5]}
        self.assertEqual(len(judged(dump(zero_point=[2], **state), dump(**state)).differences), 1)

    def test_refuses_an_observer_that_is_missing(self):
        self.assertEqual(len(judged({"stages": {}}, dump()).differences), 1)


class Stages(unittest.TestCase):
    NODE = {"name": "q", "target": "quantized_decomposed.quantize_per_tensor.default", "args": [{"node": "x"}, 0.5, 3]}

    def converted(self, *args):
        return {"stages": {"converted": {"nodes": [{**self.NODE, "args": [{"node": "x"}, *args]}]}}}

    def test_a_stage_that_torchao_did_not_reach_is_not_asked_for(self):
        self.assertEqual(real_compare.stage_differences({"stages": {}}, {"stages": {}}, "prepared", 0.0), [])

    def test_a_missing_stage_is_a_difference(self):
        found = real_compare.stage_differences({"stages": {}}, self.converted(0.5, 3), "converted", 0.0)
        self.assertEqual(found, ["converted: missing"])

    def test_zero_points_one_apart_are_judged_once(self):
        mine, theirs = self.converted(0.5, 4), self.converted(0.5, 3)
        real_compare.align_zero_points(mine, theirs)
        self.assertEqual(real_compare.stage_differences(mine, theirs, "converted", 0.0), [])

    def test_zero_points_two_apart_stay(self):
        mine, theirs = self.converted(0.5, 5), self.converted(0.5, 3)
        real_compare.align_zero_points(mine, theirs)
        self.assertEqual(len(real_compare.stage_differences(mine, theirs, "converted", 0.0)), 1)

    def test_another_type_of_error_is_a_difference(self):
        raised = {"error": {"type": "ValueError", "message": "no"}}
        self.assertEqual(list(real_compare.errors(raised, raised)), [])
        self.assertEqual(len(list(real_compare.errors({"error": None}, raised))), 1)


class Table(unittest.TestCase):
    def test_stands_between_its_marks(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "a.md"
            file.write_text("before\n<!-- table -->\nold\n<!-- end of table -->\nafter\n")
            real_compare.put(file, real_compare.markdown([real_compare.Row("net.v2.x86", nodes=7)]))
            text = file.read_text()
        self.assertTrue(text.startswith("before\n") and text.endswith("\nafter\n"))
        self.assertIn("| net.v2 | x86 | 7 |", text)
        self.assertNotIn("old", text)


if __name__ == "__main__":
    unittest.main()
