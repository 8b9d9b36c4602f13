"""The facts about executable tests, each shown on suites that `choros` writes.

The numbers are those of the acceptance facts; chapter 4 of Coto, "A choreographic approach to
model-driven testing of message-passing systems", is their source. `CHOROS_BIN` names the
command; without it these tests are left out.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MODELS = HERE / "models"
EXAMPLES = HERE.parent.parent / "examples"
IMPLEMENTATIONS = HERE / "implementations"
SOURCES = HERE.parent / "src"
CHOROS = os.environ.get("CHOROS_BIN")

pytestmark = pytest.mark.skipif(CHOROS is None, reason="CHOROS_BIN names no choros")


@dataclass
class Suite:
    """A folder with emitted tests."""

    folder: Path
    stem: str

    def file(self, name: str) -> Path:
        return self.folder / name

    def use(self, *names: str) -> None:
        """Puts files that someone wrote in place of emitted ones."""
        for name in names:
            shutil.copy(IMPLEMENTATIONS / name, self.folder / name)

    def edit(self, name: str, *changes: tuple[str, str]) -> None:
        """Edits an emitted file, as its user would."""
        text = self.file(name).read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, f"{old!r} is not in {name}"
            text = text.replace(old, new)
        self.file(name).write_text(text, encoding="utf-8")

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Runs the tests, as a developer does: not as continuous integration, which keeps no examples."""
        # A seed makes runs repeatable; but with one, Hypothesis does not look at what failed before.
        seeds = [] if "HYPOTHESIS_STORAGE_DIRECTORY" in variables else ["--hypothesis-seed=1"]
        plugins = ["-p", "choros_sessions.testing.pytest_plugin", "-p", "no:cacheprovider"]
        options = [*plugins, *seeds, "--hypothesis-profile=default", "--rootdir=."]
        return run_python("-m", "pytest", "-q", *options, *arguments, folder=self.folder, **variables)

    def python(self, program: str) -> str:
        """Runs a program next to the emitted files."""
        result = run_python("-c", program, folder=self.folder)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout


def run_python(*arguments: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: it for name, it in os.environ.items() if name not in ("CI", "TF_BUILD", "GITHUB_ACTIONS")}
    environment |= {
        "PYTHONPATH": os.pathsep.join([str(SOURCES), str(folder)]),
        # What Hypothesis knows about Unicode is computed once, not once per folder.
        "HYPOTHESIS_STORAGE_DIRECTORY": str(HERE.parent / ".hypothesis" / "facts"),
        # Enough for models this small, and four times faster.
        "CHOROS_EXAMPLES": "25",
        "PYTHONDONTWRITEBYTECODE": "1",
        **variables,
    }
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )


def choros(*arguments: str) -> subprocess.CompletedProcess[str]:
    assert CHOROS is not None
    return subprocess.run([CHOROS, *arguments], capture_output=True, text=True, timeout=60, check=False)


def emitted(folder: Path, model: Path, *options: str) -> Suite:
    result = choros("tests", str(model), *options, "--emit", "python", "-o", str(folder))
    assert result.returncode == 0, result.stdout + result.stderr
    return Suite(folder, model.stem)


def request_reply(folder: Path) -> Suite:
    suite = emitted(folder, MODELS / "request_reply.fsa")
    suite.use("request_reply_types.py", "request_reply_implementations.py")
    return suite


def atm(folder: Path) -> Suite:
    """The ATM, with two messages that carry numbers."""
    suite = emitted(folder, EXAMPLES / "atm.gc")
    suite.edit(
        "atm_types.py",
        ("class authReq(Message):\n    pass", "class authReq(Message):\n    pin: int = 1"),
        ("class authWithdrawal(Message):\n    pass", "class authWithdrawal(Message):\n    amount: int = 10"),
        ("class withdraw(Message):\n    pass", "class withdraw(Message):\n    amount: int"),
    )
    suite.use("atm_implementations.py")
    return suite


def outcome(result: subprocess.CompletedProcess[str]) -> str:
    assert result.returncode in (0, 1), result.stdout + result.stderr
    return "passed" if result.returncode == 0 else "failed"


def checker() -> Path | None:
    """The static checker next to this Python."""
    path = Path(sys.executable).parent / "basedpyright"
    return path if path.exists() else None


def complaints(folder: Path) -> list[tuple[str, int, str]]:
    """File, line and rule of everything a strict check of the folder finds."""
    program = checker()
    assert program is not None
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(SOURCES)], "reportUnusedExpression": False}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    result = subprocess.run(
        [str(program), "--outputjson", "--pythonpath", sys.executable, "."],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )
    report = json.loads(result.stdout)
    return [
        (Path(it["file"]).name, it["range"]["start"]["line"] + 1, it.get("rule", it["message"]))
        for it in report["generalDiagnostics"]
    ]


needs_checker = pytest.mark.skipif(checker() is None, reason="basedpyright is not installed here")


# F29: the types.


def test_f29_request_reply_types(tmp_path: Path) -> None:
    suite = emitted(tmp_path, MODELS / "request_reply.fsa")
    suite.python("""
from choros_sessions import *
from request_reply_types import *
from request_reply_session_types import *
assert ClientSession == Send[Server, Request, Recv[Server, Reply, Eps]]
assert ServerSession == Recv[Client, Request, Send[Client, Reply, Eps]]
""")


def test_f29_is_even_types(tmp_path: Path) -> None:
    suite = emitted(tmp_path, MODELS / "is_even.fsa")
    suite.python("""
from choros_sessions import *
from is_even_types import *
from is_even_session_types import *
assert ClientSession == Send[Server, number, Offer[Server, No, Eps, Recv[Server, Yes, Eps]]]
assert ServerSession == Recv[Client, number, Choose[Client, No, Eps, Send[Client, Yes, Eps]]]
""")


def test_f29_bank_types(tmp_path: Path) -> None:
    suite = emitted(tmp_path, EXAMPLES / "atm.gc")
    suite.python("""
from choros_sessions import *
from atm_types import *
from atm_session_types import *
B5 = Send[A, balance, Eps]
B4 = Choose[A, allow, Eps, Send[A, deny, Eps]]
B3 = Offer[A, authWithdrawal, B4, Offer[A, getBalance, B5, Recv[A, quit, Eps]]]
B1 = Choose[A, denied, Eps, Send[A, granted, B3]]
assert BSession == Recv[A, authReq, B1]
""")


# F30: names of methods.


def test_f30_methods_of_a_server(tmp_path: Path) -> None:
    suite = emitted(tmp_path, MODELS / "letters.fsa")
    methods = suite.python("""
from letters_machines import BMachine
print([name for name in vars(BMachine) if name.startswith("_") and not name.startswith("__")])
""")
    assert methods.strip() == "['_0_m_recv_2', '_2_n_send_1', '_1_eps']"


# F31: a wrong order or a wrong message does not pass the checker.


@needs_checker
def test_f31_a_checker_refuses_every_wrong_order(tmp_path: Path) -> None:
    suite = emitted(tmp_path, MODELS / "is_even.fsa")
    suite.use("wrong_order.py")
    lines = suite.file("wrong_order.py").read_text(encoding="utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    assert len(wrong) == 11
    found = complaints(tmp_path)
    assert {line for _, line, _ in found} == wrong
    assert {file for file, _, _ in found} == {"wrong_order.py"}
    known = {"reportAttributeAccessIssue", "reportArgumentType", "reportCallIssue"}
    unknown = {"reportUnknownMemberType", "reportUnknownVariableType"}
    assert {rule for _, _, rule in found} <= known | unknown
    assert all(any((line, rule) in {(l, r) for _, l, r in found} for rule in known) for line in wrong)


@needs_checker
@pytest.mark.parametrize("model", ["request-reply.gc", "is-even.gc", "atm.gc"])
def test_f31_a_checker_accepts_what_is_emitted(tmp_path: Path, model: str) -> None:
    emitted(tmp_path, EXAMPLES / model)
    assert complaints(tmp_path) == []


@needs_checker
def test_f31_a_checker_accepts_correct_implementations(tmp_path: Path) -> None:
    atm(tmp_path)
    assert complaints(tmp_path) == []


# F32: exceptions.


@pytest.mark.parametrize(
    ("server", "black_box", "white_box"),
    [
        ("correct", "passed", "passed"),
        ("raises_before_the_last_send", "failed", "failed"),
        ("raises_after_the_last_send", "passed", "failed"),
    ],
)
def test_f32_exceptions(tmp_path: Path, server: str, black_box: str, white_box: str) -> None:
    suite = request_reply(tmp_path)
    assert outcome(suite.run(SERVER=server)) == black_box
    assert outcome(suite.run(SERVER=server, CHECK_EXCEPTIONS="1")) == white_box


# F33: wrong messages, silence, wrong payloads.


@pytest.mark.parametrize(
    ("server", "expected", "reason"),
    [
        ("sends_the_wrong_message", "failed", "wants to receive Reply from Server"),
        ("sends_a_wrong_class_through_its_session", "failed", "WrongMessage: cannot send Request"),
        ("is_silent", "failed", "the implementation is still waiting"),
        ("sends_the_wrong_payload", "passed", ""),
        ("takes_its_time", "passed", ""),
    ],
)
def test_f33_wrong_messages_and_silence(tmp_path: Path, server: str, expected: str, reason: str) -> None:
    result = request_reply(tmp_path).run(SERVER=server, CHOROS_TIMEOUT="0.05" if expected == "passed" else "0.01")
    assert outcome(result) == expected, result.stdout
    assert reason in result.stdout


def test_f33_a_wrong_payload_fails_when_an_assertion_is_supplied(tmp_path: Path) -> None:
    suite = request_reply(tmp_path)
    suite.edit(
        "request_reply_types.py",
        ("from dataclasses", "from collections.abc import Sequence\nfrom dataclasses"),
        ("import Message,", "import Exchange, Message,"),
        (
            "class Reply(Message):\n    text: str",
            """class Reply(Message):
    text: str

    def check(self, history: Sequence[Exchange]) -> None:
        asked = history[-1].message
        assert isinstance(asked, Request) and self.text == asked.text, "not what was asked"
""",
        ),
    )
    assert outcome(suite.run(SERVER="correct")) == "passed"
    result = suite.run(SERVER="sends_the_wrong_payload")
    assert outcome(result) == "failed"
    assert "Server does not comply with request_reply: not what was asked" in result.stdout


# F34: coverage shows what a compliant implementation never does.


def test_f34_coverage_of_two_banks(tmp_path: Path) -> None:
    suite = atm(tmp_path)
    report = tmp_path / "coverage.json"
    found: dict[str, dict[str, list[str]]] = {}
    for bank in ("obliging", "careful"):
        result = suite.run("-k", "test_B", "--choros-report", str(report), BANK=bank, CHOROS_EXAMPLES="100")
        assert outcome(result) == "passed", result.stdout
        (model,) = json.loads(report.read_text(encoding="utf-8"))["models"]
        assert model["transitions"]["total"] == 36
        found[bank] = {kind: model[kind]["missing"] for kind in ("messages", "states", "transitions")}
    assert found["careful"] == {"messages": [], "states": [], "transitions": []}
    never = {"BA!deny", "BA?deny", "AC!bye", "AC?bye", "BA!denied", "BA?denied", "AC!authFail", "AC?authFail"}
    assert set(found["obliging"]["transitions"]) == never


def test_f34_lines_and_branches(tmp_path: Path) -> None:
    pytest.importorskip("coverage")
    result = atm(tmp_path).run("-k", "test_B", "--choros-cover", "*_types.py")
    assert "atm_types.py: lines" in result.stdout
    assert re.search(r"atm_implementations.py: lines \d+/\d+, branches \d+/\d+", result.stdout), result.stdout


# F35: failures are shrunk, and tried first the next time.


def test_f35_payload_and_schedule_are_minimal_and_replayed(tmp_path: Path) -> None:
    suite = atm(tmp_path)
    suite.edit(
        "atm_implementations.py",
        ("if amount < 100", "if log(amount) < 100"),
        ('deny())\n            end.close()', 'deny())\n            assert amount < 1000\n            end.close()'),
        ("OPTIONS = Options()", """OPTIONS = Options(check_exceptions=True)


def log(amount: int) -> int:
    with open("amounts.txt", "a", encoding="utf-8") as file:
        print(amount, file=file)
    return amount
"""),
    )
    log, first = suite.file("amounts.txt"), ""
    for _ in range(2):
        result = suite.run(
            "-k", "test_B and not made",
            HYPOTHESIS_STORAGE_DIRECTORY=str(tmp_path / "examples"), CHOROS_EXAMPLES="400",
        )
        assert outcome(result) == "failed"
        # The smallest amount that fails, on the only path that leads there, and nothing else.
        steps = re.findall(r"^E? +\d+\. (.*)$", result.stdout, re.MULTILINE)
        assert [it for it in steps if "withdraw" in it][0] == "C sends withdraw(amount=0) to A", steps
        assert "A sends authWithdrawal(amount=1000) to B" in steps
        first = log.read_text(encoding="utf-8").split()[0]
        log.unlink()
    assert first == "1000", "the failure of the first run is tried first in the second"


# F36: what the user wrote stays.


def test_f36_regeneration_keeps_what_was_edited(tmp_path: Path) -> None:
    model = tmp_path / "request_reply.fsa"
    text = (MODELS / "request_reply.fsa").read_text(encoding="utf-8")
    model.write_text(text, encoding="utf-8")
    folder = tmp_path / "tests"
    suite = emitted(folder, model)
    suite.use("request_reply_types.py", "request_reply_implementations.py")
    kept = ["request_reply_types.py", "request_reply_implementations.py"]
    before = {name: suite.file(name).read_text(encoding="utf-8") for name in kept}
    types = suite.file("request_reply_session_types.py").read_text(encoding="utf-8")
    model.write_text(text.replace("2 1 ? Reply 1", "2 1 ? Reply 3\n3 1 ! Thanks 1")
                     .replace("2 0 ! Reply 1", "2 0 ! Reply 3\n3 0 ? Thanks 1"), encoding="utf-8")
    emitted(folder, model)
    assert {name: suite.file(name).read_text(encoding="utf-8") for name in kept} == before
    assert suite.file("request_reply_session_types.py").read_text(encoding="utf-8") != types
    assert "Thanks" in suite.file("request_reply_machines.py").read_text(encoding="utf-8")


# F37: choices that are drawn, and choices that are made before.


def test_f37_split_and_unsplit_agree_on_the_correct_atm(tmp_path: Path) -> None:
    suite = atm(tmp_path)
    result = suite.run("-vv")
    assert outcome(result) == "passed", result.stdout
    for name, count in (("A", 12), ("B", 3), ("C", 4)):
        assert f"::test_{name} PASSED" in result.stdout
        assert len(re.findall(rf"::test_{name}_with_choices_made\[.*PASSED", result.stdout)) == count


def test_f37_and_on_a_faulty_one(tmp_path: Path) -> None:
    """The first faulty ATM of section 3.4: two of its twelve tests fail."""
    suite = atm(tmp_path)
    faulty = "forgets to tell the bank"
    result = suite.run("-vv", "-k", "test_A", ATM=faulty)
    assert "::test_A FAILED" in result.stdout
    failed = re.findall(r"::test_A_with_choices_made\[(.*)\] FAILED", result.stdout)
    passed = re.findall(r"::test_A_with_choices_made\[(.*)\] PASSED", result.stdout)
    assert (len(failed), len(passed)) == (2, 10), result.stdout
    # Granted by the bank, with either of its later decisions, and the client quits.
    assert all("granted" in it and "quit" in it for it in failed), failed
    assert "B in state 3 wants to receive" in result.stdout


# Loops, which the thesis unfolds, are types and runs of any length.


@needs_checker
def test_loops_are_typed_and_run(tmp_path: Path) -> None:
    suite = emitted(tmp_path, EXAMPLES / "ping-pong.fsa", "--loops", "fair")
    suite.use("ping_pong_implementations.py")
    assert complaints(tmp_path) == []
    result = suite.run()
    assert outcome(result) == "passed", result.stdout
    assert "transitions 6/6" in result.stdout


# A service that knows nothing of this package, in a process of its own.


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize(("fault", "expected"), [("", "passed"), ("--silent-on-zero", "failed")])
def test_a_real_service_over_http(tmp_path: Path, fault: str, expected: str) -> None:
    suite = emitted(tmp_path, EXAMPLES / "is-even.gc", "--role", "Server")
    service = EXAMPLES / "is-even-service"
    for name in ("is_even_types.py", "is_even_implementations.py"):
        shutil.copy(service / name, tmp_path / name)
    here, there = str(free_port()), str(free_port())
    command = [sys.executable, str(service / "service.py"), "--port", there, "--client", f"http://127.0.0.1:{here}"]
    with subprocess.Popen([*command, *fault.split()], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline().startswith("listening")
            result = suite.run(CLIENT_PORT=here, SERVER_PORT=there, CHOROS_EXAMPLES="10")
        finally:
            process.kill()
    assert outcome(result) == expected, result.stdout
    if expected == "failed":
        assert "Client sends number(n=0) to Server" in result.stdout
