"""The module as a user sees it."""

import ast
import json
import pathlib

import pytest

import choros

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"

SHOP = """DECLARATIONS
component agreed chorD
    Request[b,v].<x> ; ([x < 100] |> Confirm[v,b] + [x >= 100] |> Abort[v,b])
end component
component shop chorD
    Request[b,v].<x> ; ([x < limit] |> Confirm[v,b] + [x >= limit] |> Abort[v,b])
end component
COMMANDS"""

FEE = """property fee on s {
  context Request[c,s]?(weight = w) within 1 messages
  expect Response[s,c]!(fee = f) where f == 2 * w
}"""


def shop() -> choros.Model:
    return choros.read(SHOP, kind="schora")


def test_a_file_has_components():
    model = choros.open(str(EXAMPLES / "online-shopping.chor"))
    assert "shop" in model.components
    assert model["shop"].component == "shop"
    with pytest.raises(KeyError):
        model["shpo"]


def test_a_file_that_is_not_there():
    with pytest.raises(choros.Error, match="cannot read"):
        choros.open("nowhere.chor")


def test_check_says_what_is_wrong_and_where():
    assert choros.open(str(EXAMPLES / "online-shopping.chor#order")).check().findings == []
    found = choros.read("choreography {", kind="chor").check().findings
    assert found[0].severity == "error"
    assert (found[0].line, found[0].path) == (1, "text.chor")
    assert found[0].code in repr(found[0])


def test_mistakes_are_raised_by_other_questions():
    with pytest.raises(choros.Mistakes) as raised:
        choros.read("choreography {", kind="chor").verify("true")
    assert raised.value.findings[0].code.startswith("CH")


def test_a_condition_is_evaluated_and_combined():
    model = shop()
    answers = model["shop"].conform(model["agreed"])
    assert answers.verdict == "conditional"
    condition = answers[0].condition
    assert condition is not None
    # Confirming up to the own limit is what was agreed exactly if the limits are equal.
    assert condition.parameters == ["limit"]
    assert condition.evaluate(limit=100)
    assert not condition.evaluate(limit=50)
    assert (~condition).evaluate(limit=50)
    assert not (condition & ~condition).evaluate(limit=100)
    assert (condition | ~condition).evaluate(limit=7)
    with pytest.raises(KeyError):
        condition.evaluate()
    with pytest.raises(TypeError):
        condition.evaluate(limit="many")


def test_a_parameter_can_be_fixed():
    model = shop()
    fixed = model["shop"].with_settings(limit=100)
    assert fixed.conform(model["agreed"]).verdict == "holds"


def test_formulas():
    atm = choros.read("des (0, 2, 2)\n(0, order, 1)\n(1, answer, 0)\n", kind="aut")
    answers = atm.verify("EF {answer} true", "AG [order] AX {order} true")
    assert [answer.verdict for answer in answers] == ["holds", "fails"]
    assert answers[1].evidence
    assert answers.verdict == "fails"


def test_realizability():
    model = choros.open(str(EXAMPLES / "online-shopping.chor"))
    assert model["order"].realize(mode="sync").verdict in ("holds", "fails")
    with pytest.raises(ValueError, match="sender"):
        model["order"].realize(mode="somehow")  # pyright: ignore[reportArgumentType]


def test_tests_are_files():
    model = choros.open(str(EXAMPLES / "online-shopping.chor"))
    made = model["order"].tests(role="v", depth=4)
    suite = json.loads(made.files["suite.json"])
    assert suite["tests"]


def test_logs(tmp_path: pathlib.Path):
    log = tmp_path / "v.jsonl"
    lines = [
        {"op": "Request", "from": "b", "to": "v", "dir": "recv", "data": {"x": 7}},
        {"op": "Abort", "from": "v", "to": "b", "dir": "send"},
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    # A request of 7 is confirmed, by the agreement.
    answers = shop()["agreed"].audit({"v": str(log)})
    assert answers.verdict == "fails"
    nothing = tmp_path / "nothing.jsonl"
    nothing.touch()
    assert shop()["agreed"].audit({"v": str(nothing)}).verdict == "unknown"


def test_a_monitor_is_fed_record_by_record():
    monitor = choros.Monitor(FEE, service="s")
    outcomes: list[str] = []
    for weight, fee in [(3, 6), (4, 9)]:
        heard = {"op": "Request", "from": "c", "to": "s", "dir": "recv"}
        said = {"op": "Response", "from": "s", "to": "c", "dir": "send"}
        monitor.observe({**heard, "data": {"weight": weight}})
        outcomes += [it.outcome for it in monitor.observe({**said, "data": {"fee": fee}})]
    assert outcomes == ["pass", "fail"]
    assert monitor.finish() == []
    assert monitor.observed == 4
    with pytest.raises(ValueError):
        monitor.observe({"nothing": 1})
    with pytest.raises(choros.Mistakes):
        choros.Monitor("")


def test_a_notebook_shows_pictures_and_tables():
    model = choros.open(str(EXAMPLES / "online-shopping.chor"))["order"]
    assert model._repr_html_().lstrip().startswith("<svg")
    answers = model.check()
    assert answers._repr_html_().startswith("<iframe")
    assert "<html" in answers.to_html()
    assert json.loads(answers.to_json())["verb"] == "check"
    assert "order" in str(answers)
    assert repr(answers) == "<Answers of check: holds>"


def test_the_stubs_say_what_there_is():
    stubs = pathlib.Path(choros.__file__).with_name("_native.pyi")
    for node in ast.parse(stubs.read_text()).body:
        if not isinstance(node, ast.ClassDef):
            continue
        kind = getattr(choros, node.name)
        said = {it.name for it in node.body if isinstance(it, ast.FunctionDef)} - {"__init__"}
        there = {it for it in vars(kind) if not it.startswith("__")}
        assert said >= there, node.name
        assert all(hasattr(kind, it) for it in said), node.name
