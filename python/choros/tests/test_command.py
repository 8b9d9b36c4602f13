"""The command `choros` of the wheel, installed into a virtual environment that holds nothing else."""

import json
import os
import pathlib
import re
import signal
import subprocess
import time
from importlib.metadata import version

import pytest

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"
# `scripts/test-python-module.sh` installs the wheel and names its command.
COMMAND = os.environ.get("CHOROS_COMMAND", "")

pytestmark = pytest.mark.skipif(not COMMAND, reason="the wheel is not installed")


def choros(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
    return subprocess.run(
        [COMMAND, *words], cwd=EXAMPLES, env=environment, capture_output=True, text=True, timeout=60
    )


def test_it_says_its_version():
    done = choros("--version")
    assert (done.returncode, done.stdout) == (0, f"choros {version('choros')}\n")


def test_exit_codes_are_those_of_the_command():
    assert choros("check", "tss.schora").returncode == 0
    assert choros("check", "no-such-file.chor").returncode == 2
    assert choros("chekc").returncode == 2


def test_it_decides_with_the_solver_that_pip_installed():
    done = choros("conform", "market.schora#market_services", "market.schora#market", "--format", "json")
    assert done.returncode == 1, done.stderr
    solver = re.search(r'"solver": "([^"]*)"', done.stdout)
    # `z3-solver` counts its own builds after the version of Z3.
    installed = ".".join(version("z3-solver").split(".")[:3])
    assert solver is not None and installed in solver[1], done.stdout
    assert json.loads(done.stdout)["verb"] == "conform"


def test_an_interrupt_ends_it():
    # It waits for an editor that says nothing.
    with subprocess.Popen([COMMAND, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as waiting:
        time.sleep(1)
        assert waiting.poll() is None
        waiting.send_signal(signal.SIGINT)
        assert waiting.wait(10) == -signal.SIGINT
