"""Choros: write down how services talk; prove, test and watch it.

    >>> import choros
    >>> shop = choros.open("shop.chor")
    >>> shop.check().findings
    []
"""

import importlib.util
import os
import pathlib


def _name_solver() -> None:
    """Names the library of the package `z3-solver`, unless the user has named one."""
    if os.environ.get("CHOROS_LIBZ3"):
        return
    found = importlib.util.find_spec("z3")
    for folder in (found.submodule_search_locations or []) if found else []:
        for name in ("libz3.so", "libz3.dylib", "libz3.dll"):
            library = pathlib.Path(folder) / "lib" / name
            if library.is_file():
                os.environ["CHOROS_LIBZ3"] = str(library)
                return


_name_solver()

from choros._native import (  # noqa: E402
    Answer,
    Answers,
    Condition,
    Error,
    Finding,
    Judgement,
    Mistakes,
    Model,
    Monitor,
    Tests,
    __version__,
    open,
    read,
)

__all__ = [
    "Answer",
    "Answers",
    "Condition",
    "Error",
    "Finding",
    "Judgement",
    "Mistakes",
    "Model",
    "Monitor",
    "Tests",
    "__version__",
    "open",
    "read",
]
